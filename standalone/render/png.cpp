#include "standalone/render/png.h"

#include <png.h>

#include <vector>

#include "solver/base/error.h"
#include "standalone/files/atomic_file.h"

namespace dashpot {
namespace {

png_image describe(const Image& image) {
  png_image description{};
  description.version = PNG_IMAGE_VERSION;
  description.width = static_cast<png_uint_32>(image.width);
  description.height = static_cast<png_uint_32>(image.height);
  description.format = PNG_FORMAT_RGB;
  return description;
}

std::vector<char> encode(const std::string& path, const Image& image) {
  png_image description = describe(image);
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(description);
  std::vector<char> bytes(size);
  if (!png_image_write_to_memory(&description, bytes.data(), &size, 0, image.rgb.data(), 0,
                                 nullptr))
    throw InputError("Cannot encode the picture '" + path + "': " + description.message + ".");
  bytes.resize(size);
  return bytes;
}

}  // namespace

void write_png(const std::string& path, const Image& image) {
  const std::vector<char> bytes = encode(path, image);
  write_file_atomically(path, {bytes.data(), bytes.size()});
}

Image read_png(const std::string& path) {
  png_image description = describe({});
  const auto fail = [&] {
    png_image_free(&description);
    return InputError("Cannot read the picture '" + path + "': " + description.message + ".");
  };
  if (!png_image_begin_read_from_file(&description, path.c_str())) throw fail();
  description.format = PNG_FORMAT_RGB;
  Image image{static_cast<int>(description.width), static_cast<int>(description.height),
              std::vector<std::uint8_t>(PNG_IMAGE_SIZE(description))};
  if (!png_image_finish_read(&description, nullptr, image.rgb.data(), 0, nullptr)) throw fail();
  return image;
}

}  // namespace dashpot
