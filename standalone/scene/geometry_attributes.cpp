#include "standalone/scene/geometry_attributes.h"

#include <cmath>
#include <string>

#include "solver/base/error.h"
#include "solver/simulation/parameters.h"

namespace dashpot {
namespace {

const char* class_word(ElementClass owner) {
  switch (owner) {
    case ElementClass::kVertex:
      return "vertex";
    case ElementClass::kPoint:
      return "point";
    case ElementClass::kPrimitive:
      return "primitive";
    case ElementClass::kDetail:
      return "detail";
  }
  return "";
}

// The attribute of one parameter, read element by element.
class ParameterAttribute {
 public:
  ParameterAttribute(const BodySource& source, const Attribute& attribute,
                     const Parameter& declaration)
      : attribute_(attribute),
        declaration_(declaration),
        is_text_(attribute.kind == AttributeKind::kString),
        file_(source.description) {
    if (is_text_ && declaration.type != ParameterType::kMenu) fail("is text; make it a number");
    if (!is_text_ &&
        (attribute.kind != AttributeKind::kNumeric || attribute.data.tuple_size() != 1))
      fail("must be one number for each element");
    if (is_text_ && attribute.data.tuple_size() != 1) fail("must be one text for each element");
  }

  double value(std::size_t element) const {
    if (is_text_)
      return menu_index(declaration_, std::string(string_of(attribute_, element)), place(element));
    const double number = attribute_.data.number(element);
    // Most values are fine; the sentence that says where is made only for the others.
    const bool inside = number > declaration_.min && number < declaration_.max;
    if (!inside || declaration_.type != ParameterType::kFloat)
      check_number(declaration_, number, place(element));
    return number;
  }

  [[noreturn]] void fail(const std::string& complaint) const {
    throw InputError(file_ + ": the " + class_word(attribute_.owner) + " attribute " +
                     attribute_.name + " " + complaint + ".");
  }

 private:
  std::string place(std::size_t element) const {
    std::string text = file_ + ", " + class_word(attribute_.owner);
    if (attribute_.owner != ElementClass::kDetail) text += " " + std::to_string(element);
    return text;
  }

  const Attribute& attribute_;
  const Parameter& declaration_;
  bool is_text_;
  const std::string& file_;
};

std::vector<double> values_of_tets(const BodySource& source, const TetMesh& mesh,
                                   const ParameterAttribute& attribute, ElementClass owner) {
  std::vector<double> values(mesh.tets.size());
  for (std::size_t t = 0; t < values.size(); ++t) {
    if (owner == ElementClass::kPrimitive) {
      values[t] = attribute.value(static_cast<std::size_t>(source.tet_primitives[t]));
    } else {
      for (const int corner : mesh.tets[t])
        values[t] += 0.25 * attribute.value(static_cast<std::size_t>(source.mesh_points[corner]));
    }
  }
  return values;
}

}  // namespace

std::vector<Tet> partition_points(BodySource& source) {
  TetList list = tets(source.geometry);
  source.tet_primitives.assign(list.primitives.begin(), list.primitives.end());
  enum class Use : char { kNone, kOther, kTet };
  std::vector<Use> use(static_cast<std::size_t>(source.geometry.point_count), Use::kNone);
  for (const std::int32_t point : source.geometry.vertex_points())
    use[static_cast<std::size_t>(point)] = Use::kOther;
  for (const Tet& tet : list.tets)
    for (const int point : tet) use[static_cast<std::size_t>(point)] = Use::kTet;

  std::vector<int> mesh_point(use.size(), -1);
  for (std::size_t i = 0; i < use.size(); ++i) {
    const int point = static_cast<int>(i);
    if (use[i] == Use::kTet) {
      mesh_point[i] = static_cast<int>(source.mesh_points.size());
      source.mesh_points.push_back(point);
    } else {
      (use[i] == Use::kOther ? source.embedded_points : source.loose_points).push_back(point);
    }
  }
  for (Tet& tet : list.tets)
    for (int& point : tet) point = mesh_point[static_cast<std::size_t>(point)];
  return std::move(list.tets);
}

void override_fields(const BodySource& source, const TetMesh& mesh, ElementFields& fields) {
  for (const Parameter& declaration : parameters()) {
    if (declaration.scope != ParameterScope::kPrim) continue;
    for (const ElementClass owner :
         {ElementClass::kPrimitive, ElementClass::kPoint, ElementClass::kDetail}) {
      const Attribute* found = find_attribute(source.geometry, owner, declaration.token);
      if (!found) continue;
      const ParameterAttribute attribute(source, *found, declaration);
      if (owner == ElementClass::kDetail) {
        fields.set(declaration.token, attribute.value(0), source.description);
      } else {
        if (owner == ElementClass::kPoint && declaration.type != ParameterType::kFloat)
          attribute.fail(
              "is a choice, which has no mean over a tet's corners; make it a primitive "
              "attribute");
        fields.set_per_element(declaration.token, values_of_tets(source, mesh, attribute, owner),
                               source.description);
      }
      break;
    }
  }
}

std::vector<int> points_pinned_by_attribute(const BodySource& source) {
  const Parameter& declaration = parameter("pintoanimation");
  const Attribute* found = find_attribute(source.geometry, ElementClass::kPoint, declaration.token);
  std::vector<int> pinned;
  if (!found) return pinned;
  const ParameterAttribute attribute(source, *found, declaration);
  for (std::size_t i = 0; i < source.mesh_points.size(); ++i)
    if (attribute.value(static_cast<std::size_t>(source.mesh_points[i])) == 1)
      pinned.push_back(static_cast<int>(i));
  return pinned;
}

std::vector<double> point_friction(const BodySource& source) {
  const Parameter& declaration = parameter("friction");
  const Attribute* found = find_attribute(source.geometry, ElementClass::kPoint, declaration.token);
  std::vector<double> friction;
  if (!found) return friction;
  const ParameterAttribute attribute(source, *found, declaration);
  for (const int point : source.mesh_points)
    friction.push_back(attribute.value(static_cast<std::size_t>(point)));
  return friction;
}

std::optional<Points> vector_attribute(const BodySource& source, std::string_view name) {
  const Attribute* attribute = find_attribute(source.geometry, ElementClass::kPoint, name);
  if (!attribute) return std::nullopt;
  const std::string what = source.description + ": the point attribute " + std::string(name) + " ";
  if (attribute->kind != AttributeKind::kNumeric || attribute->data.tuple_size() < 3)
    throw InputError(what + "must have three numbers for each point.");
  Points values = point_vectors(*attribute);
  for (Eigen::Index i = 0; i < values.cols(); ++i)
    if (!values.col(i).allFinite())
      throw InputError(what + "is not finite at point " + std::to_string(i) +
                       "; correct it or delete the attribute.");
  return values;
}

}  // namespace dashpot
