#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "GA/GA_Handle.h"
#include "GEO/GEO_PrimType.h"
#include "GU/GU_Detail.h"
#include "OP/OP_OperatorTable.h"
#include "SOP/SOP_Node.h"
#include "solver/simulation/scene.h"
#include "standin.h"

namespace dashpot {

// All bodies of a scene as one Houdini geometry that says everything about them with attributes.
void fill_detail(const Scene& scene, GU_Detail& detail);

// The same topology, with pinned points where they are at a time.
void fill_targets(const Scene& scene, double time, GU_Detail& detail);

Points positions_of(const GU_Detail& detail);
Points vectors_of(const GU_Detail& detail, const char* name);
Eigen::Matrix3Xf rounded(const Points& points);

// A pinned bar of a few tets that swings.
Scene bar_scene();
void fill_bar(GU_Detail& detail, double frame);

// A Houdini network with one solver node.
class Network {
 public:
  Network();

  SOP_Node& solver() { return *solver_; }
  const OP_Operator& type() const { return *type_; }
  // nullptr disconnects.
  standin::SourceNode& connect(unsigned input, standin::SourceNode::Maker maker,
                               bool time_dependent = false);
  void disconnect(unsigned input) { solver_->set_input(input, nullptr); }
  void set(const SolverSettings& settings);

  const GU_Detail& cook(double frame) { return *solver_->cook(standin::time_of(frame)); }
  Points positions(double frame) { return positions_of(cook(frame)); }
  std::vector<std::string> errors() const { return messages(UT_ERROR_ABORT); }
  std::vector<std::string> warnings() const { return messages(UT_ERROR_WARNING); }
  // The lines of the info window that newer Houdinis show.
  std::map<std::string, std::string> info() const;
  int simulated_frames() const { return std::stoi(info().at("Since the last edit")); }

 private:
  std::vector<std::string> messages(UT_ErrorSeverity severity) const;

  OP_OperatorTable table_;
  OP_Operator* type_;
  OP_Network parent_;
  std::vector<std::unique_ptr<standin::SourceNode>> sources_;
  std::unique_ptr<OP_Node> owner_;
  SOP_Node* solver_;
};

}  // namespace dashpot
