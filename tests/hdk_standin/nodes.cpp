#include <algorithm>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "UT/UT_Interrupt.h"
#include "standin.h"

namespace {

double the_fps = 24.0;
bool throws = false;
int polls_left = -1, poll_count = 0, percent_shown = -1, operations_open = 0;

bool poll_and_interrupt() {
  ++poll_count;
  if (polls_left < 0) return false;
  const bool now = polls_left-- == 0;
  if (now && throws) throw std::runtime_error("thrown inside the solver");
  return now;
}

}  // namespace

namespace standin {

void set_fps(double fps) {
  the_fps = fps;
}
double time_of(double frame) {
  return CHgetTimeFromFrame(frame);
}
void interrupt_after(int polls) {
  throws = false;
  polls_left = polls;
  poll_count = 0;
}
void throw_after(int polls) {
  interrupt_after(polls);
  throws = true;
}
int polls() {
  return poll_count;
}
int last_percent() {
  return percent_shown;
}
int open_operations() {
  return operations_open;
}

SourceNode::SourceNode(Maker maker, bool time_dependent)
    : SOP_Node(nullptr, "source", nullptr),
      maker_(std::move(maker)),
      time_dependent_(time_dependent) {}

void SourceNode::edit(Maker maker) {
  maker_ = std::move(maker);
  make_dirty();
}

OP_ERROR SourceNode::cookMySop(OP_Context& context) {
  flags().setTimeDep(time_dependent_);
  maker_(*gdp, context.getFloatFrame());
  return error();
}

}  // namespace standin

fpreal CH_Manager::getSamplesPerSec() const {
  return the_fps;
}
CH_Manager* CHgetManager() {
  static CH_Manager manager;
  return &manager;
}
fpreal CHgetTimeFromFrame(fpreal frame) {
  return (frame - 1) / the_fps;
}
fpreal CHgetSampleFromTime(fpreal time) {
  return time * the_fps + 1;
}

UT_Interrupt* UTgetInterrupt() {
  static UT_Interrupt interrupt;
  return &interrupt;
}
int UT_Interrupt::opStart(const char*, int, int, int* id) {
  *id = ++operations_open;
  return 1;
}
int UT_Interrupt::opInterrupt(int percent) {
  if (percent >= 0) percent_shown = percent;
  return poll_and_interrupt() ? 1 : 0;
}
void UT_Interrupt::opEnd(int) {
  --operations_open;
}

OP_Operator::OP_Operator(const char* name, const char* english, OP_Constructor construct,
                         PRM_Template* templates, unsigned min_sources, unsigned max_sources,
                         CH_LocalVariable*, unsigned, const char** inputlabels, int,
                         const char* tab_submenu_path)
    : name_(name),
      label_(english),
      tab_submenu_(tab_submenu_path ? tab_submenu_path : ""),
      construct_(construct),
      templates_(templates),
      min_sources_(min_sources),
      max_sources_(max_sources) {
  for (; inputlabels && *inputlabels; ++inputlabels) input_labels_.emplace_back(*inputlabels);
}

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
  value(name, 0) = {static_cast<double>(keys.size()), nullptr};
  ramps_.at(name) = std::move(keys);
  make_dirty();
}

