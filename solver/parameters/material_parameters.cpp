#include "solver/elasticity/material.h"
#include "solver/parameters/declaration.h"
#include "solver/parameters/declarations.h"

namespace dashpot {
namespace {

template <class T>
Declaration<T> material_value(const T& initial, const char* token, const char* label) {
  return declare(ParameterScope::kPrim, initial, token, label).in(ParameterFolder::kMaterial);
}

}  // namespace

std::vector<Parameter> material_parameters() {
  return {
      material_value(Material::kNeoHookean, "material", "Material")
          .choices({{Material::kCorotated, "corotated", "Corotated"},
                    {Material::kNeoHookean, "neohookean", "Neo-Hookean"},
                    {Material::kStvk, "stvk", "St. Venant-Kirchhoff"},
                    {Material::kArap, "arap", "As Rigid As Possible"}})
          .help("How the body resists deformation. Neo-Hookean stiffens when squashed and is right "
                "for rubber and flesh; corotated is linear in stretch and cheapest; St. "
                "Venant-Kirchhoff stiffens in tension and softens when squashed; "
                "as-rigid-as-possible ignores the Poisson ratio."),
      material_value(1e5, "youngsmodulus", "Young's Modulus")
          .unit("Pa")
          .above(0)
          .to(1e13)
          .logarithmic_slider(1e3, 1e7)
          .help("Stiffness. 1e4 is jelly, 1e5 is flesh, 1e6 is rubber, 1e7 is a car tyre. "
                "Frequencies rise with its square root."),
      material_value(0.4, "poissonratio", "Poisson Ratio")
          .from(0)
          .below(0.5)
          .slider(0, 0.49)
          .disabled_when("{ material == arap }")
          .help("How much volume is kept: 0 like cork, 0.3 like foam, 0.45 and above like rubber "
                "and flesh. Values near 0.5 need more iterations."),
      material_value(1000.0, "massdensity", "Density")
          .unit("kg/m^3")
          .above(0)
          .to(1e9)
          .slider(10, 5000)
          .help("Mass per volume at rest. Water and flesh have 1000. Heavier bodies sag more and "
                "swing more slowly."),
      material_value(0.0, "springstiffness", "Spring Stiffness")
          .unit("N/m")
          .from(0)
          .to(1e12)
          .slider(0, 1e4)
          .help("Above 0, polylines of two points are springs that resist changes of their length "
                "with this force per metre. They tie points of the tets to each other, and to "
                "points that have a point attribute mass or are pinned. 0: polylines ride along."),
      material_value(0.0, "springdamping", "Spring Damping")
          .in(ParameterFolder::kDamping)
          .unit("N s/m")
          .from(0)
          .to(1e12)
          .slider(0, 100)
          .disabled_when("{ springstiffness == 0 }")
          .help("Force of a spring against the speed at which its length changes. A mass m on it "
                "no longer swings at 2 sqrt(springstiffness m)."),
      material_value(0.0, "massdamping", "Mass Damping")
          .in(ParameterFolder::kDamping)
          .unit("1/s")
          .from(0)
          .to(1e9)
          .slider(0, 10)
          .help("Drag against all motion, free fall included: speed falls as exp(-a t). The only "
                "damping that touches rigid motion."),
  };
}

std::vector<Parameter> point_parameters() {
  return {
      declare(ParameterScope::kPoint, false, "pintoanimation", "Pin to Animation")
          .in(ParameterFolder::kMaterial)
          .help("On, 1 as an attribute: the point follows its target exactly. Off: the point is "
                "simulated."),
  };
}

}  // namespace dashpot
