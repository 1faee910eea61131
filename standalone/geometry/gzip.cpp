#include "standalone/geometry/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "solver/base/error.h"
#include "standalone/files/read_file.h"

namespace dashpot {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib's way to ask for a gzip header
constexpr std::size_t kOutputStep = std::size_t{1} << 16;
constexpr std::size_t kInputStep = std::numeric_limits<uInt>::max() / 2;

Bytef* input_of(std::string_view bytes, std::size_t at) {
  return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data() + at));
}

// The bytes that zlib has not written yet, at the end of `output`.
void give_room(z_stream& stream, std::string& output, std::size_t filled, std::size_t step) {
  if (filled == output.size()) output.resize(output.size() + step);
  stream.next_out = reinterpret_cast<Bytef*>(&output[filled]);
  stream.avail_out = static_cast<uInt>(std::min(output.size() - filled, kInputStep));
}

}  // namespace

std::string unpack_gzip(std::string_view bytes) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) throw std::runtime_error("zlib does not start");
  std::string output;
  std::size_t filled = 0, read = 0;
  int state = Z_OK;
  while (state == Z_OK || (state == Z_STREAM_END && read < bytes.size())) {
    if (state == Z_STREAM_END) inflateReset(&stream);
    give_room(stream, output, filled, std::max(kOutputStep, output.size()));
    const std::size_t offered_room = stream.avail_out;
    const std::size_t offered = std::min(bytes.size() - read, kInputStep);
    stream.next_in = input_of(bytes, read);
    stream.avail_in = static_cast<uInt>(offered);
    state = inflate(&stream, Z_NO_FLUSH);
    read += offered - stream.avail_in;
    filled += offered_room - stream.avail_out;
    if (filled > largest_file()) state = Z_MEM_ERROR;
  }
  inflateEnd(&stream);
  if (state == Z_MEM_ERROR)
    throw InputError(
        "gzip data unpacks to more than this machine can hold; check which file it is");
  if (state != Z_STREAM_END)
    throw InputError("gzip data is damaged or ends too early; write the file again");
  output.resize(filled);
  return output;
}

std::string pack_gzip(std::string_view payload) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("zlib does not start");
  std::string output;
  std::size_t filled = 0, read = 0;
  int state = Z_OK;
  while (state == Z_OK) {
    give_room(stream, output, filled, std::max(kOutputStep, payload.size() / 4));
    const std::size_t offered_room = stream.avail_out;
    const std::size_t offered = std::min(payload.size() - read, kInputStep);
    stream.next_in = input_of(payload, read);
    stream.avail_in = static_cast<uInt>(offered);
    state = deflate(&stream, read + offered == payload.size() ? Z_FINISH : Z_NO_FLUSH);
    read += offered - stream.avail_in;
    filled += offered_room - stream.avail_out;
  }
  deflateEnd(&stream);
  if (state != Z_STREAM_END) throw std::runtime_error("zlib could not compress the geometry");
  output.resize(filled);
  return output;
}

}  // namespace dashpot
