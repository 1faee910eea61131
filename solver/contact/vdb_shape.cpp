#include "solver/contact/vdb_shape.h"

#include <openvdb/tools/Interpolation.h>

#include <Eigen/Dense>

#include <cmath>
#include <limits>

#include "solver/base/error.h"
#include "solver/base/words.h"
#include "solver/contact/vdb_sampler.h"

namespace dashpot {
namespace {

// Steps of a sweep are never shorter than this many voxels: what is thinner may be missed.
constexpr double kSweepStep = 0.5;

// Two planes that differ by more are of two sides of the shape.
constexpr double kSameSide = 0.3;
// The surface is not sought farther than this many times the distance, as its inverse.
constexpr double kLeastFall = 0.02;

// s. A step that was meant to end at a frame misses it by rounding only.
constexpr double kFrameRounding = 1e-9;

openvdb::Vec3d vdb_vector(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

// Exact at both ends and where they are equal.
template <class T>
T blend(const T& from, const T& to, double share) {
  return share == 1 ? to : T(from + share * (to - from));
}

struct IndexBox {
  Vec3 low, high;

  double squared_distance(const Vec3& p) const {
    return (low - p).cwiseMax(p - high).cwiseMax(0).squaredNorm();
  }
};

// Level set grids of one value type.
template <class Grid>
class VdbShape final : public ColliderShape {
 public:
  struct Frame {
    double time;
    typename Grid::ConstPtr distance;
    openvdb::Vec3SGrid::ConstPtr velocity;
    double band;   // the value outside
    double slope;  // the largest change of value per metre
    IndexBox box;  // of the voxels that are stored
    std::uint64_t hash;
  };

  VdbShape(std::vector<Frame> frames, double voxel) : frames_(std::move(frames)), voxel_(voxel) {}

  void distance_lower_bound(double begin, double end, const Vec3* points, std::size_t count,
                            double* distance) const override {
    View view(*this, begin, end);
    for (std::size_t i = 0; i < count; ++i) distance[i] = view.distance_lower_bound(points[i]);
  }

  void touch(double begin, double end, const ContactPath* paths, std::size_t count,
             ContactPlaneQuery* touches) const override {
    View view(*this, begin, end);
    for (std::size_t i = 0; i < count; ++i) touches[i] = view.touch(paths[i]);
  }

  double resolution() const override { return voxel_; }

  void fingerprint(Hash& hash) const override {
    for (const Frame& frame : frames_) {
      hash.add_value(frame.time);
      hash.add_value(frame.hash);
    }
  }

 private:
  // The two frames around a time.
  struct Moment {
    std::size_t first, second;
    double share;  // of the second
  };
  // At the time of a frame itself, a surface moves as it comes from the frame before or as it goes
  // to the next one.
  enum class Side { kArriving, kLeaving };
  Moment moment(double time, Side side) const {
    const double limit = time + (side == Side::kLeaving ? kFrameRounding : -kFrameRounding);
    std::size_t next = 0;
    while (next < frames_.size() && frames_[next].time <= limit) ++next;
    if (next == 0) return {0, 0, 0};
    if (next == frames_.size()) return {next - 1, next - 1, 0};
    const double from = frames_[next - 1].time, to = frames_[next].time;
    if (std::abs(time - from) <= kFrameRounding) return {next - 1, next, 0};
    if (std::abs(time - to) <= kFrameRounding) return {next - 1, next, 1};
    return {next - 1, next, (time - from) / (to - from)};
  }

  // The shape during a stage, for one thread.
  class View {
   public:
    View(const VdbShape& shape, double begin, double end)
        : shape_(shape), begin_(begin), end_(end) {
      // Frames outside the stage have no part in it, so that a host need not know them yet.
      last_ = shape.moment(end, Side::kArriving);
      first_ = std::min(shape.moment(begin, Side::kLeaving).first, last_.first);
      for (std::size_t f = first_; f <= last_.second; ++f) {
        const Frame& frame = shape.frames_[f];
        samplers_.emplace_back(*frame.distance);
        band_ = std::min(band_, frame.band);
        slope_ = std::max(slope_, frame.slope);
      }
    }

    double distance_lower_bound(const Vec3& x) {
      return free_way(x, std::min(value(x, begin_), value(x, end_)));
    }

    ContactPlaneQuery touch(const ContactPath& path) {
      ContactPlaneQuery end = plane_at(path.to);
      Vec3 crossing;
      if (!crosses(path, crossing)) return end;
      const ContactPlaneQuery hit = plane_at(crossing);
      // The same plane just above and just below the surface, else iterations jump between two.
      const double depth = -value(path.to, end_);
      const bool ends_there = end.near && depth > -kSweepStep * shape_.voxel_ &&
                              depth < 0.999 * band_ && end.normal.dot(hit.normal) > kSameSide;
      return ends_there || !hit.near ? end : hit;
    }

   private:
    VdbSampler<Grid>& sampler(std::size_t frame) { return samplers_[frame - first_]; }

    double value(const Vec3& x, double time) {
      const Moment m = time < end_ ? shape_.moment(time, Side::kLeaving) : last_;
      const double first = sampler(m.first).value(x);
      return m.share == 0 ? first : blend(first, sampler(m.second).value(x), m.share);
    }

    // How far around x nothing is, if `here` is the value there.
    double free_way(const Vec3& x, double here) const {
      const double near = here / slope_;
      if (here < 0.999 * band_) return near;
      // Outside all bands: at least as far as the voxels that are stored.
      double far = std::numeric_limits<double>::infinity();
      for (std::size_t f = 0; f < samplers_.size(); ++f)
        far = std::min(
            far,
            std::sqrt(shape_.frames_[first_ + f].box.squared_distance(samplers_[f].to_index(x))));
      return std::max(near, far * shape_.voxel_);
    }

    // The first place where a path that begins outside goes inside.
    bool crosses(const ContactPath& path, Vec3& crossing) {
      const Vec3 way = path.to - path.from;
      const double length = way.stableNorm(), voxel = shape_.voxel_;
      if (!std::isfinite(length) || length <= kSweepStep * voxel) return false;
      const auto at = [&](double s) {
        return value(path.from + s * way, begin_ + s * (end_ - begin_));
      };
      double here = at(0), s = 0;
      if (here < -0.1 * voxel) return false;
      while (s < 1) {
        const double step = std::max(free_way(path.from + s * way, here), kSweepStep * voxel);
        const double next = std::min(1.0, s + step / length);
        const double there = at(next);
        if (there < 0) {
          crossing = path.from + root(at, s, next) * way;
          return true;
        }
        s = next;
        here = there;
      }
      return false;
    }

    template <class Function>
    static double root(const Function& f, double outside, double inside) {
      for (int i = 0; i < 40; ++i) {
        const double middle = 0.5 * (outside + inside);
        (f(middle) < 0 ? inside : outside) = middle;
      }
      return outside;
    }

    ContactPlaneQuery plane_at(const Vec3& x) {
      const double here = value(x, end_);
      if (here >= 0.999 * band_) return {};
      if (here > -0.999 * band_) return tangent_plane(x);
      // Deeper than the band knows: to the surface first.
      Vec3 exit;
      if (!nearest_exit(x, exit)) return {};
      return tangent_plane(exit);
    }

    ContactPlaneQuery tangent_plane(const Vec3& x) {
      const Moment& m = last_;
      LevelSetValue v = sampler(m.first).value_and_gradient(x);
      double rate = 0;
      if (m.second != m.first) {
        const LevelSetValue w = sampler(m.second).value_and_gradient(x);
        rate = (w.value - v.value) / (shape_.frames_[m.second].time - shape_.frames_[m.first].time);
        v.value = blend(v.value, w.value, m.share);
        v.gradient = blend(v.gradient, w.gradient, m.share);
        v.steepness = blend(v.steepness, w.steepness, m.share);
      }
      const double slope = v.gradient.norm();
      if (!(slope > 0.05)) return {};  // the middle of something thin: no side is nearer
      ContactPlaneQuery touch;
      touch.near = true;
      touch.normal = v.gradient / slope;
      // As the value falls along the normal, which next to edges is far from how steep it seems: a
      // plane that is not met by going to it is never met.
      const double fall = std::max(kLeastFall * slope, v.steepness.dot(touch.normal));
      touch.point = x - (v.value / fall) * touch.normal;
      // Along the normal the distances say how it moves, along the surface only the grid can.
      touch.velocity = grid_velocity(m, x);
      touch.velocity -= (touch.velocity.dot(touch.normal) + rate / slope) * touch.normal;
      return touch;
    }

    Vec3 grid_velocity(const Moment& m, const Vec3& x) const {
      const auto sample = [&](std::size_t f) -> Vec3 {
        const auto& grid = shape_.frames_[f].velocity;
        if (!grid) return Vec3::Zero();
        const openvdb::Vec3s v = openvdb::tools::BoxSampler::sample(
            grid->tree(), grid->transform().worldToIndex(vdb_vector(x)));
        return {v.x(), v.y(), v.z()};
      };
      if (m.share == 0) return sample(m.first);
      return blend(sample(m.first), sample(m.second), m.share);
    }

    // Looks in 26 directions for the way out that is shortest.
    bool nearest_exit(const Vec3& x, Vec3& exit) {
      const Frame& frame = shape_.frames_[last_.first];
      const double reach = (frame.box.high - frame.box.low).norm() * shape_.voxel_;
      // A band is as wide inside as outside, so that a step of it cannot pass one.
      const double step = std::max(band_ / slope_, kSweepStep * shape_.voxel_);
      double best = std::numeric_limits<double>::infinity();
      for (int code = 0; code < 27; ++code) {
        if (code == 13) continue;
        const int along_y = code / 3 % 3 - 1, along_z = code / 9 - 1;
        const Vec3 way = Vec3(code % 3 - 1, along_y, along_z).normalized();
        const auto at = [&](double s) { return value(x + s * way, end_); };
        for (double s = 0; s < std::min(reach, best); s += step) {
          if (at(s + step) <= -0.999 * band_) continue;
          // Into the band, then to the surface by its own distances.
          double inside = s + step;
          for (int i = 0; i < 20; ++i) {
            const double here = at(inside);
            if (here >= -0.1 * shape_.voxel_) break;
            inside += -here / slope_;
          }
          if (inside < best) {
            best = inside;
            exit = x + inside * way;
          }
          break;
        }
      }
      return std::isfinite(best);
    }

    const VdbShape& shape_;
    double begin_, end_;
    std::size_t first_;  // frame of the first sampler
    Moment last_;        // the end
    std::vector<VdbSampler<Grid>> samplers_;
    double band_ = std::numeric_limits<double>::infinity(), slope_ = 1;
  };

  std::vector<Frame> frames_;
  double voxel_;
};

[[noreturn]] void fail(const openvdb::GridBase& grid, const std::string& where,
                       const std::string& complaint) {
  throw InputError(where + ": the grid '" + grid.getName() + "' " + complaint + ".");
}

Mat3 linear_part(const openvdb::math::Transform& transform) {
  Mat3 linear;
  const openvdb::Vec3d origin = transform.indexToWorld(openvdb::Vec3d(0, 0, 0));
  for (int c = 0; c < 3; ++c) {
    openvdb::Vec3d unit(0, 0, 0);
    unit[c] = 1;
    const openvdb::Vec3d column = transform.indexToWorld(unit) - origin;
    for (int r = 0; r < 3; ++r) linear(r, c) = column[r];
  }
  return linear;
}

void check_grid(const openvdb::GridBase& grid, const std::string& where) {
  if (grid.getGridClass() != openvdb::GRID_LEVEL_SET)
    fail(grid, where,
         "is " + with_article(openvdb::GridBase::gridClassToString(grid.getGridClass())) +
             " grid, not a level set; convert it to one");
  if (grid.activeVoxelCount() == 0) fail(grid, where, "is empty; a collider needs a surface");
  if (!grid.transform().isLinear())
    fail(grid, where, "has a transform that is not affine; resample it");
  const Mat3 linear = linear_part(grid.transform());
  const double size = linear.norm();
  if (!linear.allFinite() || !(std::abs(linear.determinant()) > 1e-12 * size * size * size))
    fail(grid, where, "has a transform that cannot be inverted; correct its voxel size");
}

// The length of a voxel's shortest side.
double voxel_size(const openvdb::math::Transform& transform) {
  const openvdb::Vec3d size = transform.voxelSize();
  return std::min({size.x(), size.y(), size.z()});
}

template <class Grid>
typename VdbShape<Grid>::Frame read_frame(const VdbFrame& source, const std::string& where) {
  typename VdbShape<Grid>::Frame frame;
  frame.time = source.time;
  frame.distance = openvdb::gridConstPtrCast<Grid>(source.distance);
  const Grid& grid = *frame.distance;
  frame.band = std::abs(static_cast<double>(grid.background()));
  if (!(frame.band > 0) || !std::isfinite(frame.band))
    fail(grid, where, "has no value for what is outside its band; write its background");
  Hash hash;
  VdbSampler<Grid> sampler(grid);
  frame.slope = 0;
  const Mat3 linear = linear_part(grid.transform());
  hash.add(linear.data(), 9 * sizeof(double));
  auto accessor = grid.getConstAccessor();
  const Mat3 to_index = linear.inverse();
  bool has_inside = false;
  for (auto voxel = grid.cbeginValueAll(); voxel; ++voxel) {
    const double value = static_cast<double>(*voxel);
    if (!std::isfinite(value))
      fail(grid, where, "has a voxel that is not a finite number; repair it");
    has_inside = has_inside || value < 0;
    if (!voxel.isValueOn() || !voxel.isVoxelValue()) continue;
    const openvdb::Coord c = voxel.getCoord();
    hash.add_value(value);
    hash.add_value(c.x() + 2654435761LL * c.y() + 40503LL * 65537LL * c.z());
    if (std::abs(value) > 0.9 * frame.band) continue;
    Vec3 gradient;
    for (int d = 0; d < 3; ++d) {
      openvdb::Coord next = c, last = c;
      ++next[d];
      --last[d];
      gradient[d] = 0.5 * (static_cast<double>(accessor.getValue(next)) -
                           static_cast<double>(accessor.getValue(last)));
    }
    frame.slope = std::max(frame.slope, (to_index.transpose() * gradient).norm());
  }
  if (!has_inside) fail(grid, where, "has no inside; a collider needs negative distances");
  frame.slope = std::max(frame.slope, 1e-3);
  const openvdb::CoordBBox box = grid.evalActiveVoxelBoundingBox();
  frame.box = {Vec3(box.min().x(), box.min().y(), box.min().z()) - Vec3::Ones(),
               Vec3(box.max().x(), box.max().y(), box.max().z()) + Vec3::Ones()};
  frame.hash = hash.value();
  if (source.velocity) {
    frame.velocity = openvdb::gridConstPtrCast<openvdb::Vec3SGrid>(source.velocity);
    if (!frame.velocity)
      fail(*source.velocity, where, "must hold vectors of floats to be a velocity");
    for (auto voxel = frame.velocity->cbeginValueOn(); voxel; ++voxel)
      if (const openvdb::Vec3s v = *voxel; !v.isFinite())
        fail(*source.velocity, where, "has a voxel that is not a finite number; repair it");
  }
  return frame;
}

template <class Grid>
std::shared_ptr<const ColliderShape> make_shape(const std::vector<VdbFrame>& sources,
                                                const std::string& where) {
  std::vector<typename VdbShape<Grid>::Frame> frames;
  double voxel = std::numeric_limits<double>::infinity();
  for (const VdbFrame& source : sources) {
    check_grid(*source.distance, where);
    if (!source.distance->isType<Grid>())
      fail(*source.distance, where, "has another value type than the frames before it");
    frames.push_back(read_frame<Grid>(source, where));
    voxel = std::min(voxel, voxel_size(source.distance->transform()));
  }
  return std::make_shared<VdbShape<Grid>>(std::move(frames), voxel);
}

}  // namespace

std::shared_ptr<const ColliderShape> make_vdb_shape(const std::vector<VdbFrame>& frames,
                                                    const std::string& where) {
  if (frames.empty() || !frames.front().distance)
    throw InputError(where + ": there is no level set in it.");
  const openvdb::GridBase& first = *frames.front().distance;
  if (first.isType<openvdb::FloatGrid>()) return make_shape<openvdb::FloatGrid>(frames, where);
  if (first.isType<openvdb::DoubleGrid>()) return make_shape<openvdb::DoubleGrid>(frames, where);
  fail(first, where, "holds " + first.valueType() + ", not distances; it must be float or double");
}

}  // namespace dashpot
