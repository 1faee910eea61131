#pragma once

#include <string>
#include <vector>

#include "solver/simulation/scene.h"
#include "standalone/files/input_files.h"
#include "standalone/formats/collider_source.h"
#include "standalone/scene/body_source.h"

namespace dashpot {

// A scene file, read and checked: the farm's input. docs/scene.md describes the format.
struct SceneFile {
  std::string path;
  Scene scene;
  std::vector<BodySource> sources;  // one per body
  std::vector<ColliderSource> collider_sources;
  InputFiles inputs;                  // all that was read, the scene file itself included
  std::vector<std::string> warnings;  // sentences: what was read but cannot be used or kept
  int first_frame = 1, last_frame = 48;
  double fps = 24.0;

  // The solver's time at a frame, s.
  double time_of(int frame) const { return (frame - first_frame) / fps * scene.settings.timescale; }
};

// `overrides` are the arguments of --set, see overrides.h; `presets` those of --preset, see
// preset_option.h. Throws InputError, one sentence with the file and line, for whatever cannot be
// simulated.
SceneFile load_scene_file(const std::string& path, const std::vector<std::string>& overrides = {},
                          const std::vector<std::string>& presets = {});

}  // namespace dashpot
