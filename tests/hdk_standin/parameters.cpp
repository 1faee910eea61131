#include <algorithm>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "OP/OP_Node.h"

namespace {

// "1pos ( 0 ) 1value ( 1 ) 1interp ( linear ) 2pos …"
std::vector<OP_Node::RampKeyParm> read_ramp_default(const std::string& text) {
  static const char* const kItems[] = {"constant", "linear",  "catmull-rom", "monotonecubic",
                                       "bezier",   "bspline", "hermite"};
  std::vector<OP_Node::RampKeyParm> keys;
  std::istringstream words(text);
  std::string name, open, value, close;
  while (words >> name >> open >> value >> close) {
    if (open != "(" || close != ")") throw std::runtime_error("bad default of a ramp: " + text);
    const std::size_t number = static_cast<std::size_t>(std::stoi(name));
    keys.resize(std::max(keys.size(), number));
    OP_Node::RampKeyParm& key = keys.at(number - 1);
    if (name.find("pos") != std::string::npos) {
      key.pos = std::stod(value);
      if (key.pos < 0 || key.pos > 1)
        throw std::runtime_error("a ramp's default has a key that is not from 0 to 1: " + text);
    } else if (name.find("value") != std::string::npos) {
      key.value = std::stod(value);
    } else {
      const auto item = std::find(std::begin(kItems), std::end(kItems), value);
      if (item == std::end(kItems)) throw std::runtime_error("no interpolation " + value);
      key.interp = static_cast<int>(item - std::begin(kItems));
    }
  }
  return keys;
}

}  // namespace

fpreal OP_Node::evalFloatInst(const UT_StringRef& name, const int* instance, int, fpreal) const {
  const std::string text = name.toStdString();
  const auto hash = text.find('#');
  const RampKeyParm& key =
      ramps_.at(text.substr(0, hash)).at(static_cast<std::size_t>(*instance - 1));
  const std::string member = text.substr(hash + 1);
  if (member == "pos") return key.pos;
  if (member == "value") return key.value;
  if (member == "interp") return key.interp;
  throw std::logic_error("there is no parameter " + text);
}
int64 OP_Node::evalIntInst(const UT_StringRef& name, const int* instance, int vector_index,
                           fpreal time) const {
  return static_cast<int64>(evalFloatInst(name, instance, vector_index, time));
}
void OP_Node::set_ramp(const std::string& name, std::vector<RampKeyParm> keys) {
  for (RampKeyParm& key : keys) key.pos = std::clamp(key.pos, 0.0, 1.0);
  value(name, 0) = {static_cast<double>(keys.size()), nullptr};
  ramps_.at(name) = std::move(keys);
  make_dirty();
}

OP_Node::OP_Node(OP_Network*, const char* name, OP_Operator* op) : operator_(op), name_(name) {
  static int last_id = 0;
  unique_id_ = ++last_id;
  if (!op) return;
  for (const PRM_Template* parm = op->templates(); !parm->name.empty(); ++parm) {
    auto& values = parms_[parm->name];
    if (parm->type == "ramp_flt")
      ramps_[parm->name] = read_ramp_default(parm->tags.at("rampfloatdefault"));
    for (int i = 0; i < parm->size; ++i)
      values.push_back({parm->type == "string" || parm->type == "oppath" || parm->defaults.empty()
                            ? 0.0
                            : std::stod(parm->defaults.at(static_cast<std::size_t>(i))),
                        nullptr});
  }
}

const OP_Node::Value& OP_Node::value(const UT_StringRef& name, int component) const {
  return parms_.at(name.toStdString()).at(static_cast<std::size_t>(component));
}
OP_Node::Value& OP_Node::value(const std::string& name, int component) {
  return parms_.at(name).at(static_cast<std::size_t>(component));
}

const PRM_Template* OP_Node::find_template(const std::string& name) const {
  const PRM_Template* parm = operator_->templates();
  while (!parm->name.empty() && parm->name != name) ++parm;
  if (parm->name.empty()) throw std::logic_error("there is no parameter " + name);
  return parm;
}

const PRM_Parm& OP_Node::getParm(const char* name) const {
  return parm_objects_.emplace(name, PRM_Parm(find_template(name)->name)).first->second;
}

void OP_Node::updateRampFromMultiParm(fpreal, const PRM_Parm& parm, UT_Ramp& ramp) const {
  static constexpr UT_SPLINE_BASIS kBases[] = {
      UT_SPLINE_CONSTANT, UT_SPLINE_LINEAR,  UT_SPLINE_CATMULL_ROM, UT_SPLINE_MONOTONECUBIC,
      UT_SPLINE_BEZIER,   UT_SPLINE_BSPLINE, UT_SPLINE_HERMITE};
  ramp = UT_Ramp();
  for (const RampKeyParm& key : ramps_.at(parm.name()))
    ramp.add(key.pos, key.value, kBases[key.interp]);
}

int64 OP_Node::evalInt(const UT_StringRef& name, int vector_index, fpreal time) const {
  return static_cast<int64>(evalFloat(name, vector_index, time));
}
fpreal OP_Node::evalFloat(const UT_StringRef& name, int vector_index, fpreal time) const {
  const Value& v = value(name, vector_index);
  return v.expression ? v.expression(time) : v.constant;
}

void OP_Node::set_parm(const std::string& name, double constant, int component) {
  const PRM_Template* parm = find_template(name);
  value(name, component) = {std::clamp(constant, parm->hard_min(), parm->hard_max()), nullptr};
  make_dirty();
}
void OP_Node::set_expression(const std::string& name, fpreal (*expression)(fpreal), int component) {
  value(name, component) = {0, expression};
  make_dirty();
}
