#pragma once

#include "solver/simulation/simulation_model.h"
#include "solver/stage/islands.h"
#include "tests/support/bodies.h"
#include "tests/support/random_numbers.h"

namespace dashpot {

// One of the four materials everywhere, or all of them mixed in one mesh.
struct MaterialChoice {
  std::string label;
  std::vector<Material> materials;
};

inline std::vector<MaterialChoice> material_choices() {
  std::vector<MaterialChoice> choices;
  MaterialChoice mixed{"mixed", {}};
  for (Material m : kAllMaterials) {
    choices.push_back({name(m), {m}});
    mixed.materials.push_back(m);
  }
  choices.push_back(mixed);
  return choices;
}

// 72 tets whose moduli, density and drag differ from tet to tet, so that no factor can hide; the
// number of tets of one material is not a multiple of the lanes.
inline Body uneven_body(const MaterialChoice& choice, double youngs_modulus = 1e5,
                        double massdamping = 0) {
  Body body = make_body(box_mesh({3, 2, 2}, {0.9, 0.5, 0.4}), {});
  const int tets = body.mesh.tet_count();
  RandomNumbers random(17);
  std::vector<double> material, youngs, poisson, density, damping;
  for (int t = 0; t < tets; ++t) {
    const std::size_t pick = t % 5 % choice.materials.size();
    material.push_back(static_cast<double>(choice.materials[pick]));
    youngs.push_back(youngs_modulus * std::pow(3.0, random.next()));
    poisson.push_back(0.24 + 0.22 * random.next());
    density.push_back(1000 + 400 * random.next());
    damping.push_back(massdamping * (1 + 0.5 * random.next()));
  }
  body.fields.set_per_element("material", material, "body");
  body.fields.set_per_element("youngsmodulus", youngs, "body");
  body.fields.set_per_element("poissonratio", poisson, "body");
  body.fields.set_per_element("massdensity", density, "body");
  body.fields.set_per_element("massdamping", damping, "body");
  return body;
}

inline Islands make_solver(const SimulationModel& system) {
  return Islands(system);
}

}  // namespace dashpot
