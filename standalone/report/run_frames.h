#pragma once

#include <memory>
#include <string>
#include <vector>

#include "standalone/runs/run_colliders.h"
#include "standalone/runs/run_contacts.h"
#include "standalone/runs/run_names.h"
#include "standalone/runs/run_surface.h"

namespace dashpot {

// A run in memory, as a report needs it: all frames that can be read.
struct RunFrames {
  RunDirectory run;
  std::unique_ptr<RunSurface> surface;  // null if no frame can be shown
  std::vector<RunCollider> colliders;
  std::vector<int> frames;  // ascending; those in the lists below
  std::vector<Points> positions;
  std::vector<std::vector<std::vector<float>>> values;  // by shading, by frame; empty if in trouble
  std::vector<ContactPoints> contacts;                  // by frame; empty if in trouble
  std::vector<std::string> problems;                    // of the run, and what came up here

  RunFrames() = default;
  RunFrames(const RunFrames&) = delete;  // the surface refers to the run
  RunFrames& operator=(const RunFrames&) = delete;
};

// Fills `target`, under the name that is given. Never throws for damaged frames: they are left out
// and become problems. Throws InputError if there is nothing of a run in the directory.
void load_run(const ShownRun& shown, SurfaceChoice choice, RunFrames& target);

}  // namespace dashpot
