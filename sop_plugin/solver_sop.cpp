#include "sop_plugin/solver_sop.h"

#include <CH/CH_Manager.h>
#include <OP/OP_AutoLockInputs.h>
#include <OP/OP_NodeInfoParms.h>
#include <OP/OP_Operator.h>
#include <OP/OP_OperatorTable.h>
#include <PRM/PRM_TemplateBuilder.h>
#include <UT/UT_InfoTree.h>
#include <UT/UT_Ramp.h>
#include <UT/UT_StringHolder.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "solver/base/error.h"
#include "solver/elements/element_diagnostics.h"
#include "solver/host/dialog_script.h"
#include "sop_plugin/detail_view.h"
#include "sop_plugin/detail_writer.h"
#include "sop_plugin/guard.h"
#include "sop_plugin/host_ramp.h"
#include "sop_plugin/sop_cook.h"

namespace dashpot {
namespace {

std::string decimal(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

void SOP_DashpotSolver::add_to(OP_OperatorTable* table) {
  static const char* labels[] = {"Tetrahedra", "Animated Targets", "Colliders", nullptr};
  static const std::string script = dialog_script(NodeKind::kSop);
  static PRM_TemplateBuilder builder(UT_StringHolder("dashpot_solver_sop.ds"), script.c_str());
  if (builder.justBuilt()) builder.setCallback("resimulate", &SOP_DashpotSolver::on_reset);
  auto* op =
      new OP_Operator("dashpot::solver::1.0", "Dashpot Solver", &SOP_DashpotSolver::construct,
                      builder.templates(), 1, 3, nullptr, 0, labels, 1, "Dashpot");
  op->setIconName("SOP_tetembed");
  table->addOperator(op);
}

OP_Node* SOP_DashpotSolver::construct(OP_Network* parent, const char* name, OP_Operator* op) {
  return new SOP_DashpotSolver(parent, name, op);
}

SOP_DashpotSolver::SOP_DashpotSolver(OP_Network* parent, const char* name, OP_Operator* op)
    : SOP_Node(parent, name, op) {
  mySopFlags.setManagesDataIDs(true);
}

SOP_DashpotSolver::~SOP_DashpotSolver() = default;

int SOP_DashpotSolver::on_reset(void* node, int, fpreal, const PRM_Template*) {
  auto* sop = static_cast<SOP_DashpotSolver*>(node);
  sop->resetSimulation();
  sop->forceRecook();
  return 1;
}

void SOP_DashpotSolver::resetSimulation() {
  playback_.reset();
  start_.known = false;
  targets_.forget();
  colliders_.forget();
  setup_.reset();
  shown_.reset();
}

// Frames are no cooked data that Houdini may unload to stay below a limit: to get them back costs a
// simulation. The node has a limit of its own for them.
int64 SOP_DashpotSolver::getMemoryUsage(bool inclusive) const {
  return SOP_Node::getMemoryUsage(inclusive) + static_cast<int64>(playback_.bytes());
}

EvaluateParameter SOP_DashpotSolver::evaluator(fpreal time) const {
  return [this, time](const Parameter& p, int component) -> double {
    if (p.type == ParameterType::kFloat || p.type == ParameterType::kVector3)
      return evalFloat(p.token.c_str(), component, time);
    return static_cast<double>(evalInt(p.token.c_str(), component, time));
  };
}

EvaluateRamp SOP_DashpotSolver::ramp_evaluator(fpreal time) const {
  return [this, time](const Parameter& p) {
    const std::string range = range_token(p);
    std::vector<HostRampKey> keys;
    const auto count = static_cast<int>(evalInt(p.token.c_str(), 0, time));
    // Key by key, because Houdini's own ramps are of single precision.
    for (int i = 1; i <= count; ++i)  // as Houdini numbers them
      keys.push_back(
          {evalFloatInst((p.token + "#pos").c_str(), &i, 0, time),
           evalFloatInst((p.token + "#value").c_str(), &i, 0, time),
           ramp_basis(static_cast<int>(evalIntInst((p.token + "#interp").c_str(), &i, 0, time)))});
    UT_Ramp curve;
    updateRampFromMultiParm(time, getParm(p.token.c_str()), curve);
    return make_node_ramp(std::move(keys),
                          {evalFloat(range.c_str(), 0, time), evalFloat(range.c_str(), 1, time)},
                          [&](double position) { return ramp_value(curve, position); });
  };
}

OP_ERROR SOP_DashpotSolver::cookMySop(OP_Context& context) {
  flags().setTimeDep(true);
  guarded(
      [&] {
        try {
          cook_frame(context);
        } catch (const Interrupted&) {  // Houdini knows, and cooks again
        }
      },
      [&](const std::string& sentence) { addError(SOP_MESSAGE, sentence.c_str()); });
  return error();
}

void SOP_DashpotSolver::cook_frame(OP_Context& context) {
  const fpreal now = context.getTime();
  PlaybackSettings settings;
  settings.start_frame = static_cast<int>(evalInt("startframe", 0, now));
  settings.fps = CHgetManager()->getSamplesPerSec();
  settings.cache_enabled = evalInt("cacheenabled", 0, now) != 0;
  settings.cache_bytes =
      static_cast<std::size_t>(std::max<int64>(0, evalInt("cachemaxsize", 0, now))) << 20;
  settings.auto_reset = evalInt("autoresim", 0, now) != 0;
  const fpreal start_time = CHgetTimeFromFrame(settings.start_frame);
  ++cooks_;
  Cook cook(*this, context, read_node_values(NodeKind::kSop, evaluator(start_time)), settings);
  const fpreal frame = context.getFloatFrame();
  const ShownFrame shown = playback_.cook(frame, settings, cook);
  if (shown.kind == ShownFrame::Kind::kInterrupted) return;
  if (shown.kind == ShownFrame::Kind::kPassThrough) {
    cook.pass_through();
    shown_.reset();
    return;
  }
  // Attributes that do not matter to the simulation are those of the input now.
  gdp->replaceWith(shown.stale ? setup_->geometry : cook.start_geometry());
  show(shown, static_cast<int>(std::floor(frame)), now);
  warn(shown, context, start_time);
}

void SOP_DashpotSolver::show(const ShownFrame& shown, int frame, fpreal time) {
  const Points positions = geometry_positions(setup_->points, setup_->mesh, shown.x);
  const Points velocities = geometry_velocities(setup_->points, setup_->mesh, shown.v);
  refuse_not_finite(frame, positions, "position");
  refuse_not_finite(frame, velocities, "velocity");
  write_points(*gdp, positions, velocities);
  std::vector<const ElementDiagnostic*> wanted;
  for (const ElementDiagnostic& d : element_diagnostics())
    if (evalInt(output_toggle(d.token).c_str(), 0, time) != 0) wanted.push_back(&d);
  if (!wanted.empty()) {
    const auto values = playback_.evaluate(wanted);
    for (std::size_t k = 0; k < wanted.size(); ++k)
      write_diagnostic(*gdp, wanted[k]->token, values[k], setup_->points.tet_primitives);
  }
  if (evalInt(output_toggle(kContactsToken).c_str(), 0, time) != 0) {
    const PointContacts contacts = point_contacts(shown.frame->report.contact, setup_->points, 0);
    write_contacts(*gdp, contacts);
    if (evalInt(output_toggle(kContactColorToken).c_str(), 0, time) != 0)
      write_contact_colours(*gdp, contacts);
  }
  shown_ = shown.frame;
}

void SOP_DashpotSolver::warn(const ShownFrame& shown, OP_Context& context, fpreal start_time) {
  const auto add = [&](const std::string& text) { addWarning(SOP_MESSAGE, text.c_str()); };
  for (const std::string& sentence : setup_->advice) add(sentence);
  const SolverSettings& settings = playback_.simulation()->scene().settings;
  for (const Status status : kComplaints)
    if (shown.frame->report.has(status)) add(remedy(status, shown.frame->report, settings));
  if (shown.stale)
    add("An input or a parameter was edited since the simulation began; press Reset Simulation or "
        "turn Auto Reset on to follow it.");
  for (const std::string& token :
       differing_parameters(NodeKind::kSop, evaluator(start_time), evaluator(context.getTime())))
    add(token + " is animated; its value at the start frame is used for all frames.");
  if (getInput(1) && setup_->pinned.empty())
    add("Input 2 has nothing to do: no point is pinned; set the point attribute pintoanimation.");
  if (getInput(2) && setup_->shapes.empty())
    add("Input 3 has no VDBs: nothing collides. Use VDB from Polygons to make some.");
}

std::vector<std::pair<std::string, std::string>> SOP_DashpotSolver::info() const {
  if (!shown_ || !setup_) return {};
  const FrameReport& report = shown_->report;
  const EnergyLedger& energy = report.energy;
  const SetupWork setup =
      playback_.simulation() ? playback_.simulation()->setup_work() : SetupWork();
  return {
      {"Body", std::to_string(setup_->mesh.tet_count()) + " tets, " +
                   std::to_string(setup_->mesh.point_count()) + " points"},
      {"Frame", std::to_string(report.iterations) + " iterations, " +
                    decimal("%.1f", report.ms.total) + " ms, residual " +
                    decimal("%.2g", report.primal_residual)},
      {"Energy", decimal("%.6g", energy.total) + " J: kinetic " + decimal("%.4g", energy.kinetic) +
                     ", elastic " + decimal("%.4g", energy.elastic) + ", gravitational " +
                     decimal("%.4g", energy.gravitational)},
      {"Cache", std::to_string(playback_.cached_frames()) + " frames, " +
                    decimal("%.1f", static_cast<double>(playback_.bytes()) / (1 << 20)) + " MB"},
      {"Since the last edit", std::to_string(playback_.simulated_frames()) + " frames simulated, " +
                                  std::to_string(setup.orderings) + " orderings, " +
                                  std::to_string(setup.factorizations) + " factorizations"},
  };
}

void SOP_DashpotSolver::getNodeSpecificInfoText(OP_Context& context, OP_NodeInfoParms& parms) {
  SOP_Node::getNodeSpecificInfoText(context, parms);
  for (const auto& [label, text] : info())
    parms.append(("Dashpot " + label + ": " + text + "\n").c_str());
}

// Where newer windows look.
void SOP_DashpotSolver::fillInfoTreeNodeSpecific(UT_InfoTree& tree,
                                                 const OP_NodeInfoTreeParms& parms) {
  SOP_Node::fillInfoTreeNodeSpecific(tree, parms);
  UT_InfoTree* branch = tree.addChildMap("Dashpot");
  for (const auto& [label, text] : info()) branch->addProperties(label.c_str(), text.c_str());
}

}  // namespace dashpot
