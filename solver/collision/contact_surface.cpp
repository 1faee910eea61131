#include "solver/collision/contact_surface.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace dashpot {

IndexLists::IndexLists(int key_count, const std::vector<std::array<int, 2>>& entries)
    : begin_(static_cast<std::size_t>(key_count) + 1, 0), numbers_(entries.size()) {
  for (const auto& entry : entries) ++begin_[entry[0] + 1];
  for (int k = 0; k < key_count; ++k) begin_[k + 1] += begin_[k];
  std::vector<int> next(begin_.begin(), begin_.end() - 1);
  for (const auto& entry : entries) numbers_[next[entry[0]]++] = entry[1];
}

ContactSurface::ContactSurface(std::vector<Triangle> triangles, std::vector<int> body_of_triangle,
                               int point_count)
    : triangles_(std::move(triangles)),
      body_of_triangle_(std::move(body_of_triangle)),
      body_of_point_(static_cast<std::size_t>(point_count), -1),
      point_count_(point_count) {
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    body_count_ = std::max(body_count_, body_of_triangle_[t] + 1);
    for (const int p : triangles_[t]) body_of_point_[p] = body_of_triangle_[t];
  }
  for (int p = 0; p < point_count_; ++p)
    if (body_of_point_[p] >= 0) vertices_.push_back(p);
  number_edges();
  list_neighbourhoods();
  list_bodies();
}

namespace {

// Number k is opposite to corner k.
Edge sorted_edge(const Triangle& t, int k) {
  const int a = t[(k + 1) % 3], b = t[(k + 2) % 3];
  return {std::min(a, b), std::max(a, b)};
}

bool runs_forward(const Triangle& t, int k) {
  return t[(k + 1) % 3] < t[(k + 2) % 3];
}

}  // namespace

void ContactSurface::number_edges() {
  edges_.reserve(3 * triangles_.size());
  for (const Triangle& t : triangles_)
    for (int k = 0; k < 3; ++k) edges_.push_back(sorted_edge(t, k));
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  edges_of_triangle_.resize(triangles_.size());
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    for (int k = 0; k < 3; ++k)
      edges_of_triangle_[t][k] = static_cast<int>(
          std::lower_bound(edges_.begin(), edges_.end(), sorted_edge(triangles_[t], k)) -
          edges_.begin());
}

void ContactSurface::list_neighbourhoods() {
  std::vector<std::array<int, 2>> around_edge, opposite, ring, around_point;
  for (int t = 0; t < static_cast<int>(triangles_.size()); ++t)
    for (int k = 0; k < 3; ++k) {
      around_edge.push_back({edges_of_triangle_[t][k], t});
      opposite.push_back({edges_of_triangle_[t][k], triangles_[t][k]});
      around_point.push_back({triangles_[t][k], t});
    }
  for (const Edge& e : edges_) {
    ring.push_back({e[0], e[1]});
    ring.push_back({e[1], e[0]});
  }
  const int edge_count = static_cast<int>(edges_.size());
  triangles_of_edge_ = IndexLists(edge_count, around_edge);
  opposite_points_ = IndexLists(edge_count, opposite);
  neighbours_ = IndexLists(point_count_, ring);
  triangles_of_point_ = IndexLists(point_count_, around_point);
}

void ContactSurface::list_bodies() {
  std::vector<std::array<int, 2>> points, triangles, edges;
  std::vector<int> balance(edges_.size(), 0);
  for (const int p : vertices_) points.push_back({body_of_point_[p], p});
  for (int t = 0; t < static_cast<int>(triangles_.size()); ++t) {
    triangles.push_back({body_of_triangle_[t], t});
    for (int k = 0; k < 3; ++k)
      balance[edges_of_triangle_[t][k]] += runs_forward(triangles_[t], k) ? 1 : -1;
  }
  closed_.assign(static_cast<std::size_t>(body_count_), 1);
  for (int e = 0; e < static_cast<int>(edges_.size()); ++e) {
    edges.push_back({body_of_edge(e), e});
    if (balance[e] != 0) closed_[body_of_edge(e)] = 0;
  }
  points_of_body_ = IndexLists(body_count_, points);
  triangles_of_body_ = IndexLists(body_count_, triangles);
  edges_of_body_ = IndexLists(body_count_, edges);
}

double ContactSurface::mean_edge(const Points& x) const {
  double sum = 0;
  for (const Edge& e : edges_) sum += (x.col(e[1]) - x.col(e[0])).norm();
  return edges_.empty() ? 0 : sum / static_cast<double>(edges_.size());
}

double ContactSurface::mean_edge(int body, const Points& x) const {
  double sum = 0;
  const IndexRange edges = edges_of_body(body);
  for (const int e : edges) sum += (x.col(edges_[e][1]) - x.col(edges_[e][0])).norm();
  return edges.size() > 0 ? sum / edges.size() : 0;
}

}  // namespace dashpot
