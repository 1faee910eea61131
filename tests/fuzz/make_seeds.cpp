// Writes a seed corpus for each fuzz target, without the first bytes that the target adds.
//   make_seeds FOLDER

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "standalone/geometry/geometry_reader.h"
#include "standalone/geometry/geometry_writer.h"
#include "tests/geometry/samples.h"

namespace dashpot {
namespace {

struct Target {
  const char* name;
  std::size_t magic_size;
  FileForm form;
};
constexpr Target kTargets[] = {{"ascii", 1, {false, Compression::kNone}},
                               {"binary", 5, {true, Compression::kNone}},
                               {"scf", 4, {true, Compression::kScf}},
                               {"gzip", 2, {true, Compression::kGzip}}};

void write_seeds(const std::filesystem::path& folder) {
  std::vector<Geometry> geometries = {Geometry(), varied_geometry(16)};
  for (const auto& path : geometry_files(own_samples())) geometries.push_back(read_geometry(path));
  for (const Target& target : kTargets) {
    std::filesystem::create_directories(folder / target.name);
    int number = 0;
    for (const Geometry& geometry : geometries)
      std::ofstream(folder / target.name / ("seed" + std::to_string(number++)), std::ios::binary)
          << encode_geometry(geometry, target.form).substr(target.magic_size);
  }
}

}  // namespace
}  // namespace dashpot

int main(int argc, char** argv) {
  dashpot::write_seeds(argc > 1 ? argv[1] : "corpus");
  return 0;
}
