#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/contact/contact_report.h"
#include "solver/elements/element_diagnostics.h"
#include "solver/simulation/state.h"
#include "standalone/geometry/geometry.h"
#include "standalone/scene/scene_file.h"

namespace dashpot {

// The geometry that the frames of a scene hold. All that the bodies' files had stays as it was;
// of a single file, exactly. P and v follow the simulation, and so do points of other primitives
// that ride on the tets. Several bodies are merged; their primitives then have a string attribute
// `name`, and so have those of built-in shapes and mesh files. Nothing depends on the date, the
// machine or the user: equal states give equal files.
//
// P and v are fpreal64 if a body's file has them so, or if a body starts so far from the origin
// that fpreal32 would be coarse for its edges; else fpreal32.
class FrameGeometry {
 public:
  // Where a body is in the frames; tets are counted in file order, other primitives left out.
  struct Range {
    int first_point, point_count;
    int first_tet, tet_count;
  };

  // `scene` must outlive this. Diagnostics become primitive attributes of fpreal32, zero for
  // primitives that are no tets.
  FrameGeometry(const SceneFile& scene, std::vector<const ElementDiagnostic*> diagnostics);

  const std::vector<Range>& bodies() const { return ranges_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

  // The geometry at a state, valid until the next call. `values` are those of the diagnostics, as
  // Simulation::evaluate() gives them; `contacts`, if given, become point attributes. Throws
  // SimulationError, naming the frame and point, if a position or velocity is not finite in single
  // precision.
  const Geometry& at(int frame, const State& state, const std::vector<std::vector<double>>& values,
                     const ContactReport* contacts = nullptr);

  // A sentence if this state is so far from the origin that fpreal32 frames of it are coarse.
  std::optional<std::string> precision_warning(const State& state) const;

 private:
  void choose_precision();
  // Whether fpreal32 tells the points of a body apart badly where it is.
  bool is_coarse(std::size_t body, const Points& positions) const;
  Points of_all_points(const Points& mesh_values, bool velocities) const;
  void set_contacts(const ContactReport& report);
  void set_diagnostic(const char* token, const std::vector<double>& values);

  const SceneFile& scene_;
  std::vector<const ElementDiagnostic*> diagnostics_;
  std::vector<Range> ranges_;
  std::vector<int> tet_primitives_;  // primitive of each tet of the simulation
  std::vector<std::string> warnings_;
  Geometry geometry_;
  std::vector<double> edge_lengths_;  // mean of each body, at rest
  Precision positions_ = Precision::kSingle, velocities_ = Precision::kSingle;
};

}  // namespace dashpot
