#pragma once

#include "SYS/SYS_Types.h"

class CH_Manager {
 public:
  fpreal getSamplesPerSec() const;
};
CH_Manager* CHgetManager();
// Frame 1 is at time 0.
fpreal CHgetTimeFromFrame(fpreal frame);
fpreal CHgetSampleFromTime(fpreal time);
