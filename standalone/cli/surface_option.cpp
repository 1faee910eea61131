#include "standalone/cli/surface_option.h"

#include "standalone/cli/option_checks.h"

namespace dashpot {

void add_surface_option(CLI::App& command, SurfaceChoice& choice) {
  static const std::map<std::string, SurfaceChoice> choices = {{"auto", SurfaceChoice::kAuto},
                                                               {"tets", SurfaceChoice::kTets},
                                                               {"skin", SurfaceChoice::kSkin}};
  command
      .add_option("--surface", choice,
                  "auto (polygons that ride on a body, else its tets), tets or skin")
      ->transform(one_of(choices));
}

void add_ground_option(CLI::App& command, GroundChoice& choice) {
  command.add_option_function<std::string>(
      "--ground", [&choice](const std::string& text) { choice = read_ground(text); },
      "A floor that the scene does not have: none (default), auto (below the lowest point of the "
      "run), or its height in metres");
}

}  // namespace dashpot
