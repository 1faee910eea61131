#include "sop_plugin/solver_dop.h"

#include <GA/GA_Handle.h>
#include <GU/GU_Detail.h>
#include <GU/GU_DetailHandle.h>
#include <OP/OP_Context.h>
#include <PRM/PRM_TemplateBuilder.h>
#include <SIM/SIM_DataFilter.h>
#include <SIM/SIM_Engine.h>
#include <SIM/SIM_ForceGravity.h>
#include <SIM/SIM_GeometryCopy.h>
#include <SIM/SIM_Position.h>
#include <SIM/SIM_Utils.h>
#include <SOP/SOP_Node.h>
#include <UT/UT_Array.h>
#include <UT/UT_Interrupt.h>
#include <UT/UT_Matrix4.h>
#include <UT/UT_StringHolder.h>
#include <UT/UT_Vector2.h>

#include <mutex>
#include <utility>

#include "solver/base/error.h"
#include "solver/elements/element_diagnostics.h"
#include "solver/host/body_points.h"
#include "solver/host/dialog_script.h"
#include "solver/playback/interrupted.h"
#include "solver/playback/microsolver.h"
#include "sop_plugin/collider_input.h"
#include "sop_plugin/detail_view.h"
#include "sop_plugin/detail_writer.h"
#include "sop_plugin/guard.h"
#include "sop_plugin/host_ramp.h"

