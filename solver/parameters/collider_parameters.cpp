#include "solver/parameters/declaration.h"
#include "solver/parameters/declarations.h"

namespace dashpot {

std::vector<Parameter> collider_parameters() {
  return {
      declare(&Collider::friction, 0.5, "friction", "Friction")
          .from(0)
          .to(1e6)
          .slider(0, 1)
          .help("Coulomb's coefficient: the force along the surface is at most this times the "
                "force against it. A block stays put on a slope whose tangent is below it. 0 is "
                "ice, 0.3 wood on wood, 1 rubber on asphalt. A point attribute friction of the "
                "body multiplies it."),
      declare(&Collider::restitution, 0.0, "restitution", "Restitution")
          .from(0)
          .to(1)
          .slider(0, 1)
          .help("Share of its speed with which a point leaves the collider after it hit it: 0 does "
                "not bounce, 1 loses nothing. What a soft body stores by deforming comes back on "
                "top of it. Hits slower than gravity makes them within a step do not bounce."),
  };
}

}  // namespace dashpot
