#pragma once

#include "SIM/SIM_Standin.h"

class GAS_SubSolver : public SIM_Solver, public SIM_OptionsUser {
 public:
  // For tests: what Houdini's engine calls.
  bool solve(SIM_Engine& engine, SIM_Object* object, SIM_Time time, SIM_Time timestep) {
    return solveGasSubclass(engine, object, time, timestep);
  }

 protected:
  explicit GAS_SubSolver(const SIM_DataFactory* factory) : SIM_Solver(factory) {}
  virtual bool solveGasSubclass(SIM_Engine& engine, SIM_Object* object, SIM_Time time,
                                SIM_Time timestep) = 0;
  // The geometry that the option of this name names; nullptr if there is none.
  SIM_GeometryCopy* getGeometryCopy(SIM_Object* object, const char* option, bool silent = false);
  static void setGasDescription(SIM_DopDescription& description) { description.is_gas = true; }
};
