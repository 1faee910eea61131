#pragma once

#include <string>
#include <vector>

#include "solver/dissipation/damping.h"
#include "solver/elasticity/material.h"
#include "solver/integrator/integrator.h"

namespace dashpot {

// One row of a table of run times that the papers behind the method published.
struct PublishedScene {
  std::string table, name;
  int nodes, elements;
  int tets;        // that we simulate in its place; 0 if it was cloth or hair, which we have not
  int iterations;  // of each implicit solve
  double dt;       // s
  Integrator integrator;
  Material material;
  DampingModel damping = DampingModel::kNone;
  double damping_exponent = 1;
  double laplacian = 0;  // s
  // ms, on the authors' machines: local and global step of one iteration, and a frame. 0: not told.
  double local = 0, global = 0, frame = 0;
};

const std::vector<PublishedScene>& published_scenes();

}  // namespace dashpot
