#pragma once

#include <toml++/toml.h>
#include <string>

#include "solver/kinematics/pin_motion.h"

namespace dashpot {

// The table of a `motion` key, of pins and colliders.
RigidMotion read_motion(const toml::table& table, const std::string& owner,
                        const Vec3& default_pivot);

}  // namespace dashpot
