#include "solver/host/geometry_advice.h"

#include <algorithm>

#include "solver/base/words.h"
#include "solver/host/contact_attributes.h"
#include "solver/mesh/quality.h"
#include "solver/parameters/parameters.h"

namespace dashpot {
namespace {

using Owners = std::vector<AttributeOwner>;

constexpr AttributeOwner kAllOwners[] = {AttributeOwner::kPrimitive, AttributeOwner::kPoint,
                                         AttributeOwner::kDetail, AttributeOwner::kVertex};
constexpr const char* kVectors[] = {"v", "restP", "rest", "targetP"};

// What a body reads a parameter from, in order of precedence.
Owners owners_read(const Parameter& declaration) {
  if (declaration.scope == ParameterScope::kPrim)
    return {AttributeOwner::kPrimitive, AttributeOwner::kPoint, AttributeOwner::kDetail};
  if (declaration.scope == ParameterScope::kPoint) return {AttributeOwner::kPoint};
  if (declaration.is_of_body_contact())
    return {AttributeOwner::kPrimitive, AttributeOwner::kDetail};
  return {};
}

std::string owners_text(const Owners& owners) {
  std::vector<std::string> words;
  for (const AttributeOwner owner : owners) words.emplace_back(owner_word(owner));
  return with_article(listed(words, "or")) + " attribute";
}

void advise_on_class(const GeometryView& geometry, const std::string& name, const Owners& read,
                     const std::string& otherwise, std::vector<std::string>& advice) {
  std::string heard;
  for (const AttributeOwner owner : kAllOwners) {
    if (!geometry.find(owner, name)) continue;
    // It multiplies what the others say.
    if (owner == AttributeOwner::kPoint && name == "friction") continue;
    const bool is_read = std::find(read.begin(), read.end(), owner) != read.end();
    const std::string what = geometry.description() + ": the " + owner_word(owner) + " attribute " +
                             name + " is ignored";
    if (!is_read && read.empty())
      advice.push_back(what + "; " + otherwise + ".");
    else if (!is_read)
      advice.push_back(what + "; make it " + owners_text(read) + ".");
    else if (!heard.empty())
      advice.push_back(what + ", because there is a " + heard +
                       " attribute of the same name; delete one of them.");
    else
      heard = owner_word(owner);
  }
}

std::string place_of(const Parameter& declaration) {
  if (declaration.scope == ParameterScope::kSolver) return "set it in the solver's parameters";
  return "set it in the parameters of the body";
}

void advise_on_size(const GeometryView& geometry, const std::string& name,
                    std::vector<std::string>& advice) {
  const auto found = geometry.find(AttributeOwner::kPoint, name);
  if (found && found->kind() == AttributeView::Kind::kNumber && found->tuple_size() > 3)
    advice.push_back(geometry.description() + ": the point attribute " + name + " has " +
                     std::to_string(found->tuple_size()) +
                     " numbers for each point, of which the first three are used; make it three.");
}

void advise_on_doubles(const GeometryView& geometry, const BodyPoints& points, const TetMesh& mesh,
                       std::vector<std::string>& advice) {
  const std::vector<std::pair<int, int>> doubles = doubled_tets(mesh.tets);
  if (doubles.empty()) return;
  const auto primitive = [&](int tet) {
    return std::to_string(points.tet_primitives[static_cast<std::size_t>(tet)]);
  };
  const auto count = static_cast<long>(doubles.size());
  advice.push_back(geometry.description() + ": " + counted(count, "tet has", "tets have") +
                   " the same four points as another, the first is primitive " +
                   primitive(doubles[0].second) + ", the same as " + primitive(doubles[0].first) +
                   "; mass and stiffness count twice there, so delete " +
                   (count == 1 ? "it." : "them."));
}

}  // namespace

std::vector<std::string> geometry_advice(const GeometryView& geometry, const BodyPoints& points,
                                         const TetMesh& mesh) {
  std::vector<std::string> advice;
  for (const Parameter& p : parameters())
    advise_on_class(geometry, p.token, owners_read(p), place_of(p), advice);
  advise_on_class(geometry, kNoContact, {AttributeOwner::kPrimitive, AttributeOwner::kPoint}, "",
                  advice);
  for (const char* name : kVectors) {
    advise_on_class(geometry, name, {AttributeOwner::kPoint}, "", advice);
    advise_on_size(geometry, name, advice);
  }
  advise_on_doubles(geometry, points, mesh, advice);
  return advice;
}

}  // namespace dashpot
