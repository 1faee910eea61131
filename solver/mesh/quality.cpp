#include "solver/mesh/quality.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <numeric>

#include "solver/base/hash.h"
#include "solver/base/words.h"
#include "solver/mesh/element_list.h"
#include "solver/mesh/tet_mesh.h"

namespace dashpot {
namespace {

constexpr double kDegenerate = 1e-12;  // |V| / longest edge^3
constexpr double kSliver = 0.05;       // shape quality

struct TetMeasure {
  std::array<double, 6> edges;  // m
  double volume;                // m^3, signed
  double relative_volume;       // signed, over the longest edge cubed
  double quality;
};

TetMeasure measure(const Points& points, const Tet& tet) {
  constexpr int kEdges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  Vec3 edges[6];
  double scale = 0.0;
  for (int e = 0; e < 6; ++e) {
    edges[e] = points.col(tet[kEdges[e][1]]) - points.col(tet[kEdges[e][0]]);
    scale = std::max(scale, edges[e].lpNorm<Eigen::Infinity>());
  }
  TetMeasure m{};
  if (scale == 0.0) return m;
  // In units of `scale`, so that tiny and huge meshes neither underflow nor overflow.
  double longest = 0.0, sum_of_squares = 0.0;
  for (int e = 0; e < 6; ++e) {
    edges[e] /= scale;
    const double length = edges[e].norm();
    longest = std::max(longest, length);
    sum_of_squares += length * length;
    m.edges[e] = length * scale;
  }
  const double volume = edges[0].cross(edges[1]).dot(edges[2]) / 6.0;
  m.volume = volume * scale * scale * scale;
  m.relative_volume = volume / (longest * longest * longest);
  const double root = std::cbrt(3.0 * std::abs(volume));
  m.quality = 12.0 * root * root / sum_of_squares;
  return m;
}

bool is_degenerate(const TetMeasure& m) {
  return std::abs(m.relative_volume) < kDegenerate || !std::isnormal(m.volume);
}

bool has_valid_indices(const Tet& tet, int point_count) {
  for (int a = 0; a < 4; ++a) {
    if (tet[a] < 0 || tet[a] >= point_count) return false;
    for (int b = 0; b < a; ++b)
      if (tet[a] == tet[b]) return false;
  }
  return true;
}

class DisjointSets {
 public:
  explicit DisjointSets(int n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }

