#pragma once

#include <GAS/GAS_SubSolver.h>
#include <SIM/SIM_DopDescription.h>
#include <SIM/SIM_Object.h>
#include <SIM/SIM_OptionsUser.h>
#include <SIM/SIM_Time.h>
#include <UT/UT_Ramp.h>

#include <memory>

#include "solver/contact/collider.h"
#include "solver/host/node_values.h"
#include "solver/playback/microsolver.h"

class GU_Detail;
class UT_AutoInterrupt;

namespace dashpot {

// Of all solvers of the process. It lives as long as there is one, and never longer: at the end of
// the process there may be nothing left of what its end would need.
std::shared_ptr<Microsolver> shared_microsolver();

// The DOP dashpot_solver, a microsolver: one step of an object's geometry. All that changes is in
// attributes of the geometry (P, v, restP and the detail array dashpot_state), so that Houdini's
// own cache, rewind and .sim files work; meshes and factorisations are shared by all.
class GAS_DashpotSolver : public GAS_SubSolver {
 protected:
  explicit GAS_DashpotSolver(const SIM_DataFactory* factory)
      : BaseClass(factory), microsolver_(shared_microsolver()) {}
  ~GAS_DashpotSolver() override = default;

  bool solveGasSubclass(SIM_Engine& engine, SIM_Object* object, SIM_Time time,
                        SIM_Time timestep) override;

 private:
  static const SIM_DopDescription* getDopDescription();

  GET_DATA_FUNC_RAMP("dampingramp", DampingRamp)

  EvaluateParameter evaluator() const;
  EvaluateRamp ramp_evaluator() const;
  void refuse_transform(const SIM_Object& object, const SIM_Geometry& geometry) const;
  // False if it was interrupted.
  bool step(const SIM_Engine& engine, SIM_Object* object, GU_Detail& detail, SIM_Time time,
            SIM_Time timestep) const;
  // Those of the SOP at two times of the timeline, as the solver has them from begin to end.
  std::vector<Collider> colliders(fpreal from, fpreal to, const NodeValues& values, double begin,
                                  double end, UT_AutoInterrupt& boss) const;
  void warn(const SIM_Object* object, const std::string& sentence) const;

  std::shared_ptr<Microsolver> microsolver_;

  DECLARE_STANDARD_GETCASTTOTYPE();
  DECLARE_DATAFACTORY(GAS_DashpotSolver, GAS_SubSolver, "Dashpot Solver", getDopDescription());
};

}  // namespace dashpot
