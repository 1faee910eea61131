#include "standalone/geometry/scf.h"

#include <blosc.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "solver/base/error.h"
#include "solver/base/parallel.h"
#include "standalone/files/read_file.h"

namespace dashpot {
namespace {

constexpr std::size_t kBlockSize = std::size_t{1} << 20;
constexpr char kFooterMagic[] = "1fcs";
constexpr std::size_t kHeaderSize = 12, kFooterSize = 12;
constexpr int kCompressionLevel = 9, kTypeSize = 4;
// LZ4 codes at most 255 bytes in one; zlib and zstd, which old files might use, 1032 and more.
constexpr std::size_t kLargestRatio = 4096;

[[noreturn]] void fail_container(const char* what) {
  throw InputError(std::string("compressed geometry is damaged (") + what +
                   "); write the file again");
}

// Header and index are big-endian.
std::uint64_t read_number(std::string_view bytes, std::size_t at) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 8; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

void append_number(std::string& bytes, std::uint64_t value) {
  for (int shift = 56; shift >= 0; shift -= 8)
    bytes.push_back(static_cast<char>(value >> shift & 0xff));
}

struct Chunk {
  std::size_t start, size;           // in the file
  std::size_t output, output_bytes;  // in the payload
};

std::vector<Chunk> find_chunks(std::string_view bytes, std::size_t begin, std::size_t end) {
  std::vector<Chunk> chunks;
  std::size_t output = 0;
  for (std::size_t at = begin; at < end;) {
    if (end - at < BLOSC_MIN_HEADER_LENGTH) fail_container("a chunk is cut off");
    std::size_t unpacked = 0, packed = 0, block = 0;
    blosc_cbuffer_sizes(bytes.data() + at, &unpacked, &packed, &block);
    if (packed < BLOSC_MIN_HEADER_LENGTH || packed > end - at) fail_container("a chunk is cut off");
    if (blosc_cbuffer_validate(bytes.data() + at, packed, &unpacked) != 0)
      fail_container("a chunk's header is wrong");
    if (unpacked > kLargestRatio * packed) fail_container("a chunk's size is impossible");
    chunks.push_back({at, packed, output, unpacked});
    output += unpacked;
    if (output > largest_file())
      throw InputError(
          ".sc data unpacks to more than this machine can hold; check which file it is");
    at += packed;
  }
  return chunks;
}

void check_index(std::string_view bytes, std::size_t index, const std::vector<Chunk>& chunks) {
  const std::size_t begin = chunks.front().start;
  for (std::size_t i = 1; i < chunks.size(); ++i)
    if (read_number(bytes, index + 8 * (i - 1)) != chunks[i].start - begin)
      fail_container("its index does not fit its chunks");
}

}  // namespace

std::string unpack_scf(std::string_view bytes) {
  if (bytes.size() < kHeaderSize + kFooterSize || bytes.substr(bytes.size() - 4) != kFooterMagic)
    fail_container("it ends too early");
  const std::size_t body = bytes.size() - kHeaderSize - kFooterSize;
  const std::uint64_t metadata = read_number(bytes, 4);
  const std::uint64_t index_size = read_number(bytes, bytes.size() - kFooterSize);
  if (metadata > body || index_size > body - metadata || index_size % 8 != 0 || index_size < 16)
    fail_container("its header or index is wrong");
  const std::size_t index = bytes.size() - kFooterSize - index_size;
  const std::vector<Chunk> chunks = find_chunks(bytes, kHeaderSize + metadata, index);
  if (chunks.empty() || chunks.size() != index_size / 8 - 1)
    fail_container("its index does not fit its chunks");
  check_index(bytes, index, chunks);

  std::string payload(chunks.back().output + chunks.back().output_bytes, '\0');
  parallel_each(static_cast<std::ptrdiff_t>(chunks.size()), 1, [&](std::ptrdiff_t i) {
    const Chunk& chunk = chunks[static_cast<std::size_t>(i)];
    const int unpacked = blosc_decompress_ctx(bytes.data() + chunk.start, &payload[chunk.output],
                                              chunk.output_bytes, 1);
    if (unpacked < 0 || static_cast<std::size_t>(unpacked) != chunk.output_bytes)
      fail_container("a chunk cannot be unpacked");
  });
  return payload;
}

std::string pack_scf(std::string_view payload) {
  const std::size_t count =
      std::max<std::size_t>(1, (payload.size() + kBlockSize - 1) / kBlockSize);
  constexpr std::size_t kRoom = kBlockSize + BLOSC_MAX_OVERHEAD;
  // Every chunk is packed where it can grow to its largest; memory that stays untouched costs
  // nothing.
  const std::unique_ptr<char[]> rooms(new char[count * kRoom]);
  std::vector<std::size_t> sizes(count);
  parallel_each(static_cast<std::ptrdiff_t>(count), 1, [&](std::ptrdiff_t number) {
    const auto i = static_cast<std::size_t>(number);
    const std::string_view block = payload.substr(i * kBlockSize, kBlockSize);
    const int packed = blosc_compress_ctx(
        kCompressionLevel, BLOSC_SHUFFLE, kTypeSize, block.size(), block.data(), &rooms[i * kRoom],
        block.size() + BLOSC_MAX_OVERHEAD, BLOSC_LZ4_COMPNAME, 0, 1);
    if (packed <= 0) throw std::runtime_error("Blosc could not compress a block");
    sizes[i] = static_cast<std::size_t>(packed);
  });

  std::size_t total = kHeaderSize + kFooterSize + 8 * (count + 1);
  for (const std::size_t size : sizes) total += size;
  std::string bytes;
  bytes.reserve(total);
  bytes = kScfMagic;
  append_number(bytes, 0);  // no metadata
  std::string index;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) append_number(index, bytes.size() - kHeaderSize);
    bytes.append(&rooms[i * kRoom], sizes[i]);
  }
  append_number(index, kBlockSize);
  append_number(index, payload.size() - (count - 1) * kBlockSize);
  bytes += index;
  append_number(bytes, index.size());
  bytes += kFooterMagic;
  return bytes;
}

}  // namespace dashpot
