#pragma once

#include <string>

#include "standalone/frames/frame_geometry.h"
#include "standalone/runs/manifest.h"
#include "standalone/scene/scene_file.h"

namespace dashpot {

// How the run was started, for people who find its frames later.
struct RunRecord {
  std::string command_line;
  int threads = 1;
};

RunManifest describe_run(const SceneFile& scene, const FrameGeometry& frames);

// Also writes every parameter's value. Throws InputError if the file cannot be written.
void write_manifest(const std::string& path, const RunManifest& manifest, const RunRecord& record,
                    const SceneFile& scene);

}  // namespace dashpot
