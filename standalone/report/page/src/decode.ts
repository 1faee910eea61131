// Undoes standalone/report/compact_data.cpp.

async function unpack(id: string): Promise<Uint8Array> {
  const element = document.getElementById(id)!;
  const text = atob(element.textContent!);
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) packed[i] = text.charCodeAt(i);
  element.remove();  // the page needs it only once
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function unpackNumbers(id: string): Promise<Uint32Array> {
  const bytes = await unpack(id);
  const count = bytes.length / 4;
  const numbers = new Uint32Array(count);
  let before = 0;
  for (let i = 0; i < count; ++i) {
    const coded =
      (bytes[i]! | (bytes[count + i]! << 8) | (bytes[2 * count + i]! << 16) |
        (bytes[3 * count + i]! << 24)) >>> 0;
    before = (before + ((coded >>> 1) ^ -(coded & 1))) >>> 0;
    numbers[i] = before;
  }
  return numbers;
}

export async function unpackPositions(id: string, frames: number): Promise<Uint16Array[]> {
  const bytes = await unpack(id);
  const all = bytes.length / 2;
  const count = all / frames;
  const result: Uint16Array[] = [];
  for (let f = 0; f < frames; ++f) {
    const frame = new Uint16Array(count);
    const one = result[f - 1];
    const two = result[f - 2];
    for (let i = 0; i < count; ++i) {
      const at = f * count + i;
      const coded = bytes[at]! | (bytes[all + at]! << 8);
      const predicted = two ? 2 * one![i]! - two[i]! : one ? one[i]! : i >= 3 ? frame[i - 3]! : 0;
      frame[i] = predicted + ((coded >>> 1) ^ -(coded & 1));
    }
    result.push(frame);
  }
  return result;
}

export async function unpackValues(id: string, frames: number): Promise<Uint8Array[]> {
  const bytes = await unpack(id);
  const count = bytes.length / frames;
  const result: Uint8Array[] = [];
  for (let f = 0; f < frames; ++f) {
    const frame = bytes.slice(f * count, (f + 1) * count);
    const before = result[f - 1];
    if (before) for (let i = 0; i < count; ++i) frame[i] = frame[i]! + before[i]!;
    result.push(frame);
  }
  return result;
}
