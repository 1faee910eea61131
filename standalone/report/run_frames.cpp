#include "standalone/report/run_frames.h"

#include <tbb/parallel_for.h>

#include <utility>

#include "solver/base/error.h"
#include "standalone/files/frame_name.h"
#include "standalone/runs/sane_bounds.h"

namespace dashpot {
namespace {

struct LoadedFrame {
  Points positions;
  std::vector<std::vector<float>> values;  // by shading
  ContactPoints contacts;
  std::string trouble;
  bool left_out = false;
};

LoadedFrame load_frame(const RunSurface& surface, int frame) {
  LoadedFrame loaded;
  try {
    const Geometry geometry = surface.read_frame(frame);
    loaded.positions = surface.positions(geometry);
    for (const Shading& shading : shadings())
      loaded.values.push_back(surface.trouble(shading).empty() ? surface.values(shading, geometry)
                                                               : std::vector<float>());
    loaded.contacts = contact_points(geometry);
  } catch (const InputError& error) {
    loaded.trouble = error.what();
  }
  return loaded;
}

// The first frame may be the damaged one: then the others tell what the bodies look like.
void open_surface(SurfaceChoice choice, RunFrames& target) {
  while (!target.run.frames.empty() && !target.surface) {
    try {
      target.surface = std::make_unique<RunSurface>(target.run, choice);
    } catch (const InputError& error) {
      target.problems.push_back("Frame " + std::to_string(target.run.frames.front()) +
                                " cannot be shown: " + error.what());
      target.run.frames.erase(target.run.frames.begin());
    }
  }
}

Eigen::AlignedBox3d box_of(const Points& points) {
  return {Vec3(points.rowwise().minCoeff()), Vec3(points.rowwise().maxCoeff())};
}

// Frames in which the bodies flew apart would leave nothing to see of the others.
void refuse_exploded(const RunStats& stats, const std::vector<int>& numbers,
                     std::vector<LoadedFrame>& loaded, std::vector<std::string>& problems) {
  FrameBoxes boxes;
  for (std::size_t i = 0; i < loaded.size(); ++i)
    if (loaded[i].positions.cols() > 0) boxes[numbers[i]] = box_of(loaded[i].positions);
  const std::set<int> sane = sane_frames(boxes, stats);
  std::vector<int> exploded;
  for (std::size_t i = 0; i < loaded.size(); ++i)
    if (boxes.count(numbers[i]) && !sane.count(numbers[i])) {
      exploded.push_back(numbers[i]);
      loaded[i].left_out = true;
    }
  if (!exploded.empty())
    problems.push_back((exploded.size() > 1 ? "Frames " : "Frame ") + frame_list(exploded) +
                       " cannot be shown: the bodies flew apart.");
}

}  // namespace

void load_run(const ShownRun& shown, SurfaceChoice choice, RunFrames& target) {
  target.run = open_run(shown.directory);
  if (!shown.name.empty()) target.run.name = shown.name;
  target.problems = target.run.problems;
  open_surface(choice, target);
  if (!target.surface) return;
  target.colliders = read_colliders(target.run, target.problems);
  const std::vector<int>& numbers = target.run.frames;
  std::vector<LoadedFrame> loaded(numbers.size());
  tbb::parallel_for(std::size_t{0}, numbers.size(),
                    [&](std::size_t i) { loaded[i] = load_frame(*target.surface, numbers[i]); });
  refuse_exploded(target.run.stats, numbers, loaded, target.problems);
  target.values.resize(shadings().size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!loaded[i].trouble.empty()) {
      target.problems.push_back("Frame " + std::to_string(numbers[i]) +
                                " cannot be shown: " + loaded[i].trouble);
      continue;
    }
    if (loaded[i].left_out) continue;
    target.frames.push_back(numbers[i]);
    target.positions.push_back(std::move(loaded[i].positions));
    if (target.surface->contact_trouble().empty())
      target.contacts.push_back(std::move(loaded[i].contacts));
    for (std::size_t s = 0; s < shadings().size(); ++s)
      if (!loaded[i].values[s].empty()) target.values[s].push_back(std::move(loaded[i].values[s]));
  }
}

}  // namespace dashpot
