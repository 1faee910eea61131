#pragma once

#include <string>

#include "solver/dissipation/damping.h"
#include "tests/support/bodies.h"

namespace dashpot {

constexpr DampingModel kAllDampingModels[] = {
    DampingModel::kStrainRate, DampingModel::kRayleigh, DampingModel::kRayleighLagged,
    DampingModel::kPrincipalStrain, DampingModel::kStretchRate};

inline const char* name(DampingModel m) {
  constexpr const char* kNames[] = {"none",           "strainrate",      "rayleigh",
                                    "rayleighlagged", "principalstrain", "stretchrate"};
  return kNames[static_cast<int>(m)];
}

// Every model with a strength that is `seconds` times a stiffness of the material.
inline void set_damping(Body& body, DampingModel model, double seconds, double exponent = 1,
                        double reference = 1) {
  const double youngs = body.fields.get("youngsmodulus", 0);
  const Lame<double> lame = lame_parameters(youngs, body.fields.get("poissonratio", 0));
  body.fields.set("dampingmodel", static_cast<int>(model), "body");
  body.fields.set("dampingtime", seconds, "body");
  body.fields.set("dampingshear", seconds * lame.mu, "body");
  body.fields.set("dampingbulk", seconds * lame.lambda, "body");
  body.fields.set("dampingstrength", seconds * lame.mu, "body");
  body.fields.set("dampingexponent", exponent, "body");
  body.fields.set("dampingreference", reference, "body");
}

}  // namespace dashpot
