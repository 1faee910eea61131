#pragma once

#include "CH/CH_Manager.h"

class OP_Context {
 public:
  explicit OP_Context(fpreal time = 0) : time_(time) {}
  fpreal getTime() const { return time_; }
  void setTime(fpreal time) { time_ = time; }
  fpreal getFloatFrame() const { return CHgetSampleFromTime(time_); }

 private:
  fpreal time_;
};
