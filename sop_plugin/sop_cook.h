#pragma once

#include <OP/OP_AutoLockInputs.h>
#include <UT/UT_Interrupt.h>

#include "sop_plugin/solver_sop.h"

namespace dashpot {

// One cook: what the playback asks for, answered by Houdini. An input is cooked where the node does
// not know it yet: at a new frame, or because somebody edited it.
class SOP_DashpotSolver::Cook final : public PlaybackHost {
 public:
  Cook(SOP_DashpotSolver& node, const OP_Context& context, NodeValues values,
       const PlaybackSettings& settings);

  std::uint64_t identity() override;
  Scene scene() override;
  std::vector<int> animated_inputs() override;
  std::uint64_t version(int input) override;
  bool is_still(int input) override;
  std::uint64_t input_at(int input, int frame) override;
  void use_inputs_at(int frame) override;
  bool interrupted(double done) override;

  // Input 1 at the start frame. Throws InputError, Interrupted.
  const GU_Detail& start_geometry();
  // Input 1 now, as the node's output.
  void pass_through();

 private:
  bool is_connected(int input) const;
  std::uint64_t reading(int input);
  double time_of(int frame) const;
  OP_Context context_at(int frame) const;
  // While `lock` lives. Throws InputError, and Interrupted for geometry that may be half made.
  const GU_Detail& locked_geometry(OP_AutoLockInputs& lock, int input, OP_Context& context);
  const Points& targets_at(int frame);  // of all points of input 2
  const KeptColliders& colliders_at(int frame);
  void use_colliders_at(int frame);

  SOP_DashpotSolver& node_;
  const OP_Context& context_;
  NodeValues values_;
  const PlaybackSettings& settings_;
  UT_AutoInterrupt boss_;
};

}  // namespace dashpot
