#include "solver/host/geometry_attributes.h"

#include "solver/base/error.h"
#include "solver/host/parameter_attribute.h"
#include "solver/parameters/parameters.h"

namespace dashpot {
namespace {

std::vector<double> values_of_tets(const BodyPoints& points, const TetMesh& mesh,
                                   const ParameterAttribute& attribute, AttributeOwner owner) {
  std::vector<double> values(mesh.tets.size());
  for (std::size_t t = 0; t < values.size(); ++t) {
    if (owner == AttributeOwner::kPrimitive) {
      values[t] = attribute.value(points.tet_primitives[t]);
    } else {
      for (const int corner : mesh.tets[t])
        values[t] += 0.25 * attribute.value(points.mesh_points[static_cast<std::size_t>(corner)]);
    }
  }
  return values;
}

}  // namespace

const char* owner_word(AttributeOwner owner) {
  switch (owner) {
    case AttributeOwner::kPoint:
      return "point";
    case AttributeOwner::kPrimitive:
      return "primitive";
    case AttributeOwner::kDetail:
      return "detail";
    case AttributeOwner::kVertex:
      return "vertex";
  }
  return "";
}

void override_fields(const GeometryView& geometry, const BodyPoints& points, const TetMesh& mesh,
                     ElementFields& fields) {
  for (const Parameter& declaration : parameters()) {
    if (declaration.scope != ParameterScope::kPrim) continue;
    for (const AttributeOwner owner :
         {AttributeOwner::kPrimitive, AttributeOwner::kPoint, AttributeOwner::kDetail}) {
      const auto found = geometry.find(owner, declaration.token);
      if (!found) continue;
      const ParameterAttribute attribute(geometry, owner, *found, declaration);
      if (owner == AttributeOwner::kDetail) {
        fields.set(declaration.token, attribute.value(0), geometry.description());
      } else {
        if (owner == AttributeOwner::kPoint && declaration.type != ParameterType::kFloat)
          attribute.fail(
              "is a choice, which has no mean over a tet's corners; make it a primitive "
              "attribute");
        fields.set_per_element(declaration.token, values_of_tets(points, mesh, attribute, owner),
                               geometry.description());
      }
      break;
    }
  }
}

std::vector<int> points_pinned_by_attribute(const GeometryView& geometry,
                                            const BodyPoints& points) {
  const Parameter& declaration = parameter("pintoanimation");
  const auto found = geometry.find(AttributeOwner::kPoint, declaration.token);
  std::vector<int> pinned;
  if (!found) return pinned;
  const ParameterAttribute attribute(geometry, AttributeOwner::kPoint, *found, declaration);
  for (std::size_t i = 0; i < points.mesh_points.size(); ++i)
    if (attribute.value(points.mesh_points[i]) == 1) pinned.push_back(static_cast<int>(i));
  return pinned;
}

Springs read_springs(const GeometryView& geometry, const ElementFields& fields) {
  const GeometryLines list = geometry.lines();
  const auto values = [&](const std::string& token) {
    const Parameter& declaration = parameter(token);
    std::vector<double> of_lines(list.lines.size(), fields.get(token, 0));
    for (const AttributeOwner owner : {AttributeOwner::kPrimitive, AttributeOwner::kDetail}) {
      const auto found = geometry.find(owner, token);
      if (!found) continue;
      const ParameterAttribute attribute(geometry, owner, *found, declaration);
      for (std::size_t k = 0; k < of_lines.size(); ++k)
        of_lines[k] = attribute.value(owner == AttributeOwner::kDetail ? 0 : list.primitives[k]);
      break;
    }
    return of_lines;
  };
  Springs springs;
  if (list.lines.empty()) return springs;
  const std::vector<double> stiffness = values("springstiffness"),
                            damping = values("springdamping");
  for (std::size_t k = 0; k < list.lines.size(); ++k) {
    if (stiffness[k] == 0) continue;
    if (list.lines[k][0] == list.lines[k][1])
      throw InputError(geometry.description() + ", primitive " +
                       std::to_string(list.primitives[k]) +
                       ": a spring must have two points; delete this one.");
    springs.edges.push_back(list.lines[k]);
    springs.stiffness.push_back(stiffness[k]);
    springs.damping.push_back(damping[k]);
  }
  return springs;
}

std::vector<double> spring_point_mass(const GeometryView& geometry, const BodyPoints& points,
                                      const Body& body) {
  if (body.springs.edges.empty()) return {};
  std::vector<double> mass(points.mesh_points.size(), 0.0);
  const auto found = geometry.find(AttributeOwner::kPoint, "mass");
  if (!found) return mass;
  if (found->kind() != AttributeView::Kind::kNumber || found->tuple_size() != 1)
    throw InputError(geometry.description() +
                     ": the point attribute mass must be one number for each point.");
  std::vector<char> in_tet(mass.size(), 0);
  for (const Tet& tet : body.mesh.tets)
    for (const int point : tet) in_tet[static_cast<std::size_t>(point)] = 1;
  for (std::size_t i = 0; i < mass.size(); ++i)
    if (!in_tet[i]) mass[i] = found->number(points.mesh_points[i], 0);
  return mass;
}

std::vector<double> point_friction(const GeometryView& geometry, const BodyPoints& points) {
  const Parameter& declaration = parameter("friction");
  const auto found = geometry.find(AttributeOwner::kPoint, declaration.token);
  std::vector<double> friction;
  if (!found) return friction;
  const ParameterAttribute attribute(geometry, AttributeOwner::kPoint, *found, declaration);
  for (const int point : points.mesh_points) friction.push_back(attribute.value(point));
  return friction;
}

std::optional<Points> vector_attribute(const GeometryView& geometry, const std::string& name) {
  const auto attribute = geometry.find(AttributeOwner::kPoint, name);
  if (!attribute) return std::nullopt;
  const std::string what = geometry.description() + ": the point attribute " + name + " ";
  if (attribute->kind() != AttributeView::Kind::kNumber || attribute->tuple_size() < 3)
    throw InputError(what + "must have three numbers for each point.");
  Points values(3, geometry.point_count());
  for (int i = 0; i < geometry.point_count(); ++i) {
    for (int axis = 0; axis < 3; ++axis) values(axis, i) = attribute->number(i, axis);
    if (!values.col(i).allFinite())
      throw InputError(what + "is not finite at point " + std::to_string(i) +
                       "; correct it or delete the attribute.");
  }
  return values;
}

}  // namespace dashpot
