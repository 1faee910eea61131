#pragma once

#include <string>
#include <string_view>

namespace dashpot {

// All members of a gzip stream. Throws InputError for damaged or unfinished data.
std::string unpack_gzip(std::string_view bytes);

// One member without name or time, so that equal payloads give equal files.
std::string pack_gzip(std::string_view payload);

}  // namespace dashpot
