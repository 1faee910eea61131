#pragma once

#include <array>
#include <vector>

#include "solver/base/types.h"

namespace dashpot {

using Edge = std::array<int, 2>;

struct IndexRange {
  const int* first = nullptr;
  const int* last = nullptr;

  const int* begin() const { return first; }
  const int* end() const { return last; }
  int size() const { return static_cast<int>(last - first); }
  int operator[](int i) const { return first[i]; }
};

// A list of numbers for each of many keys, in one piece of memory.
class IndexLists {
 public:
  IndexLists() = default;
  // entries: (key, number); numbers of a key keep their order.
  IndexLists(int key_count, const std::vector<std::array<int, 2>>& entries);

  IndexRange operator[](int key) const {
    return {numbers_.data() + begin_[key], numbers_.data() + begin_[key + 1]};
  }

 private:
  std::vector<int> begin_{0}, numbers_;
};

// The surfaces of all bodies together, as triangles of the simulation's points. A body is a number
// from zero; no point belongs to two bodies. Edges with one triangle or with more than two are
// allowed.
class ContactSurface {
 public:
  ContactSurface(std::vector<Triangle> triangles, std::vector<int> body_of_triangle,
                 int point_count);

  const std::vector<Triangle>& triangles() const { return triangles_; }
  const std::vector<Edge>& edges() const { return edges_; }       // first < second, ascending
  const std::vector<int>& vertices() const { return vertices_; }  // points, ascending
  const std::array<int, 3>& edges_of_triangle(int t) const { return edges_of_triangle_[t]; }

  int body_count() const { return body_count_; }
  int point_count() const { return point_count_; }
  int body_of_triangle(int t) const { return body_of_triangle_[t]; }
  int body_of_edge(int e) const { return body_of_point_[edges_[e][0]]; }
  int body_of_point(int p) const { return body_of_point_[p]; }  // -1: not on a surface

  IndexRange triangles_of_edge(int e) const { return triangles_of_edge_[e]; }
  // The third corner of each of the edge's triangles.
  IndexRange opposite_points(int e) const { return opposite_points_[e]; }
  IndexRange neighbours(int point) const { return neighbours_[point]; }
  IndexRange triangles_of_point(int point) const { return triangles_of_point_[point]; }
  IndexRange points_of_body(int body) const { return points_of_body_[body]; }
  IndexRange triangles_of_body(int body) const { return triangles_of_body_[body]; }
  IndexRange edges_of_body(int body) const { return edges_of_body_[body]; }

  // Every edge is run through as often one way as the other: the body has an inside.
  bool closed(int body) const { return closed_[body] != 0; }

  double mean_edge(const Points& x) const;
  double mean_edge(int body, const Points& x) const;

 private:
  void number_edges();
  void list_neighbourhoods();
  void list_bodies();

  std::vector<Triangle> triangles_;
  std::vector<int> body_of_triangle_, body_of_point_, vertices_;
  std::vector<Edge> edges_;
  std::vector<std::array<int, 3>> edges_of_triangle_;  // number k is opposite to corner k
  IndexLists triangles_of_edge_, opposite_points_, neighbours_, triangles_of_point_;
  IndexLists points_of_body_, triangles_of_body_, edges_of_body_;
  std::vector<char> closed_;
  int point_count_ = 0, body_count_ = 0;
};

inline bool has_point(const Triangle& t, int p) {
  return t[0] == p || t[1] == p || t[2] == p;
}
inline bool has_point(const Edge& e, int p) {
  return e[0] == p || e[1] == p;
}

}  // namespace dashpot
