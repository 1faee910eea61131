#pragma once

#include <string>
#include <vector>

#include "solver/base/types.h"
#include "standalone/frames/frame_geometry.h"
#include "standalone/scene/scene_file.h"

namespace dashpot {

constexpr const char* kManifestName = "run.json";

// What later commands need to know about a run; run.json in the run's directory.
struct RunManifest {
  struct Body {
    std::string name;
    // In the frame files; tets in file order, other primitives not counted.
    int point_offset = 0, point_count = 0;
    int tet_offset = 0, tet_count = 0;
    bool flipped = false;  // tets in the frame files have negative determinants, as Houdini's do
  };

  std::string frames;  // file name with $F, in the run's directory
  std::string stats;   // as seen from the run's directory, or absolute
  int first_frame = 1, last_frame = 1;
  double fps = 24.0;
  Vec3 gravity = Vec3::Zero();  // m/s^2
  double timescale = 1;
  std::vector<Body> bodies;
  std::vector<ColliderSource> colliders;
};

// How the run was started, for people who find its frames later.
struct RunRecord {
  std::string command_line;
  int threads = 1;
};

RunManifest describe_run(const SceneFile& scene, const FrameGeometry& frames);

// Also writes every parameter's value. Throws InputError if the file cannot be written.
void write_manifest(const std::string& directory, const RunManifest& manifest,
                    const RunRecord& record, const SceneFile& scene);

// Throws InputError if the directory holds no run.
RunManifest read_manifest(const std::string& directory);

}  // namespace dashpot
