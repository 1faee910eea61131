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

// Positions are from 0 to 1; what is outside is clamped, as Houdini's ramps are documented to live
// there. Numbers are of single precision.
class UT_Ramp {
 public:
  int getNodeCount() const { return static_cast<int>(nodes_.size()); }
  const UT_ColorNode* getNode(int i) const { return &nodes_.at(static_cast<std::size_t>(i)); }
  // Four values, of which a float ramp has the first. Not Houdini's curves: pieces between keys are
  // smooth in one way for all bases that are not constant or linear.
  void rampLookup(fpreal position, float values[4]) const;

  // For tests.
  void add(double position, double value, UT_SPLINE_BASIS basis);

 private:
  std::vector<UT_ColorNode> nodes_;
};