OP_Node::OP_Node(OP_Network*, const char* name, OP_Operator* op) : operator_(op), name_(name) {
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

int64 OP_Node::evalInt(const UT_StringRef& name, int vector_index, fpreal time) const {
  return static_cast<int64>(evalFloat(name, vector_index, time));
}
fpreal OP_Node::evalFloat(const UT_StringRef& name, int vector_index, fpreal time) const {
  const Value& v = value(name, vector_index);
  return v.expression ? v.expression(time) : v.constant;
}

void OP_Node::set_parm(const std::string& name, double constant, int component) {
  value(name, component) = {constant, nullptr};
  make_dirty();
}
void OP_Node::set_expression(const std::string& name, fpreal (*expression)(fpreal), int component) {
  value(name, component) = {0, expression};
  make_dirty();
}

void OP_Node::make_dirty() {
  dirty_ = true;
  for (OP_Node* output : outputs_) output->make_dirty();
}

OP_Node* OP_Node::getInput(unsigned index, bool) const {
  return index < inputs_.size() ? inputs_[index] : nullptr;
}

void OP_Node::set_input(unsigned index, OP_Node* node) {
  if (inputs_.size() <= index) inputs_.resize(index + 1, nullptr);
  if (OP_Node* old = inputs_[index])
    old->outputs_.erase(std::remove(old->outputs_.begin(), old->outputs_.end(), this),
                        old->outputs_.end());
  inputs_[index] = node;
  if (node) node->outputs_.push_back(this);
  make_dirty();
}

void OP_Node::press(const std::string& button) {
  for (const PRM_Template* parm = operator_->templates(); !parm->name.empty(); ++parm)
    if (parm->name == button) {
      parm->callback(this, 0, 0.0, parm);
      return;
    }
  throw std::logic_error("there is no button " + button);
}

UT_ErrorSeverity OP_Node::error() const {
  UT_ErrorSeverity worst = UT_ERROR_NONE;
  for (const Message& message : messages_) worst = std::max(worst, message.severity);
  return worst;
}

SOP_Node::SOP_Node(OP_Network* parent, const char* name, OP_Operator* entry)
    : OP_Node(parent, name, entry), detail_(std::make_shared<GU_Detail>()) {
  gdp = detail_.get();
}
SOP_Node::~SOP_Node() = default;

OP_ERROR SOP_Node::lockInput(unsigned index, OP_Context& context) {
  auto* input = static_cast<SOP_Node*>(getInput(index));
  if (!input) {
    addError(SOP_MESSAGE, "Not enough sources specified.");
    return error();
  }
  if (locked_.size() <= index) locked_.resize(index + 1, nullptr);
  if (locked_[index]) throw std::logic_error("an input was locked twice");
  input->cook(context.getTime());
  locked_[index] = input->detail_;
  if (input->error() >= UT_ERROR_ABORT) {
    locked_[index] = nullptr;
    addError(SOP_MESSAGE, "Invalid source.");
    return error();
  }
  return UT_ERROR_NONE;
}

void SOP_Node::unlockInput(unsigned index) {
  if (index >= locked_.size() || !locked_[index])
    throw std::logic_error("an input that was not locked was unlocked");
  locked_[index] = nullptr;
}

const GU_Detail* SOP_Node::inputGeo(int index) const {
  const auto i = static_cast<std::size_t>(index);
  return i < locked_.size() ? locked_[i].get() : nullptr;
}

const GU_Detail* SOP_Node::cook(fpreal time) {
  const bool other_time = flags_.getTimeDep() && time != cooked_time_;
  if (cooked_ && !dirty_ && !other_time) return gdp;
  clear_messages();
  if (detail_.use_count() > 1) {  // somebody holds the geometry of another time
    const auto held = detail_;
    detail_ = std::make_shared<GU_Detail>();
    gdp = detail_.get();
    gdp->replaceWith(*held);
  }
  if (shouldResetGeoToEmpty()) gdp->clear();
  OP_Context context(time);
  const int polls_before = polls_left;
  dirty_ = false;
  ++cook_count_;
  cookMySop(context);
  for (const auto& input : locked_)
    if (input) throw std::logic_error("a cook left an input locked");
  // Houdini cooks an interrupted node again.
  if (polls_before >= 0 && polls_left < 0) dirty_ = true;
  cooked_ = true;
  cooked_time_ = time;
  if (!mySopFlags.getManagesDataIDs())
    for (const auto& [name, id] : gdp->data_ids()) {
      (void)id;
      const auto colon = name.find(':');
      if (colon == std::string::npos) continue;
      gdp->findAttribute(static_cast<GA_AttributeOwner>(std::stoi(name)), name.substr(colon + 1))
          ->bumpDataId();
    }
  return gdp;
}

int64 SOP_Node::getMemoryUsage(bool) const {
  return 1000;
}

int64 SOP_Node::getLoadedMemoryUsage() const {
  return 1000 * (gdp->getNumPoints() + gdp->getNumPrimitives());
}

bool SOP_Node::unloadData() {
  gdp->clear();
  cooked_ = false;
  dirty_ = true;
  return true;
}

void SOP_Node::getNodeSpecificInfoText(OP_Context&, OP_NodeInfoParms& parms) {
  parms.append((std::to_string(gdp->getNumPoints()) + " points\n").c_str());
}

GU_DetailHandle SOP_Node::getCookedGeoHandle(OP_Context& context, int) {
  cook(context.getTime());
  return error() >= UT_ERROR_ABORT ? GU_DetailHandle() : GU_DetailHandle(detail_);
}
