// Gmsh ASCII (.msh) 4.1. A tet may be in any number of groups: each combination that occurs becomes
// a volume, which names its physical volumes, and the tets stay in their order.
#include <map>
#include <utility>

#include "standalone/formats/format_writers.h"
#include "standalone/formats/text_writer.h"

namespace dashpot {
namespace {

constexpr long kTetrahedron = 4;  // Gmsh's element type

struct Volume {
  std::vector<long> physical;  // tags; group g of the geometry has tag g + 1
  Vec3 low = Vec3::Constant(1e300), high = Vec3::Constant(-1e300);
};

struct Volumes {
  std::vector<Volume> list;
  std::vector<std::size_t> of_tet;  // into list
};

Volumes find_volumes(const TetGeometry& geometry) {
  Volumes volumes;
  volumes.list.emplace_back();
  volumes.of_tet.assign(geometry.tets.size(), 0);
  long tag = 0;
  for (const auto& entry : geometry.tet_groups) {
    ++tag;
    std::map<std::size_t, std::size_t> split;  // a combination -> the same and this group
    for (const int tet : entry.second) {
      std::size_t& volume = volumes.of_tet[static_cast<std::size_t>(tet)];
      const auto [place, is_new] = split.emplace(volume, volumes.list.size());
      if (is_new) {
        volumes.list.push_back(volumes.list[volume]);
        volumes.list.back().physical.push_back(tag);
      }
      volume = place->second;
    }
  }
  return volumes;
}

// Volumes without tets go, the others are numbered as they first appear.
Volumes used_volumes(const TetGeometry& geometry) {
  const Volumes all = find_volumes(geometry);
  Volumes used;
  std::map<std::size_t, std::size_t> numbers;
  for (std::size_t t = 0; t < geometry.tets.size(); ++t) {
    const auto [place, is_new] = numbers.emplace(all.of_tet[t], used.list.size());
    if (is_new) used.list.push_back(all.list[all.of_tet[t]]);
    used.of_tet.push_back(place->second);
    Volume& volume = used.list[place->second];
    for (const int p : geometry.tets[t]) {
      volume.low = volume.low.cwiseMin(geometry.points.col(p));
      volume.high = volume.high.cwiseMax(geometry.points.col(p));
    }
  }
  return used;
}

void write_names(TextWriter& text, const TetGeometry& geometry) {
  if (geometry.tet_groups.empty()) return;
  text.line("$PhysicalNames");
  text.integer(static_cast<long>(geometry.tet_groups.size())).end_line();
  long tag = 0;
  for (const auto& entry : geometry.tet_groups)
    text.integer(3).integer(++tag).line(" \"" + entry.first + "\"");
  text.line("$EndPhysicalNames");
}

void write_entities(TextWriter& text, const std::vector<Volume>& volumes) {
  text.line("$Entities");
  text.word("0 0 0").integer(static_cast<long>(volumes.size())).end_line();
  long number = 0;
  for (const Volume& volume : volumes) {
    text.integer(++number);
    for (const double bound : {volume.low.x(), volume.low.y(), volume.low.z(), volume.high.x(),
                               volume.high.y(), volume.high.z()})
      text.number(bound);
    text.integer(static_cast<long>(volume.physical.size()));
    for (const long tag : volume.physical) text.integer(tag);
    text.integer(0).end_line();
  }
  text.line("$EndEntities");
}

void write_nodes(TextWriter& text, const Points& points) {
  const long count = points.cols();
  text.line("$Nodes");
  text.integer(1).integer(count).integer(1).integer(count).end_line();
  text.word("3 1 0").integer(count).end_line();
  for (long p = 1; p <= count; ++p) text.integer(p).end_line();
  for (long p = 0; p < count; ++p) text.position(points, p).end_line();
  text.line("$EndNodes");
}

void write_elements(TextWriter& text, const TetGeometry& geometry, const Volumes& volumes) {
  const std::vector<std::size_t>& of_tet = volumes.of_tet;
  std::vector<std::size_t> starts;  // of the blocks of tets in one volume
  for (std::size_t t = 0; t < of_tet.size(); ++t)
    if (t == 0 || of_tet[t] != of_tet[t - 1]) starts.push_back(t);
  const auto count = static_cast<long>(of_tet.size());
  text.line("$Elements");
  text.integer(static_cast<long>(starts.size())).integer(count).integer(1).integer(count);
  text.end_line();
  for (std::size_t block = 0; block < starts.size(); ++block) {
    const std::size_t begin = starts[block];
    const std::size_t end = block + 1 < starts.size() ? starts[block + 1] : of_tet.size();
    text.integer(3).integer(static_cast<long>(of_tet[begin]) + 1).integer(kTetrahedron);
    text.integer(static_cast<long>(end - begin)).end_line();
    for (std::size_t t = begin; t < end; ++t)
      text.integer(static_cast<long>(t) + 1).corners(geometry.tets[t], 1).end_line();
  }
  text.line("$EndElements");
}

}  // namespace

std::string gmsh_text(const TetGeometry& geometry) {
  const Volumes volumes = used_volumes(geometry);
  TextWriter text;
  text.line("$MeshFormat\n4.1 0 8\n$EndMeshFormat");
  write_names(text, geometry);
  write_entities(text, volumes.list);
  write_nodes(text, geometry.points);
  write_elements(text, geometry, volumes);
  return text.take_text();
}

}  // namespace dashpot
