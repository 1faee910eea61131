#pragma once

#include <string>

#include "solver/base/hash.h"

namespace dashpot {

// The parameters of a body's contact with bodies, itself among them; all else about each of them
// is said by its entry in contact_parameters.cpp. How two bodies share their coefficients is in
// solver/contact/pair_coefficients.h.
struct BodyContact {
  bool self_contact = true;
  double friction = 0.5;
  double restitution = 0;
};

// Throws InputError if a value is out of range.
void check_body_contact(const BodyContact& contact, const std::string& where);

void hash_body_contact(const BodyContact& contact, Hash& hash);

}  // namespace dashpot
