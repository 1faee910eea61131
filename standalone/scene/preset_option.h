#pragma once

#include <toml++/toml.h>
#include <string>
#include <vector>

namespace dashpot {

// Applies `--preset` arguments to a parsed scene file, in order, before --set:
//   jelly           all bodies
//   tummy=jelly     the body of that name
// Every key of material and damping that the body has is replaced; the others stay. Throws
// InputError for a preset or body that does not exist.
void apply_presets(toml::table& scene, const std::vector<std::string>& arguments);

}  // namespace dashpot