namespace dashpot {
namespace {

constexpr const char* kStateAttribute = "dashpot_state";

std::vector<std::int64_t> read_state(const GU_Detail& detail) {
  const GA_ROHandleIDA handle(detail.findAttribute(GA_ATTRIB_DETAIL, kStateAttribute));
  if (!handle.isValid()) return {};
  UT_Int64Array words;
  handle.get(GA_Offset(0), words);
  std::vector<std::int64_t> state;
  for (exint i = 0; i < words.size(); ++i) state.push_back(words(i));
  return state;
}

void write_state(GU_Detail& detail, const std::vector<std::int64_t>& state) {
  GA_Attribute* attribute = detail.findAttribute(GA_ATTRIB_DETAIL, kStateAttribute);
  if (!attribute)
    attribute =
        detail.addIntArray(GA_ATTRIB_DETAIL, kStateAttribute, 1, nullptr, nullptr, GA_STORE_INT64);
  UT_Int64Array words;
  words.setSize(static_cast<exint>(state.size()));
  for (std::size_t i = 0; i < state.size(); ++i) words(static_cast<exint>(i)) = state[i];
  const GA_RWHandleIDA handle(attribute);
  handle.set(GA_Offset(0), words);
  handle.bumpDataId();
}

// Later steps must know the shape that was at rest before the first one.
void keep_rest_shape(GU_Detail& detail, const Points& rest) {
  GA_Attribute* attribute = detail.addTuple(GA_STORE_REAL64, GA_ATTRIB_POINT, "restP", 3);
  attribute->setTypeInfo(GA_TYPE_POINT);
  const GA_RWHandleV3D handle(attribute);
  for (Eigen::Index i = 0; i < rest.cols(); ++i)
    handle.set(detail.pointOffset(GA_Index(i)), UT_Vector3D(rest(0, i), rest(1, i), rest(2, i)));
  handle.bumpDataId();
}

void write_result(const Microstep& step, const MicrostepResult& result, GU_Detail& detail) {
  if (!step.geometry.find(AttributeOwner::kPoint, "restP") &&
      !step.geometry.find(AttributeOwner::kPoint, "rest"))
    keep_rest_shape(detail, result.rest);
  write_points(detail, result.x, result.v);
  for (std::size_t k = 0; k < step.diagnostics.size(); ++k)
    write_diagnostic(detail, step.diagnostics[k]->token, result.diagnostics[k],
                     result.tet_primitives);
  if (step.contacts) write_contacts(detail, result.contacts);
  write_state(detail, result.state);
}

// The numbers of the bases are not those of the menu.
const char* basis_name(UT_SPLINE_BASIS basis) {
  switch (basis) {
    case UT_SPLINE_LINEAR:
      return "linear";
    case UT_SPLINE_CATMULL_ROM:
      return "catmull-rom";
    case UT_SPLINE_MONOTONECUBIC:
      return "monotonecubic";
    case UT_SPLINE_BEZIER:
      return "bezier";
    case UT_SPLINE_CONSTANT:
      return "constant";
    default:
      return "of Houdini's own";
  }
}

Vec3 network_gravity(const SIM_Object& object) {
  SIM_ConstDataArray forces;
  object.filterConstSubData(forces, nullptr, SIM_DataFilterByType("SIM_ForceGravity"),
                            SIM_FORCES_DATANAME, SIM_DataFilterNone());
  Vec3 sum = Vec3::Zero();
  for (exint i = 0; i < forces.entries(); ++i)
    if (const auto* force = SIM_DATA_CASTCONST(forces(i), SIM_ForceGravity)) {
      const UT_Vector3D gravity = force->getGravityD();
      sum += Vec3(gravity.x(), gravity.y(), gravity.z());
    }
  return sum;
}

}  // namespace

std::shared_ptr<Microsolver> shared_microsolver() {
  static std::mutex mutex;
  static auto* const shared = new std::weak_ptr<Microsolver>;  // is not destroyed at the end
  const std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<Microsolver> microsolver = shared->lock();
  if (!microsolver) *shared = microsolver = std::make_shared<Microsolver>();
  return microsolver;
}

const SIM_DopDescription* GAS_DashpotSolver::getDopDescription() {
  static const std::string script = dialog_script(NodeKind::kDop);
  static PRM_TemplateBuilder builder(UT_StringHolder("dashpot_solver_dop.ds"), script.c_str());
  static SIM_DopDescription description(true, "dashpot_solver", "Dashpot Solver", "Solver",
                                        classname(), builder.templates());
  description.setDefaultUniqueDataName(true);
  setGasDescription(description);
  return &description;
}

EvaluateParameter GAS_DashpotSolver::evaluator() const {
  return [this](const Parameter& p, int) -> double {
    const UT_StringHolder name(p.token.c_str());
    if (p.type == ParameterType::kFloat) return getOptions().getOptionF(name);
    if (p.type == ParameterType::kBool) return getOptions().getOptionB(name) ? 1 : 0;
    return static_cast<double>(getOptions().getOptionI(name));
  };
}

EvaluateRamp GAS_DashpotSolver::ramp_evaluator() const {
  return [this](const Parameter& p) {
    const UT_Vector2D& ends = getOptions().getOptionV2(range_token(p).c_str());
    const RampRange range{ends.x(), ends.y()};
    UT_Ramp curve;
    if (!getDampingRamp(curve)) return NodeRamp{node_ramp(p, p.ramp).keys, range};
    std::vector<HostRampKey> keys;
    for (int i = 0; i < curve.getNodeCount(); ++i) {
      const UT_ColorNode* node = curve.getNode(i);
      keys.push_back({node->t, node->rgba.r, basis_name(node->basis)});
    }
    return make_node_ramp(std::move(keys), range,
                          [&](double position) { return ramp_value(curve, position); });
  };
}

std::vector<Collider> GAS_DashpotSolver::colliders(fpreal from, fpreal to, const NodeValues& values,
                                                   double begin, double end,
                                                   UT_AutoInterrupt& boss) const {
  const UT_StringHolder& path = getOptions().getOptionS("colliderpath");
  SOP_Node* node = getSOPNode(path.c_str(), true);
  if (!node) throw InputError("colliderpath: there is no SOP '" + std::string(path.c_str()) + "'.");
  const auto read = [&](fpreal at) {
    OP_Context context(at);
    const GU_DetailHandle handle = node->getCookedGeoHandle(context);
    if (boss.wasInterrupted()) throw Interrupted();  // it may be half made
    const GU_DetailHandleAutoReadLock lock(handle);
    const GU_Detail* detail = handle.isNull() ? nullptr : lock.getGdp();
    if (!detail)
      throw InputError("colliderpath: '" + std::string(path.c_str()) + "' could not be cooked.");
    return read_colliders(*detail, path.c_str(), values.collider);
  };
  const ColliderMoment first{begin, read(from)};
  return make_colliders(first, {end, read(to)});
}

void GAS_DashpotSolver::warn(const SIM_Object* object, const std::string& sentence) const {
  addError(object, SIM_MESSAGE, sentence.c_str(), UT_ERROR_WARNING);
}

// Gravity, forces and colliders are given in the world.
void GAS_DashpotSolver::refuse_transform(const SIM_Object& object,
                                         const SIM_Geometry& geometry) const {
  UT_Matrix4D to_object(1.0), to_world(1.0);  // identities
  geometry.getTransform(to_object);
  const SIM_Position* position =
      object.getPositionForGeometry(getOptions().getOptionS(GAS_NAME_GEOMETRY).c_str());
  if (position) position->getTransform(to_world);
  if (!(to_object * to_world).isIdentity())
    throw InputError(
        "the object's Position or geometry transform moves it; transform its points instead, and "
        "leave both at the origin.");
}

bool GAS_DashpotSolver::solveGasSubclass(SIM_Engine& engine, SIM_Object* object, SIM_Time time,
                                         SIM_Time timestep) {
  bool done = false;
  guarded(
      [&] {
        SIM_GeometryCopy* geometry = getGeometryCopy(object, GAS_NAME_GEOMETRY);
        if (!geometry)
          throw InputError("the object has no geometry of the name that the solver is given.");
        refuse_transform(*object, *geometry);
        SIM_GeometryAutoWriteLock lock(geometry, SIM_DATA_ID_PRESERVE);
        try {
          done = step(engine, object, lock.getGdp(), time, timestep);
        } catch (const Interrupted&) {  // Houdini knows, and cooks again
        }
      },
      [&](const std::string& sentence) {
        addError(object, SIM_MESSAGE, sentence.c_str(), UT_ERROR_ABORT);
      });
  return done;
}

bool GAS_DashpotSolver::step(const SIM_Engine& engine, SIM_Object* object, GU_Detail& detail,
                             SIM_Time time, SIM_Time timestep) const {
  UT_AutoInterrupt boss("Simulating soft bodies");
  const DetailView view(detail, "the geometry");
  NodeValues values = read_node_values(NodeKind::kDop, evaluator());
  read_node_ramp(ramp_evaluator(), view, values);
  values.settings.gravity = network_gravity(*object);
  Microstep microstep(view);
  microstep.settings = values.settings;
  microstep.fields = values.fields;
  microstep.contact = values.contact;
  microstep.pin_all = values.pin_all;
  microstep.damping_ramp = values.damping_ramp;
  microstep.dt = timestep;
  microstep.state = read_state(detail);
  if (getOptions().getOptionS("colliderpath").isstring())
    microstep.colliders = [&](double begin, double end) {
      // The network has a clock of its own, which may be offset and scaled.
      const SIM_Time then(fpreal(time) + fpreal(timestep));
      return colliders(engine.getGlobalTime(time), engine.getGlobalTime(then), values, begin, end,
                       boss);
    };
  for (const ElementDiagnostic& d : element_diagnostics())
    if (getOptions().getOptionB(output_toggle(d.token).c_str()))
      microstep.diagnostics.push_back(&d);
  microstep.contacts = getOptions().getOptionB(output_toggle(kContactsToken).c_str());

  const MicrostepResult result =
      microsolver_->step(microstep, [&] { return boss.wasInterrupted(); });
  // The geometry stays as it was, and must not pass for that of the end of the step.
  if (result.cancelled) return false;
  refuse_not_finite(0, result.x, "position");
  refuse_not_finite(0, result.v, "velocity");
  write_result(microstep, result, detail);
  if (microstep.contacts && getOptions().getOptionB(output_toggle(kContactColorToken).c_str()))
    write_contact_colours(detail, result.contacts);
  for (const std::string& sentence : result.advice) warn(object, sentence);
  for (const Status status : kComplaints)
    if (result.report.has(status)) warn(object, remedy(status, result.report, values.settings));
  return true;
}

}  // namespace dashpot
