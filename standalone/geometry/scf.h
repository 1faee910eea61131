#pragma once

#include <string>
#include <string_view>

namespace dashpot {

// SideFX's seekable compressed format (.sc): Blosc chunks of 1 MiB and an index at the end.
constexpr char kScfMagic[] = "scf1";

// Chunks are unpacked in parallel. Throws InputError for anything damaged; no chunk is believed
// to unpack to more than its compression could hold.
std::string unpack_scf(std::string_view bytes);

// Blosc with Houdini's own settings (LZ4, level 9, byte shuffle of four), in parallel; the result
// does not depend on the number of threads.
std::string pack_scf(std::string_view payload);

}  // namespace dashpot
