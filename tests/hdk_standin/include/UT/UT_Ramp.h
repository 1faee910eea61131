#pragma once

#include <vector>

#include "SYS/SYS_Types.h"

enum UT_SPLINE_BASIS {
  UT_SPLINE_CONSTANT = 0,
  UT_SPLINE_LINEAR,
  UT_SPLINE_CATMULL_ROM,
  UT_SPLINE_MONOTONECUBIC,
  UT_SPLINE_LINEAR_SOLVE,
  UT_SPLINE_BEZIER,
  UT_SPLINE_BSPLINE,
  UT_SPLINE_HERMITE
};

class UT_ColorNode {
 public:
  float t;
  struct {
    float r;
  } rgba;
  UT_SPLINE_BASIS basis;
};

class UT_Ramp {
 public:
  int getNodeCount() const { return static_cast<int>(nodes.size()); }
  const UT_ColorNode* getNode(int i) const { return &nodes.at(static_cast<std::size_t>(i)); }
  std::vector<UT_ColorNode> nodes;  // for tests
};
