#pragma once

#include <OP/OP_AutoLockInputs.h>
#include <UT/UT_Interrupt.h>

#include "sop_plugin/collider_input.h"
#include "sop_plugin/solver_sop.h"

namespace dashpot {

// One cook: what the playback asks for, answered by Houdini.
class SOP_DashpotSolver::Cook final : public PlaybackHost {
 public:
  Cook(SOP_DashpotSolver& node, const OP_Context& context, const NodeValues& values,
       const PlaybackSettings& settings);

  std::uint64_t identity() override;
  Scene scene() override;
  bool has_animated_inputs() override;
  std::uint64_t inputs_at(int frame) override;
  void use_inputs_at(int frame) override;
  bool interrupted(double done) override;

  // Input 1 at the start frame, which stays locked during the cook. Throws InputError.
  const GU_Detail& start_geometry();

 private:
  struct Colliders {
    std::shared_ptr<const ColliderGrids> grids;
    std::uint64_t hash = 0;
  };

  bool is_connected(unsigned input) const { return node_.getInput(input) != nullptr; }
  double time_of(int frame) const;
  OP_Context context_at(int frame) const;
  const Points& targets_at(int frame);  // of all points of input 2
  const Colliders& colliders_at(int frame);
  void use_colliders_at(int frame);

  SOP_DashpotSolver& node_;
  const OP_Context& context_;
  const NodeValues& values_;
  const PlaybackSettings& settings_;
  OP_AutoLockInputs start_lock_;
  const GU_Detail* start_geometry_ = nullptr;
  UT_AutoInterrupt boss_;
  std::map<int, Points> targets_;  // of the last two frames that this cook has read
  std::map<int, Colliders> colliders_;
};

}  // namespace dashpot
