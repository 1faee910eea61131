#pragma once

#include <string>

#include "standalone/render/picture.h"

namespace dashpot {

// The file appears complete or not at all: nobody sees half a picture, and a failed write leaves
// an older one in place. Both throw an InputError that names the path.
void write_png(const std::string& path, const Image& image);
Image read_png(const std::string& path);

}  // namespace dashpot
