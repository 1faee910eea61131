// What Houdini looks for in a DSO.
#include <OP/OP_OperatorTable.h>
#include <SIM/SIM_Utils.h>  // declares initializeSIM
#include <UT/UT_DSOVersion.h>

#include "sop_plugin/solver_dop.h"
#include "sop_plugin/solver_sop.h"

using dashpot::GAS_DashpotSolver;
using dashpot::SOP_DashpotSolver;

void newSopOperator(OP_OperatorTable* table) {
  SOP_DashpotSolver::add_to(table);
}

void initializeSIM(void*) {
  IMPLEMENT_DATAFACTORY(GAS_DashpotSolver);
}
