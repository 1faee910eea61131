#include <algorithm>
#include <stdexcept>

#include "UT/UT_Interrupt.h"
#include "standin.h"

namespace {

// Those that have geometry, the one used last at the end.
std::vector<SOP_Node*>& nodes_by_use() {
  static std::vector<SOP_Node*> all;
  return all;
}

std::int64_t cache_limit = -1;
int cooks_open = 0;

void forget(SOP_Node* node) {
  auto& all = nodes_by_use();
  all.erase(std::remove(all.begin(), all.end(), node), all.end());
}
void note_use(SOP_Node* node) {
  forget(node);
  nodes_by_use().push_back(node);
}

void leave_half_made(GU_Detail& detail) {
  if (detail.getNumPoints() == 0) return detail.clear();
  for (GA_Index i = detail.getNumPoints() / 2; i < detail.getNumPoints(); ++i)
    for (int axis = 0; axis < 3; ++axis) detail.getP()->set_number(detail.pointOffset(i), axis, 0);
}

}  // namespace

namespace standin {

void set_cache_limit(std::int64_t bytes) {
  cache_limit = bytes;
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
  ++cooks_[context.getFloatFrame()];
  UT_AutoInterrupt boss("Making geometry");
  maker_(*gdp, context.getFloatFrame());
  if (!polls_throw() && boss.wasInterrupted()) leave_half_made(*gdp);
  return error();
}

}  // namespace standin

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

void OP_Node::make_dirty() {
  dirty_ = true;
  data_micro_node_.bump();
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
SOP_Node::~SOP_Node() {
  forget(this);
}

OP_ERROR SOP_Node::lockInput(unsigned index, OP_Context& context) {
  auto* input = static_cast<SOP_Node*>(getInput(index));
  if (!input) {
    addError(SOP_MESSAGE, "Not enough sources specified.");
    return error();
  }
  if (locked_.size() <= index) locked_.resize(index + 1);
  if (locked_[index].is_locked) throw std::logic_error("an input was locked twice");
  input->cook(context.getTime());
  if (input->error() >= UT_ERROR_ABORT) {
    addError(SOP_MESSAGE, "Invalid source.");
    return error();
  }
  locked_[index] = {true, input->loses_geometry ? nullptr : input->detail_};
  return UT_ERROR_NONE;
}

void SOP_Node::unlockInput(unsigned index) {
  if (index >= locked_.size() || !locked_[index].is_locked)
    throw std::logic_error("an input that was not locked was unlocked");
  locked_[index] = {};
}

const GU_Detail* SOP_Node::inputGeo(int index) const {
  const auto i = static_cast<std::size_t>(index);
  return i < locked_.size() ? locked_[i].detail.get() : nullptr;
}

const GU_Detail* SOP_Node::cook(fpreal time) {
  const bool other_time = flags_.getTimeDep() && time != cooked_time_;
  note_use(this);
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
  const int interruptions_before = standin::interruptions();
  dirty_ = false;
  ++cook_count_;
  ++cooks_open;
  cookMySop(context);
  --cooks_open;
  for (const LockedInput& input : locked_)
    if (input.is_locked) throw std::logic_error("a cook left an input locked");
  // Houdini cooks an interrupted node again.
  if (standin::interruptions() != interruptions_before || standin::was_interrupted()) dirty_ = true;
  cooked_ = true;
  cooked_time_ = time;
  if (!mySopFlags.getManagesDataIDs())
    for (const auto& [name, id] : gdp->data_ids()) {
      (void)id;
      const auto colon = name.find(':');
      if (colon == std::string::npos) continue;
      gdp->findAttribute(static_cast<GA_AttributeOwner>(std::stoi(name)), name.c_str() + colon + 1)
          ->bumpDataId();
    }
  note_use(this);
  if (cooks_open == 0) keep_cache_limit();
  return gdp;
}

// What was used last is in use.
void SOP_Node::keep_cache_limit() {
  const std::vector<SOP_Node*> nodes = nodes_by_use();
  int64 loaded = 0;
  for (const SOP_Node* node : nodes) loaded += node->getLoadedMemoryUsage();
  for (SOP_Node* node : nodes) {
    if (cache_limit < 0 || loaded <= cache_limit || node == nodes.back()) return;
    loaded -= node->getLoadedMemoryUsage();
    node->unloadData();
    loaded += node->getLoadedMemoryUsage();
  }
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
  return true;
}

void SOP_Node::getNodeSpecificInfoText(OP_Context&, OP_NodeInfoParms& parms) {
  parms.append((std::to_string(gdp->getNumPoints()) + " points\n").c_str());
}

void SOP_Node::fillInfoTreeNodeSpecific(UT_InfoTree& tree, const OP_NodeInfoTreeParms&) {
  tree.addChildMap("SOP Info");
}

GU_DetailHandle SOP_Node::getCookedGeoHandle(OP_Context& context, int) {
  cook(context.getTime());
  return error() >= UT_ERROR_ABORT ? GU_DetailHandle() : GU_DetailHandle(detail_);
}
