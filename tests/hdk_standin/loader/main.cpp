// Loads the plugin as Houdini does and cooks it: a tet falls for two frames.
//   host dashpot.so
#include <dlfcn.h>

#include <cmath>
#include <cstdio>

#include "GA/GA_Handle.h"
#include "GAS/GAS_SubSolver.h"
#include "GEO/GEO_PrimType.h"
#include "OP/OP_OperatorTable.h"
#include "standin.h"

namespace {

void fill_tet(GU_Detail& detail, double) {
  for (int corner = 0; corner < 4; ++corner)
    detail.add_point(corner == 1, corner == 2, corner == 3);
  detail.add_primitive(GEO_PRIMTETRAHEDRON, {0, 1, 2, 3});
}

bool falls(SOP_Node& solver) {
  for (int frame = 1; frame <= 3; ++frame) {
    const GU_Detail* shown = solver.cook(standin::time_of(frame));
    for (const OP_Node::Message& message : solver.messages()) std::puts(message.text.c_str());
    const double time = (frame - 1) / 24.0;
    const double y = GA_ROHandleD(shown->getP()).get(shown->pointOffset(0), 1);
    if (!(std::abs(y + 0.5 * 9.81 * time * time) < 1e-5)) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) return std::puts(dlerror()), 1;
  const auto new_sop =
      reinterpret_cast<void (*)(OP_OperatorTable*)>(dlsym(library, "newSopOperator"));
  const auto new_sim = reinterpret_cast<void (*)(void*)>(dlsym(library, "initializeSIM"));
  if (!new_sop || !new_sim) return std::puts("an entry point is missing"), 1;

  standin::set_fps(24);
  standin::interrupt_after(-1);
  OP_OperatorTable table;
  new_sop(&table);
  new_sim(nullptr);
  OP_Operator* type = table.find("dashpot::solver::1.0");
  if (!type) return std::puts("the SOP is not registered"), 1;
  OP_Network parent;
  standin::SourceNode source(fill_tet, false);
  auto* solver = static_cast<SOP_Node*>(type->create(&parent, "solver1"));
  solver->set_input(0, &source);
  if (!falls(*solver)) return std::puts("the tet does not fall as it should"), 1;
  std::printf("cooked 3 frames of dashpot::solver::1.0, %zu DOP\n", SIM_DataFactory::all().size());
}
