#include <cstdio>
#include <memory>

#include "solver/base/error.h"
#include "standalone/cli/commands.h"
#include "standalone/files/file_ending.h"
#include "standalone/formats/level_set_grid.h"
#include "standalone/formats/vdb_grids.h"

namespace dashpot {
namespace {

struct MakeOptions {
  LevelSetShape shape;
  std::string output;
  std::vector<double> size, translate;
};

Vec3 three(const std::vector<double>& values, const Vec3& otherwise) {
  return values.empty() ? otherwise : Vec3(values[0], values[1], values[2]);
}

int write_collider(MakeOptions options) {
  require_ending(options.output, {".vdb"}, "--output");
  LevelSetShape& shape = options.shape;
  shape.size = three(options.size, shape.size);
  shape.translation = three(options.translate, shape.translation);
  if (!((shape.size.array() > 0).all() && shape.radius > 0 && shape.height > 0 &&
        shape.thickness > 0 && shape.voxel_size > 0))
    throw InputError("sizes, --radius, --height, --thickness and --voxelsize must be above 0.");
  write_vdb_grids(options.output, {make_level_set(shape)});
  std::printf("collider %s\n", options.output.c_str());
  return kExitDone;
}

void add_common_options(CLI::App* command, const std::shared_ptr<MakeOptions>& options) {
  command->add_option("-o,--output", options->output, "The .vdb file")->required();
  command->add_option("--size", options->size, "Of a box, or of the room that terrain fills, m")
      ->expected(3);
  command->add_option("--voxelsize", options->shape.voxel_size, "m")->capture_default_str();
  command->add_option("--translate", options->translate, "Where its middle is, m")->expected(3);
}

}  // namespace

void add_make_collider_commands(CLI::App& app, Action& action) {
  auto options = std::make_shared<MakeOptions>();
  CLI::App* solid = app.add_subcommand("make-collider", "Write a simple level set to a .vdb file");
  solid->add_option("type", options->shape.type, "sphere, box, cylinder or bowl")->required();
  solid->add_option("--radius", options->shape.radius, "Of a sphere, a cylinder or a bowl's rim, m")
      ->capture_default_str();
  solid
      ->add_option("--height", options->shape.height,
                   "Of a cylinder, or from a bowl's rim to its bottom, m")
      ->capture_default_str();
  solid->add_option("--thickness", options->shape.thickness, "Of a bowl's wall, m")
      ->capture_default_str();
  add_common_options(solid, options);
  const auto run = [options, &action] { action = [options] { return write_collider(*options); }; };
  solid->callback(run);

  auto terrain = std::make_shared<MakeOptions>();
  terrain->shape.type = "terrain";
  terrain->shape.size = Vec3(6, 4, 3);
  terrain->shape.voxel_size = 0.04;
  CLI::App* hills = app.add_subcommand("make-terrain", "Write a hilly slope to a .vdb file");
  hills->add_option("--slope", terrain->shape.slope, "How far it falls per metre of x")
      ->capture_default_str();
  hills->add_option("--seed", terrain->shape.seed, "Which hills")->capture_default_str();
  add_common_options(hills, terrain);
  hills->callback([terrain, &action] { action = [terrain] { return write_collider(*terrain); }; });
}

}  // namespace dashpot
