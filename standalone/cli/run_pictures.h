#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "standalone/render/contact_overlay.h"
#include "standalone/runs/ground.h"
#include "standalone/runs/run_colliders.h"
#include "standalone/runs/run_names.h"
#include "standalone/runs/run_surface.h"

namespace dashpot {

// The values of the darkest and the brightest colour.
struct ColourRange {
  double low = 0, high = 0;
};

struct PictureOptions {
  std::vector<ShownRun> runs;
  int columns = 0;     // of runs side by side; 0: about as many as rows
  std::string view;    // direction to look along, "" for three quarters
  std::string camera;  // "eye:target" or "eye:target:degrees"; "" fits it to the runs
  GroundChoice ground;
  std::string shade;                 // token of a shading; "" gives each body a colour
  std::optional<ColourRange> range;  // what the runs have, if it is not given
  bool contacts = false;             // dots and arrows where bodies touch something
  SurfaceChoice surface = SurfaceChoice::kAuto;
  bool labels = true;
  RenderSettings settings;  // of one run's picture
};

// Pictures of the frames of one run, or of several with one camera, one floor and one colour scale.
class RunPictures {
 public:
  // Throws InputError for a run that cannot be shaded as asked, and if no run has frames.
  explicit RunPictures(const PictureOptions& options);

  // Of the first run.
  double fps() const;
  // Frames of any run, ascending.
  std::vector<int> frames() const;
  std::size_t run_count() const { return runs_.size(); }
  // Sentences: what cannot be drawn, and which runs are left out.
  const std::vector<std::string>& problems() const { return problems_; }

  // One run at a frame, with or without the colour scale; `corner` is written at the upper right. A
  // run that ended before shows its last frame and says so.
  Image run_at(std::size_t run_number, int frame, bool with_scale,
               const std::string& corner = "") const;
  // All runs side by side. Throws InputError if no run has the frame.
  Image at(int frame) const;

 private:
  struct Run {
    std::string name;
    RunDirectory directory;
    std::unique_ptr<RunSurface> surface;
    std::vector<RunCollider> colliders;
  };
  using Boxes = std::vector<Eigen::AlignedBox3d>;

  void open(const ShownRun& shown);
  void survey(Boxes& bodies, Boxes& colliders);
  void place_camera(const Boxes& boxes);
  double label_margin() const;
  void place_ground(const Boxes& boxes);
  bool has_floor(const Run& run) const;
  Picture picture(const Run& run, const Geometry& geometry, double time) const;
  Eigen::Vector3f part_colour(const DrawnPoints::Part& part, int index) const;
  std::vector<ContactArrow> arrows(const Geometry& frame) const;

  PictureOptions options_;
  const Shading* shading_ = nullptr;
  ColourRange range_;
  double top_force_ = 0;                    // N; of the longest arrow
  std::vector<std::unique_ptr<Run>> runs_;  // surfaces refer to their directories
  Camera camera_;
  std::optional<Ground> floor_;
  std::vector<std::string> problems_;
};

}  // namespace dashpot
