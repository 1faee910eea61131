#include "solver/host/contact_attributes.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "solver/base/error.h"
#include "solver/host/parameter_attribute.h"

namespace dashpot {
namespace {

// Sets of points that grow together. A set goes by the smallest of its points.
class PointSets {
 public:
  explicit PointSets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  int find(int point) {
    while (parent_[point] != point) point = parent_[point] = parent_[parent_[point]];
    return point;
  }
  void unite(int one, int other) {
    const auto [low, high] = std::minmax({find(one), find(other)});
    parent_[high] = low;
  }

 private:
  std::vector<int> parent_;
};

// A text attribute of primitives, else of points, where there are tets.
class TetTexts {
 public:
  TetTexts(const GeometryView& geometry, const BodyPoints& points, const std::string& name)
      : points_(points) {
    for (const AttributeOwner owner : {AttributeOwner::kPrimitive, AttributeOwner::kPoint}) {
      attribute_ = geometry.find(owner, name);
      owner_ = owner;
      if (attribute_) return;
    }
  }

  bool is_there() const { return attribute_ != nullptr; }
  bool is_text() const { return attribute_ && attribute_->kind() == AttributeView::Kind::kText; }

  // visit(point of the mesh, text), once for each tet or for each of their points.
  template <class Visit>
  void for_each(const TetMesh& mesh, const Visit& visit) const {
    if (owner_ == AttributeOwner::kPrimitive) {
      for (std::size_t t = 0; t < mesh.tets.size(); ++t)
        visit(mesh.tets[t][0], attribute_->text(points_.tet_primitives[t]));
      return;
    }
    std::vector<char> seen(points_.mesh_points.size(), 0);
    for (const Tet& tet : mesh.tets)
      for (const int corner : tet)
        if (!seen[corner]++) visit(corner, attribute_->text(points_.mesh_points[corner]));
  }

 private:
  const BodyPoints& points_;
  std::unique_ptr<AttributeView> attribute_;
  AttributeOwner owner_ = AttributeOwner::kPoint;
};

void add_once(const std::string& name, std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

void add_words(const std::string& text, std::vector<std::string>& names) {
  const char* const between = ", \t\n";
  for (std::size_t at = text.find_first_not_of(between); at != std::string::npos;) {
    const std::size_t end = text.find_first_of(between, at);
    add_once(text.substr(at, end - at), names);
    at = text.find_first_not_of(between, end);
  }
}

// The piece of each point, numbered by their first points; points of no tet are in the first.
// Returns how many there are.
int find_pieces(const TetMesh& mesh, const TetTexts& names, std::vector<int>& piece) {
  PointSets sets(static_cast<std::size_t>(mesh.point_count()));
  std::vector<char> in_tet(static_cast<std::size_t>(mesh.point_count()), 0);
  for (const Tet& tet : mesh.tets)
    for (const int corner : tet) {
      sets.unite(tet[0], corner);
      in_tet[corner] = 1;
    }
  std::map<std::string, int> first_of_name;
  if (names.is_text())
    names.for_each(mesh, [&](int point, const std::string& name) {
      if (!name.empty()) sets.unite(point, first_of_name.emplace(name, point).first->second);
    });
  int count = 0;
  piece.assign(in_tet.size(), 0);
  for (int i = 0; i < mesh.point_count(); ++i) {
    if (!in_tet[i]) continue;
    const int first = sets.find(i);
    piece[i] = first == i ? count++ : piece[first];
  }
  return count;
}

void read_no_contact(const GeometryView& geometry, const BodyPoints& points, Body& body) {
  const TetTexts texts(geometry, points, kNoContact);
  if (!texts.is_there()) return;
  if (!texts.is_text())
    throw InputError(geometry.description() + ": the attribute " + kNoContact +
                     " must be text, the names of what not to collide with; points that shall not "
                     "collide with any body belong into a group of that name.");
  texts.for_each(body.mesh, [&](int point, const std::string& words) {
    add_words(words, body.pieces[body.piece[point]].no_contact);
  });
}

void read_no_contact_points(const GeometryView& geometry, const BodyPoints& points, Body& body) {
  const std::vector<bool> of_points = geometry.group(AttributeOwner::kPoint, kNoContact);
  const std::vector<bool> of_tets = geometry.group(AttributeOwner::kPrimitive, kNoContact);
  if (of_points.empty() && of_tets.empty()) return;
  std::vector<char>& listed = body.no_contact_points;
  listed.assign(points.mesh_points.size(), 0);
  for (std::size_t i = 0; i < listed.size(); ++i)
    listed[i] = !of_points.empty() && of_points[points.mesh_points[i]];
  for (std::size_t t = 0; t < body.mesh.tets.size(); ++t)
    if (!of_tets.empty() && of_tets[points.tet_primitives[t]])
      for (const int corner : body.mesh.tets[t]) listed[corner] = 1;
}

// Those of the detail into the body, those of primitives into the pieces.
void read_coefficients(const GeometryView& geometry, const BodyPoints& points, Body& body) {
  std::vector<int> first_tet(body.pieces.size(), -1);
  for (std::size_t t = body.mesh.tets.size(); t-- > 0;)
    first_tet[body.piece[body.mesh.tets[t][0]]] = points.tet_primitives[t];
  for (const Parameter& p : parameters()) {
    if (!p.is_of_body_contact()) continue;
    if (const auto found = geometry.find(AttributeOwner::kDetail, p.token)) {
      const ParameterAttribute attribute(geometry, AttributeOwner::kDetail, *found, p);
      p.body_contact.set({attribute.value(0)}, body.contact);
    }
  }
  for (const Parameter& p : parameters()) {
    const auto found =
        p.is_of_body_contact() ? geometry.find(AttributeOwner::kPrimitive, p.token) : nullptr;
    if (!found) continue;
    const ParameterAttribute attribute(geometry, AttributeOwner::kPrimitive, *found, p);
    for (std::size_t k = 0; k < body.pieces.size(); ++k) {
      std::optional<BodyContact>& contact = body.pieces[k].contact;
      if (!contact) contact = body.contact;
      p.body_contact.set({attribute.value(first_tet[k])}, *contact);
    }
  }
}

bool says_nothing(const Piece& piece) {
  return piece.names.empty() && piece.no_contact.empty() && !piece.contact;
}

}  // namespace

void read_contact_attributes(const GeometryView& geometry, const BodyPoints& points, Body& body) {
  read_no_contact_points(geometry, points, body);
  if (body.mesh.tets.empty()) return;
  const TetTexts names(geometry, points, "name");
  body.pieces.resize(find_pieces(body.mesh, names, body.piece));
  if (names.is_text())
    names.for_each(body.mesh, [&](int point, const std::string& name) {
      if (!name.empty()) add_once(name, body.pieces[body.piece[point]].names);
    });
  read_no_contact(geometry, points, body);
  read_coefficients(geometry, points, body);
  if (body.pieces.size() > 1) return;
  body.piece.clear();
  if (says_nothing(body.pieces.front())) body.pieces.clear();
}

}  // namespace dashpot