  int root(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(int a, int b) {
    const int ra = root(a), rb = root(b);
    parent_[std::max(ra, rb)] = std::min(ra, rb);
  }

 private:
  std::vector<int> parent_;
};

// Points, indices and connectivity; returns the tets that can be measured.
std::vector<int> inspect_topology(const Points& points, const std::vector<Tet>& tets,
                                  QualityReport& report) {
  const int point_count = static_cast<int>(points.cols());
  std::vector<std::uint8_t> finite(point_count), referenced(point_count, 0);
  for (int p = 0; p < point_count; ++p) {
    finite[p] = static_cast<std::uint8_t>(points.col(p).allFinite());
    if (!finite[p]) report.not_finite_points.push_back(p);
  }
  DisjointSets sets(point_count);
  std::vector<int> measurable;
  measurable.reserve(tets.size());
  for (int t = 0; t < static_cast<int>(tets.size()); ++t) {
    const Tet& tet = tets[t];
    if (!has_valid_indices(tet, point_count)) {
      report.bad_index_tets.push_back(t);
      continue;
    }
    for (const int p : tet) {
      referenced[p] = 1;
      sets.join(tet[0], p);
    }
    if (finite[tet[0]] && finite[tet[1]] && finite[tet[2]] && finite[tet[3]])
      measurable.push_back(t);
  }
  for (int p = 0; p < point_count; ++p) {
    if (!referenced[p])
      report.unreferenced_points.push_back(p);
    else if (sets.root(p) == p)
      ++report.pieces;
  }
  return measurable;
}

}  // namespace

bool QualityReport::has_errors() const {
  const bool no_usable_tets = pieces == 0;
  return no_usable_tets || !not_finite_points.empty() || !bad_index_tets.empty() ||
         !degenerate_tets.empty() || !inverted_tets.empty();
}

QualityReport inspect_mesh(const Points& points, const std::vector<Tet>& tets) {
  QualityReport report;
  const std::vector<int> measurable = inspect_topology(points, tets, report);
  if (measurable.empty()) return report;

  std::vector<int> positive, negative;
  double quality_sum = 0.0, edge_sum = 0.0;
  report.min_edge = std::numeric_limits<double>::infinity();
  for (const int t : measurable) {
    const TetMeasure m = measure(points, tets[t]);
    for (const double edge : m.edges) {
      report.min_edge = std::min(report.min_edge, edge);
      report.max_edge = std::max(report.max_edge, edge);
      edge_sum += edge;
    }
    report.min_quality = std::min(report.min_quality, m.quality);
    quality_sum += m.quality;
    report.volume += std::abs(m.volume);
    if (is_degenerate(m)) {
      report.degenerate_tets.push_back(t);
      continue;
    }
    (m.volume > 0.0 ? positive : negative).push_back(t);
    if (m.quality < kSliver) report.sliver_tets.push_back(t);
  }
  const auto count = static_cast<double>(measurable.size());
  report.mean_quality = quality_sum / count;
  report.mean_edge = edge_sum / (6.0 * count);
  report.negative_orientation = negative.size() > positive.size();
  report.inverted_tets = report.negative_orientation ? positive : negative;
  return report;
}

std::vector<std::pair<int, int>> doubled_tets(const std::vector<Tet>& tets) {
  const auto sorted_points = [&](int t) {
    Tet tet = tets[t];
    std::sort(tet.begin(), tet.end());
    return tet;
  };
  // Those with equal points are neighbours in the order of hashes.
  std::vector<std::pair<std::uint64_t, int>> by_hash;
  by_hash.reserve(tets.size());
  for (int t = 0; t < static_cast<int>(tets.size()); ++t) {
    const Tet points = sorted_points(t);
    Hash hash;
    hash.add(points.data(), sizeof points);
    by_hash.emplace_back(hash.value(), t);
  }
  std::sort(by_hash.begin(), by_hash.end());
  std::vector<std::pair<int, int>> doubles;
  for (std::size_t i = 1, first = 0; i < by_hash.size(); ++i) {
    if (by_hash[i].first != by_hash[first].first)
      first = i;
    else if (sorted_points(by_hash[i].second) == sorted_points(by_hash[first].second))
      doubles.emplace_back(by_hash[first].second, by_hash[i].second);
  }
  std::sort(doubles.begin(), doubles.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
  return doubles;
}

double shape_quality(const Points& points, const Tet& tet) {
  return measure(points, tet).quality;
}

std::string to_text(const QualityReport& report) {
  std::string text;
  const auto list = [&](const char* noun, const char* what, const std::vector<int>& elements) {
    if (elements.empty()) return;
    text += counted(static_cast<long>(elements.size()), noun) + " " + what + ": " +
            first_few(elements) + "\n";
  };
  list("point", "not at a finite position", report.not_finite_points);
  list("tet", "with an index out of range or repeated", report.bad_index_tets);
  list("tet", "of zero volume", report.degenerate_tets);
  list("tet", "oriented opposite to the others", report.inverted_tets);
  list("sliver", "(shape quality below 0.05)", report.sliver_tets);
  list("point", "in no tet", report.unreferenced_points);

  char line[256];
  std::snprintf(line, sizeof line,
                "%d connected piece%s, volume %.6g m^3, %s orientation\n"
                "shape quality: min %.3f, mean %.3f (1 = regular, 0 = flat)\n"
                "edge length: min %.4g, mean %.4g, max %.4g m\n",
                report.pieces, report.pieces == 1 ? "" : "s", report.volume,
                report.negative_orientation ? "negative (Houdini's)" : "positive",
                report.min_quality, report.mean_quality, report.min_edge, report.mean_edge,
                report.max_edge);
  return text + line;
}

}  // namespace dashpot
