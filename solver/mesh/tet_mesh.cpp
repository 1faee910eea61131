#include "solver/mesh/tet_mesh.h"

#include <Eigen/Geometry>
#include <cstddef>
#include <utility>

#include "solver/base/error.h"
#include "solver/mesh/element_list.h"
#include "solver/mesh/quality.h"

namespace dashpot {
namespace {

// Its own inverse: flipping twice gives back the order that came in.
Tet flip(const Tet& tet) {
  return {tet[0], tet[1], tet[3], tet[2]};
}

// "tet 17 has" / "tets 3, 8, 9 … have", and how many at the end of the sentence.
std::string subject(const char* noun, const std::vector<int>& elements) {
  return std::string(noun) + (elements.size() == 1 ? " " : "s ") + first_few(elements);
}
std::string tally(const char* noun, const std::vector<int>& elements) {
  return " (" + std::to_string(elements.size()) + " such " + noun +
         (elements.size() == 1 ? ")" : "s)");
}

void refuse_errors(const QualityReport& report, std::size_t tet_count, const std::string& body) {
  const auto some = [](const std::vector<int>& elements, const char* one, const char* many) {
    return elements.size() == 1 ? one : many;
  };
  if (const auto& bad = report.not_finite_points; !bad.empty())
    throw InputError(body + ": " + subject("point", bad) + some(bad, " has", " have") +
                     " a position that is not a finite number; repair the geometry" +
                     tally("point", bad));
  if (const auto& bad = report.bad_index_tets; !bad.empty())
    throw InputError(body + ": " + subject("tet", bad) + some(bad, " uses", " use") +
                     " a point that does not exist or the same point twice; repair the mesh" +
                     tally("tet", bad));
  if (const auto& bad = report.degenerate_tets; !bad.empty())
    throw InputError(body + ": " + subject("tet", bad) + some(bad, " has", " have") +
                     " zero volume; remove " + some(bad, "it", "them") + " or repair the mesh" +
                     tally("tet", bad));
  if (const auto& bad = report.inverted_tets; !bad.empty())
    throw InputError(body + " mixes both orientations: " + subject("tet", bad) +
                     some(bad, " is", " are") + " opposite to the other " +
                     std::to_string(tet_count - bad.size()) + "; flip " + some(bad, "it", "them") +
                     " by swapping two corners, or mesh again" + tally("tet", bad));
}

}  // namespace

TetMesh make_tet_mesh(Points rest, std::vector<Tet> tets, const std::string& name) {
  const std::string body = "body '" + name + "'";
  if (tets.empty())
    throw InputError(body + ": the geometry has no tets; fill the surface with tets first");
  const QualityReport report = inspect_mesh(rest, tets);
  refuse_errors(report, tets.size(), body);
  if (report.negative_orientation)
    for (Tet& tet : tets) tet = flip(tet);
  return {std::move(rest), std::move(tets), report.negative_orientation};
}

double mean_edge_length(const TetMesh& mesh) {
  double sum = 0;
  for (const Tet& tet : mesh.tets)
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b) sum += (mesh.rest.col(tet[a]) - mesh.rest.col(tet[b])).norm();
  return sum / (6.0 * static_cast<double>(mesh.tets.size()));
}

Tet input_order(const TetMesh& mesh, int tet) {
  return mesh.flipped ? flip(mesh.tets[tet]) : mesh.tets[tet];
}

double signed_volume(const Points& points, const Tet& tet) {
  const Vec3 a = points.col(tet[1]) - points.col(tet[0]);
  const Vec3 b = points.col(tet[2]) - points.col(tet[0]);
  const Vec3 c = points.col(tet[3]) - points.col(tet[0]);
  return a.cross(b).dot(c) / 6.0;
}

}  // namespace dashpot
