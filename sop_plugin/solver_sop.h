#pragma once

#include <SOP/SOP_Node.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "solver/host/body_points.h"
#include "solver/host/node_values.h"
#include "solver/playback/current_shape.h"
#include "solver/playback/playback.h"
#include "sop_plugin/collider_input.h"
#include "sop_plugin/kept_input.h"

namespace dashpot {

// dashpot::solver::1.0. Translates between Houdini and solver/playback, which has the frame logic.
class SOP_DashpotSolver final : public SOP_Node {
 public:
  static void add_to(OP_OperatorTable* table);

  void resetSimulation() override;
  int64 getMemoryUsage(bool inclusive) const override;
  void getNodeSpecificInfoText(OP_Context& context, OP_NodeInfoParms& parms) override;
  void fillInfoTreeNodeSpecific(UT_InfoTree& tree, const OP_NodeInfoTreeParms& parms) override;

 protected:
  SOP_DashpotSolver(OP_Network* parent, const char* name, OP_Operator* op);
  ~SOP_DashpotSolver() override;

  OP_ERROR cookMySop(OP_Context& context) override;
  // The last output's topology and attributes go on to be used.
  bool shouldResetGeoToEmpty() const override { return false; }

 private:
  class Cook;  // one cook, as the playback's host

  // What stays from cook to cook besides the frames.
  struct Setup {
    GU_Detail geometry;  // the input as it was when the simulation began
    TetMesh mesh;
    BodyPoints points;
    std::vector<int> pinned;                            // points of the geometry
    std::shared_ptr<SampledMotion> motion;              // of those, if they are animated
    std::vector<std::shared_ptr<CurrentShape>> shapes;  // of the colliders
    std::uint64_t shapes_hash = 0;                      // of what they were made from
    std::vector<std::string> advice;                    // about the scene
  };

  struct KeptColliders {
    std::shared_ptr<const ColliderGrids> grids;
    std::uint64_t hash = 0;
  };
  // Label and text, for both kinds of info windows.
  std::vector<std::pair<std::string, std::string>> info() const;

  static OP_Node* construct(OP_Network* parent, const char* name, OP_Operator* op);
  static int on_reset(void* node, int index, fpreal time, const PRM_Template* parm);

  void cook_frame(OP_Context& context);
  EvaluateParameter evaluator(fpreal time) const;
  EvaluateRamp ramp_evaluator(fpreal time) const;
  void show(const ShownFrame& shown, int frame, fpreal time);
  void warn(const ShownFrame& shown, OP_Context& context, fpreal start_time);

  Playback playback_;
  std::unique_ptr<Setup> setup_;
  FrameCache::Entry shown_;
  std::uint64_t cooks_ = 0;
  KeptGeometry start_;  // input 1 at the start frame
  KeptFrames<Points> targets_;
  KeptFrames<KeptColliders> colliders_;
  // Content hash of an input whose data ids were these.
  std::vector<GA_DataId> hashed_ids_, collider_ids_;
  std::uint64_t hashed_ = 0, collider_hash_ = 0;
};

}  // namespace dashpot
