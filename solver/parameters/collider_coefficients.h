#pragma once

#include <string>

#include "solver/base/hash.h"
#include "solver/contact/collider.h"

namespace dashpot {

// The collider-scope parameters are members of Collider.

// No shape and no name, the declared defaults.
Collider default_coefficients();

// Throws InputError if one is out of range.
void check_coefficients(const Collider& collider, const std::string& where);

void hash_coefficients(const Collider& collider, Hash& hash);

}  // namespace dashpot
