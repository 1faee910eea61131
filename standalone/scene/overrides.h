#pragma once

#include <toml++/toml.h>
#include <string>
#include <vector>

namespace dashpot {

// Applies `--set` arguments to a parsed scene file, in order:
//   simulation.integrator=bdf2
//   body.jelly.dampingtime=0.02             the body of that name
//   body.jelly.pin.motion.velocity=[0,1,0]  tables on the way are made if absent
//   body.jelly.pin.0.group=left             entries of arrays by number
// The value is a TOML value; anything that is not one and starts like a word is text. Throws
// InputError if the argument cannot be read or names a body that does not exist.
void apply_overrides(toml::table& scene, const std::vector<std::string>& overrides);

}  // namespace dashpot
