#include <cstdio>
#include <memory>

#include "solver/base/error.h"
#include "standalone/cli/commands.h"
#include "standalone/formats/geometry_file.h"
#include "standalone/formats/vdb_file.h"

namespace dashpot {
namespace {

void refuse_volume(const std::string& path) {
  if (is_vdb_file(path))
    throw InputError(path +
                     ": OpenVDB volumes are not converted, because they hold no tets; "
                     "dashpot info describes them.");
}

}  // namespace

void add_convert_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "convert",
      "Turn a geometry file into another format, chosen by the name of OUT: .geo .bgeo .bgeo.sc "
      ".bgeo.gz (Houdini), .node/.ele (TetGen), .msh (Gmsh), .mesh (Medit), .veg (Vega), .t "
      "(MeshFrame). Tets are written positive in mesh formats, negative in Houdini's when they "
      "come from a mesh format; what OUT cannot hold is listed.");
  auto from = std::make_shared<std::string>();
  auto to = std::make_shared<std::string>();
  command->add_option("in", *from, "Geometry file to read")->required();
  command->add_option("out", *to, "File to write; of .node/.ele both are written")->required();
  command->callback([from, to, &action] {
    action = [from, to] {
      refuse_volume(*from);
      refuse_volume(*to);
      for (const std::string& note : convert_geometry_file(*from, *to))
        std::fprintf(stderr, "dashpot: note: %s\n", note.c_str());
      return kExitDone;
    };
  });
}

}  // namespace dashpot
