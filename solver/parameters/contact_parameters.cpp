#include "solver/parameters/declaration.h"
#include "solver/parameters/declarations.h"

namespace dashpot {

std::vector<Parameter> body_contact_parameters() {
  return {
      declare(&BodyContact::self_contact, "selfcontact", "Self Contact")
          .help("On: the body collides with itself, each piece of it with itself. Off: it passes "
                "through itself; right for folds that are modelled so and shall stay."),
  };
}

std::vector<Parameter> collider_parameters() {
  return {
      declare(&Collider::friction, &BodyContact::friction, "friction", "Friction")
          .from(0)
          .to(1e6)
          .slider(0, 1)
          .help("Coulomb's coefficient: the force along the surface is at most this times the "
                "force against it. A block stays put on a slope whose tangent is below it. 0 is "
                "ice, 0.3 wood on wood, 1 rubber on asphalt. With a collider, that of the collider "
                "counts; between bodies, the square root of the product of theirs. A point "
                "attribute friction of a body multiplies it."),
      declare(&Collider::restitution, &BodyContact::restitution, "restitution", "Restitution")
          .from(0)
          .to(1)
          .slider(0, 1)
          .help("Share of its speed with which what hits a surface leaves it: 0 does not bounce, 1 "
                "loses nothing. With a collider, that of the collider counts; between bodies, the "
                "larger of theirs. What a soft body stores by deforming comes back on top of it. "
                "Hits slower than gravity makes them within a step do not bounce."),
  };
}

}  // namespace dashpot
