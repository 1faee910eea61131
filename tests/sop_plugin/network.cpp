#include "tests/sop_plugin/network.h"

#include "solver/parameters/parameters.h"
#include "tests/support/bodies.h"

namespace dashpot {
namespace {

void set_vectors(GU_Detail& detail, const char* name, const Points& values) {
  const GA_RWHandleV3D handle(detail.addTuple(GA_STORE_REAL64, GA_ATTRIB_POINT, name, 3));
  for (Eigen::Index i = 0; i < values.cols(); ++i)
    handle.set(detail.pointOffset(i), UT_Vector3D(values(0, i), values(1, i), values(2, i)));
}

struct Merged {
  Points rest, position, velocity;
  std::vector<Tet> tets;
  std::vector<bool> pinned;
};

Merged merge(const Scene& scene) {
  Merged all;
  for (const Body& body : scene.bodies) {
    const auto first = static_cast<int>(all.rest.cols());
    const auto append = [&](Points& to, const Points& from) {
      to.conservativeResize(3, first + from.cols());
      to.rightCols(from.cols()) = from;
    };
    append(all.rest, body.mesh.rest);
    append(all.position, body.position);
    append(all.velocity, body.velocity);
    all.pinned.resize(static_cast<std::size_t>(all.rest.cols()), false);
    for (const Pin& pin : body.pins)
      for (const int i : pin.points) all.pinned[static_cast<std::size_t>(first + i)] = true;
    for (int t = 0; t < body.mesh.tet_count(); ++t) {
      Tet tet = input_order(body.mesh, t);
      for (int& point : tet) point += first;
      all.tets.push_back(tet);
    }
  }
  return all;
}

void add_topology(const Merged& all, GU_Detail& detail) {
  for (Eigen::Index i = 0; i < all.rest.cols(); ++i) detail.add_point(0, 0, 0);
  for (const Tet& tet : all.tets)
    detail.add_primitive(GEO_PRIMTETRAHEDRON, {tet[0], tet[1], tet[2], tet[3]});
}

// Bodies are pieces of one geometry, by name.
void add_contact(const Scene& scene, GU_Detail& detail) {
  GA_Attribute* names = detail.add_string(GA_ATTRIB_PRIMITIVE, "name");
  GA_Index first = 0;
  for (const Body& body : scene.bodies) {
    for (const Parameter& p : parameters()) {
      if (!p.is_of_body_contact()) continue;
      GA_Attribute* attribute = detail.findAttribute(GA_ATTRIB_PRIMITIVE, p.token.c_str());
      if (!attribute) attribute = detail.addTuple(GA_STORE_REAL64, GA_ATTRIB_PRIMITIVE, p.token, 1);
      for (int t = 0; t < body.mesh.tet_count(); ++t)
        attribute->set_number(detail.primitiveOffset(first + t), 0,
                              p.body_contact.get(body.contact).number);
    }
    for (int t = 0; t < body.mesh.tet_count(); ++t)
      names->texts.at(static_cast<std::size_t>(detail.primitiveOffset(first + t))) = body.name;
    first += body.mesh.tet_count();
  }
}

}  // namespace

void fill_detail(const Scene& scene, GU_Detail& detail) {
  const Merged all = merge(scene);
  add_topology(all, detail);
  set_vectors(detail, "P", all.position);
  set_vectors(detail, "rest", all.rest);
  set_vectors(detail, "v", all.velocity);
  GA_Attribute* pins = detail.addTuple(GA_STORE_INT32, GA_ATTRIB_POINT, "pintoanimation", 1);
  for (std::size_t i = 0; i < all.pinned.size(); ++i)
    pins->set_number(detail.pointOffset(static_cast<GA_Index>(i)), 0, all.pinned[i] ? 1 : 0);
  for (const Parameter& p : parameters()) {
    if (p.scope != ParameterScope::kPrim) continue;
    GA_Attribute* attribute = detail.addTuple(GA_STORE_REAL64, GA_ATTRIB_PRIMITIVE, p.token, 1);
    GA_Index primitive = 0;
    for (const Body& body : scene.bodies)
      for (const double value : body.fields.expand(p.token, body.mesh.tet_count()))
        attribute->set_number(detail.primitiveOffset(primitive++), 0, value);
  }
  add_contact(scene, detail);
}

void fill_targets(const Scene& scene, double time, GU_Detail& detail) {
  Merged all = merge(scene);
  Eigen::Index first = 0;
  for (const Body& body : scene.bodies) {
    for (const Pin& pin : body.pins) {
      if (!pin.motion) continue;
      Points initial(3, static_cast<Eigen::Index>(pin.points.size())), x, v;
      for (std::size_t i = 0; i < pin.points.size(); ++i)
        initial.col(static_cast<Eigen::Index>(i)) = body.position.col(pin.points[i]);
      pin.motion->targets(time, initial, x, v);
      for (std::size_t i = 0; i < pin.points.size(); ++i)
        all.position.col(first + pin.points[i]) = x.col(static_cast<Eigen::Index>(i));
    }
    first += body.position.cols();
  }
  add_topology(all, detail);
  set_vectors(detail, "P", all.position);
}

Points vectors_of(const GU_Detail& detail, const char* name) {
  const GA_ROHandleD handle(detail.findAttribute(GA_ATTRIB_POINT, name));
  Points values(3, detail.getNumPoints());
  for (Eigen::Index i = 0; i < values.cols(); ++i)
    for (int axis = 0; axis < 3; ++axis) values(axis, i) = handle.get(detail.pointOffset(i), axis);
  return values;
}

Points positions_of(const GU_Detail& detail) {
  return vectors_of(detail, "P");
}

Eigen::Matrix3Xf rounded(const Points& points) {
  return points.cast<float>();
}

Scene bar_scene() {
  Scene scene;
  Body body = make_body(box_mesh({4, 1, 1}, {1, 0.25, 0.25}), {Material::kNeoHookean, 5e4, 0.4});
  body.pins.push_back(pin_slab(body.mesh, 0, -1, 1e-9));
  scene.bodies.push_back(std::move(body));
  return scene;
}

void fill_bar(GU_Detail& detail, double) {
  fill_detail(bar_scene(), detail);
}

Network::Network() {
  standin::set_fps(24);
  standin::interrupt_after(-1);
  standin::set_cache_limit(-1);
  newSopOperator(&table_);
  type_ = table_.find("dashpot::solver::1.0");
  owner_.reset(type_->create(&parent_, "solver1"));
  solver_ = static_cast<SOP_Node*>(owner_.get());
}

standin::SourceNode& Network::connect(unsigned input, standin::SourceNode::Maker maker,
                                      bool time_dependent) {
  sources_.push_back(std::make_unique<standin::SourceNode>(std::move(maker), time_dependent));
  solver_->set_input(input, sources_.back().get());
  return *sources_.back();
}

void Network::set(const SolverSettings& s) {
  for (const Parameter& p : parameters()) {
    if (p.scope != ParameterScope::kSolver) continue;
    const ParameterValue value = p.setting.get(s);
    if (p.type != ParameterType::kVector3) solver_->set_parm(p.token, value.number);
    for (int c = 0; p.type == ParameterType::kVector3 && c < 3; ++c)
      solver_->set_parm(p.token, value.vector[c], c);
  }
}

std::map<std::string, std::string> Network::info() const {
  UT_InfoTree tree;
  solver_->fillInfoTreeNodeSpecific(tree, OP_NodeInfoTreeParms(0));
  return tree.children.at("Dashpot").properties;
}

std::vector<std::string> Network::messages(UT_ErrorSeverity severity) const {
  std::vector<std::string> texts;
  for (const OP_Node::Message& message : solver_->messages())
    if (message.severity == severity) texts.push_back(message.text);
  return texts;
}

}  // namespace dashpot
