#include "solver/simulation/scene.h"

#include <cmath>
#include <set>

#include "solver/base/error.h"
#include "solver/parameters/collider_coefficients.h"
#include "solver/parameters/parameters.h"
#include "solver/simulation/contact_parties.h"

namespace dashpot {
namespace {

void check_body(const Body& body) {
  const std::string where = "body '" + body.name + "'";
  const int points = body.mesh.point_count();
  if (body.mesh.tets.empty() && body.springs.edges.empty())
    throw InputError(where + " has no tets; give it a tet mesh.");
  if (body.position.cols() != points || body.velocity.cols() != points)
    throw InputError(where + ": positions and velocities must match its " + std::to_string(points) +
                     " points.");
  for (int i = 0; i < points; ++i)
    if (!body.position.col(i).allFinite() || !body.velocity.col(i).allFinite())
      throw InputError(where + ": point " + std::to_string(i) +
                       " has a position or velocity that is not a finite number; repair it.");
  body.fields.check_count(body.mesh.tet_count(), where);
  std::vector<char> pinned(points, 0);
  for (const Pin& pin : body.pins)
    for (int i : pin.points) {
      if (i < 0 || i >= points)
        throw InputError(where + ": pinned point " + std::to_string(i) + " does not exist.");
      if (pinned[i]++)
        throw InputError(where + ": point " + std::to_string(i) +
                         " is pinned twice; let each point be in one pin only.");
    }
}

void check_springs(const Body& body) {
  const std::string where = "body '" + body.name + "'";
  const Springs& springs = body.springs;
  const auto points = static_cast<std::size_t>(body.mesh.point_count());
  if (!body.point_mass.empty() && body.point_mass.size() != points)
    throw InputError(where + ": mass must have one value for each of its points.");
  for (std::size_t i = 0; i < body.point_mass.size(); ++i)
    if (!(body.point_mass[i] >= 0) || !std::isfinite(body.point_mass[i]))
      throw InputError(where + ": mass of point " + std::to_string(i) +
                       " must be a finite number of 0 or above.");
  if (springs.stiffness.size() != springs.edges.size() ||
      springs.damping.size() != springs.edges.size())
    throw InputError(where + ": stiffness and damping must have one value for each spring.");
  std::vector<char> moves(points, 0);
  for (std::size_t i = 0; i < body.point_mass.size(); ++i) moves[i] = body.point_mass[i] > 0;
  for (const Tet& tet : body.mesh.tets)
    for (const int point : tet) moves[point] = 1;
  for (const Pin& pin : body.pins)
    for (const int point : pin.points) moves[point] = 1;
  for (std::size_t e = 0; e < springs.edges.size(); ++e) {
    const std::string spring = where + ", spring " + std::to_string(e);
    if (!(springs.stiffness[e] > 0) || !(springs.damping[e] >= 0) ||
        !std::isfinite(springs.stiffness[e]) || !std::isfinite(springs.damping[e]))
      throw InputError(spring + ": stiffness must be above 0 and damping not below, both finite.");
    for (const int point : springs.edges[e]) {
      if (point < 0 || point >= static_cast<int>(points))
        throw InputError(spring + ": point " + std::to_string(point) + " does not exist.");
      if (!moves[point])
        throw InputError(spring + ": point " + std::to_string(point) +
                         " has no mass; give it a point attribute mass above 0, or pin it.");
    }
    if (body.mesh.rest.col(springs.edges[e][0]) == body.mesh.rest.col(springs.edges[e][1]))
      throw InputError(spring + ": its ends are in one place at rest; move one of them.");
  }
}

void check_friction(const Body& body) {
  const std::string where = "body '" + body.name + "'";
  if (body.friction.empty()) return;
  if (static_cast<int>(body.friction.size()) != body.mesh.point_count())
    throw InputError(where + ": friction must have one value for each of its " +
                     std::to_string(body.mesh.point_count()) + " points.");
  for (std::size_t i = 0; i < body.friction.size(); ++i)
    if (!(body.friction[i] >= 0) || !std::isfinite(body.friction[i]))
      throw InputError(where + ": friction of point " + std::to_string(i) +
                       " must be a finite number of 0 or above.");
}

void check_contact(const Body& body) {
  const std::string where = "body '" + body.name + "'";
  check_body_contact(body.contact, where);
  for (const Piece& piece : body.pieces)
    if (piece.contact) check_body_contact(*piece.contact, where);
  const auto points = static_cast<std::size_t>(body.mesh.point_count());
  if (!body.no_contact_points.empty() && body.no_contact_points.size() != points)
    throw InputError(where + ": nocontact must have one value for each of its points.");
  if (body.piece.empty() ? body.pieces.size() > 1 : body.piece.size() != points)
    throw InputError(where + ": each of its points must be in a piece.");
  for (const int piece : body.piece)
    if (piece < 0 || piece >= static_cast<int>(body.pieces.size()))
      throw InputError(where + ": there is no piece " + std::to_string(piece) + ".");
}

void check_collider(const SceneCollider& collider) {
  const std::string where = "collider '" + collider.collider.name + "'";
  if (!collider.collider.shape) throw InputError(where + " has no shape.");
  check_coefficients(collider.collider, where);
}

}  // namespace

void ElementFields::set(const std::string& token, double value, const std::string& where) {
  check_number(parameter(token), value, where);
  values_[token] = {value};
}

void ElementFields::set_per_element(const std::string& token, std::vector<double> values,
                                    const std::string& where) {
  const Parameter& declaration = parameter(token);
  for (std::size_t e = 0; e < values.size(); ++e)
    check_number(declaration, values[e], where + ", tet " + std::to_string(e));
  // A body of one tet has one value either way.
  values_[token] = std::move(values);
}

ElementFields::Column ElementFields::column(const std::string& token) const {
  Column column;
  const auto found = values_.find(token);
  if (found == values_.end())
    column.all_ = parameter(token).number;
  else if (found->second.size() == 1)
    column.all_ = found->second[0];
  else
    column.values_ = found->second.data();
  return column;
}

double ElementFields::get(const std::string& token, int element) const {
  const auto found = values_.find(token);
  if (found == values_.end()) return parameter(token).number;
  return found->second.size() == 1 ? found->second[0] : found->second.at(element);
}

std::vector<double> ElementFields::expand(const std::string& token, int element_count) const {
  std::vector<double> out(element_count);
  const Column values = column(token);
  for (int e = 0; e < element_count; ++e) out[e] = values[e];
  return out;
}

void ElementFields::check_count(int element_count, const std::string& where) const {
  for (const auto& [token, values] : values_) {
    const int count = static_cast<int>(values.size());
    if (count != 1 && count != element_count)
      throw InputError(std::string(where).append(": ").append(token) + " has " +
                       std::to_string(count) + " values for its " + std::to_string(element_count) +
                       " tets; give one for all, or one per tet.");
  }
}

void check_scene(const Scene& scene) {
  check_settings(scene.settings, "simulation");
  if (scene.bodies.empty()) throw InputError("The scene has no body; add a [[body]].");
  std::set<std::string> names;
  for (const Body& body : scene.bodies) {
    if (!names.insert(body.name).second)
      throw InputError("Two bodies have the name '" + body.name + "'; rename one of them.");
    check_body(body);
    check_springs(body);
    check_friction(body);
    check_contact(body);
  }
  for (const Body& body : scene.bodies) check_no_contact(scene, body, "body '" + body.name + "'");
  for (const SceneCollider& collider : scene.colliders) check_collider(collider);
}

}  // namespace dashpot
