#include "standalone/runs/run_colliders.h"

#include <utility>

#include "solver/base/error.h"
#include "standalone/runs/collider_record.h"

namespace dashpot {
namespace {

using Json = nlohmann::ordered_json;

std::string recorded_name(const Json& json, std::size_t number) {
  if (json.is_object() && json.contains("name") && json["name"].is_string()) return json["name"];
  return std::to_string(number + 1);
}

}  // namespace

RunCollider::RunCollider(std::string name, ColliderSource source)
    : name_(std::move(name)), source_(std::move(source)) {
  if (shape_count() == 1) still_ = make_mesh(0, 0);
}

std::size_t RunCollider::shape_count() const {
  if (is_plane()) return 0;
  return source_.files.empty() ? 1 : source_.files.size();
}

std::size_t RunCollider::shape_at(double time) const {
  constexpr double kSlack = 1e-9;  // s; times of frames are sums of rounded numbers
  std::size_t shown = 0;
  for (std::size_t i = 0; i < source_.files.size(); ++i)
    if (source_.files[i].time <= time + kSlack) shown = i;
  return shown;
}

SurfaceMesh RunCollider::make_mesh(std::size_t shape, double adaptivity) const {
  return source_.files.empty()
             ? level_set_mesh(*source_.shape, adaptivity)
             : level_set_mesh(source_.files[shape].path, source_.grid, adaptivity);
}

SurfaceMesh RunCollider::light_mesh(std::size_t shape, std::size_t most_triangles) const {
  SurfaceMesh made = mesh(shape);
  for (const double adaptivity : {0.05, 0.2, 1.0}) {
    if (made.triangles.size() <= most_triangles) break;
    made = make_mesh(shape, adaptivity);
  }
  return made;
}

std::vector<RunCollider> read_colliders(const RunDirectory& run,
                                        std::vector<std::string>& problems) {
  std::vector<RunCollider> colliders;
  if (!run.record.is_object() || !run.record.contains("colliders")) return colliders;
  const Json& list = run.record["colliders"];
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Json& json = list[i];
    const std::string name = recorded_name(json, i);
    try {
      colliders.emplace_back(name, collider_from_json(json));
    } catch (const InputError& error) {
      problems.push_back("The collider '" + name + "' cannot be shown: " + error.what());
    }
  }
  return colliders;
}

}  // namespace dashpot
