#include "solver/parameters/body_contact.h"

#include "solver/parameters/parameters.h"

namespace dashpot {

void check_body_contact(const BodyContact& contact, const std::string& where) {
  for (const Parameter& p : parameters())
    if (p.is_of_body_contact()) check_value(p, p.body_contact.get(contact), where);
}

void hash_body_contact(const BodyContact& contact, Hash& hash) {
  for (const Parameter& p : parameters())
    if (p.is_of_body_contact()) hash_value(p, p.body_contact.get(contact), hash);
}

}  // namespace dashpot
