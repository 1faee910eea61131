#include "standalone/render/ray_scene.h"

#include <tbb/task_arena.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include "solver/base/error.h"
#include "standalone/render/palette.h"

namespace dashpot {
namespace {

constexpr float kLift = 2e-4F;  // unit coordinates; hides rounding of hit positions
constexpr float kFar = 1e30F;

void check_surface(const Surface& surface, std::size_t number) {
  const std::string name = "Surface " + std::to_string(number) + " of the picture";
  if (!surface.points.allFinite())
    throw InputError(name + " has a position that is not finite; render an earlier frame.");
  if (!surface.scalar.empty() &&
      surface.scalar.size() != static_cast<std::size_t>(surface.points.cols()))
    throw InputError(name + " has " + std::to_string(surface.scalar.size()) + " scalars for " +
                     std::to_string(surface.points.cols()) + " points; give one per point.");
  for (const Triangle& t : surface.triangles)
    for (int p : t)
      if (p < 0 || p >= surface.points.cols())
        throw InputError(name + " has a triangle with point " + std::to_string(p) +
                         ", which is not among its " + std::to_string(surface.points.cols()) +
                         " points.");
}

RTCRay make_ray(const Eigen::Vector3f& origin, const Eigen::Vector3f& direction, float reach) {
  RTCRay ray{};
  ray.org_x = origin.x();
  ray.org_y = origin.y();
  ray.org_z = origin.z();
  ray.dir_x = direction.x();
  ray.dir_y = direction.y();
  ray.dir_z = direction.z();
  ray.tfar = reach;
  ray.mask = ~0U;
  return ray;
}

// Coarse facets cut into the smooth body that their normals suggest and would shadow themselves
// near the terminator: move the point onto that smooth body (Hanika 2021).
Eigen::Vector3f onto_smooth_body(const Eigen::Vector3f& p, const Eigen::Vector3f corners[3],
                                 const Eigen::Vector3f normals[3], const float weights[3]) {
  Eigen::Vector3f lifted = p;
  for (int k = 0; k < 3; ++k)
    lifted -= weights[k] * std::min(0.0F, (p - corners[k]).dot(normals[k])) * normals[k];
  return lifted;
}

// Near silhouettes a smooth normal can point away from the viewer, which no real one does.
Eigen::Vector3f facing(const Eigen::Vector3f& normal, const Eigen::Vector3f& direction) {
  constexpr float kGrazing = 0.02F;
  const float excess = normal.dot(direction) + kGrazing;
  return excess > 0 ? (normal - excess * direction).normalized() : normal;
}

}  // namespace

RayScene::RayScene(const Picture& picture) {
  measure(picture);
  device_.reset(rtcNewDevice(nullptr));
  if (!device_) throw std::runtime_error("Embree could not start on this machine.");
  scene_.reset(rtcNewScene(device_.get()));
  rtcSetSceneFlags(scene_.get(), RTC_SCENE_FLAG_ROBUST);

  bodies_.reserve(picture.surfaces.size());
  for (const Surface& surface : picture.surfaces) add_body(surface);
  // A tree built by several threads may order equal hits on a shared edge differently.
  tbb::task_arena serial(1);
  serial.execute([this] { rtcCommitScene(scene_.get()); });
  if (rtcGetDeviceError(device_.get()) != RTC_ERROR_NONE)
    throw std::runtime_error("Embree could not prepare the picture; it may need more memory.");

  const double spacing = grid_spacing(2 / scale_);
  for (const Ground& plane : picture.planes) {
    if (!(plane.normal.norm() > 0) || !plane.point.allFinite())
      throw InputError("A plane of the picture has no normal or no finite point.");
    planes_.emplace_back(plane, centre_, scale_, spacing);
  }
}

void RayScene::measure(const Picture& picture) {
  Eigen::AlignedBox3d bounds;
  for (std::size_t i = 0; i < picture.surfaces.size(); ++i) {
    const Surface& surface = picture.surfaces[i];
    check_surface(surface, i);
    for (Eigen::Index p = 0; p < surface.points.cols(); ++p)
      bounds.extend(surface.points.col(p).matrix());
  }
  const Camera& camera = picture.camera;
  centre_ = bounds.isEmpty() ? camera.target : bounds.center();
  const double radius = bounds.isEmpty() ? 0 : bounds.diagonal().norm() / 2;
  const double view = (camera.eye - camera.target).norm();
  scale_ = 1 / std::max(radius, 1e-3 * view);
}

void RayScene::add_body(const Surface& surface) {
  Body body{{}, &surface, shading_normals(surface.points, surface.triangles)};
  body.points.reserve(static_cast<std::size_t>(surface.points.cols()));
  for (Eigen::Index p = 0; p < surface.points.cols(); ++p)
    body.points.push_back(to_unit(surface.points.col(p)));

  RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_TRIANGLE);
  if (!surface.triangles.empty()) {
    auto* vertices = static_cast<float*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                3 * sizeof(float), body.points.size()));
    auto* indices = static_cast<std::uint32_t*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                3 * sizeof(std::uint32_t), surface.triangles.size()));
    if (!vertices || !indices) {
      rtcReleaseGeometry(geometry);
      throw std::runtime_error("Embree could not allocate a surface; it may need more memory.");
    }
    for (const auto& p : body.points) vertices = std::copy_n(p.data(), 3, vertices);
    for (const Triangle& t : surface.triangles) indices = std::copy_n(t.data(), 3, indices);
  }
  rtcCommitGeometry(geometry);
  rtcAttachGeometryByID(scene_.get(), geometry, static_cast<unsigned>(bodies_.size()));
  rtcReleaseGeometry(geometry);
  bodies_.push_back(std::move(body));
}

bool RayScene::intersect(const Ray& ray, Hit& hit) const {
  const GroundPattern* plane = nullptr;
  hit.distance = kFar;
  for (const GroundPattern& candidate : planes_) {
    const float distance = candidate.intersect(ray.origin, ray.direction);
    if (distance > 0 && distance < hit.distance) {
      hit.distance = distance;
      plane = &candidate;
    }
  }

  RTCRayHit found{};
  found.ray = make_ray(ray.origin, ray.direction, hit.distance);
  found.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcIntersect1(scene_.get(), &context, &found);

  const bool on_body = found.hit.geomID != RTC_INVALID_GEOMETRY_ID;
  if (!on_body && !plane) return false;
  hit.on_plane = !on_body;
  hit.distance = found.ray.tfar;
  hit.position = ray.origin + hit.distance * ray.direction;
  if (on_body) {
    complete_body_hit(found.hit, ray, hit);
  } else {
    hit.matte = true;
    hit.geometric = hit.normal = plane->normal();
    hit.albedo = plane->albedo(hit.position, ray.direction, ray.spread * hit.distance);
    hit.position += kLift * hit.normal;
  }
  return true;
}

void RayScene::complete_body_hit(const RTCHit& found, const Ray& ray, Hit& hit) const {
  const Body& body = bodies_[found.geomID];
  const Surface& surface = *body.surface;
  const Triangle& triangle = surface.triangles[found.primID];
  const auto& corner = body.shading.corners[found.primID];
  const float weights[3] = {1 - found.u - found.v, found.u, found.v};
  hit.geometric = Eigen::Vector3f(found.Ng_x, found.Ng_y, found.Ng_z).stableNormalized();
  const float side = hit.geometric.dot(ray.direction) > 0 ? -1.0F : 1.0F;
  hit.geometric *= side;

  Eigen::Vector3f corners[3], normals[3], mean = Eigen::Vector3f::Zero();
  float value = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto point = static_cast<std::size_t>(triangle[k]);
    corners[k] = body.points[point];
    normals[k] = side * body.shading.normals[static_cast<std::size_t>(corner[k])];
    mean += weights[k] * normals[k];
    if (!surface.scalar.empty()) value += weights[k] * surface.scalar[point];
  }
  // Folded triangles can have neighbours that face the other way; they are lit as flat ones.
  const bool folded = mean.dot(hit.geometric) < 0.1F;
  hit.normal = folded ? hit.geometric : facing(mean.normalized(), ray.direction);
  if (!folded) hit.position = onto_smooth_body(hit.position, corners, normals, weights);
  hit.position += kLift * hit.geometric;
  hit.matte = !surface.scalar.empty();
  hit.albedo = (surface.scalar.empty() ? surface.colour : map_colour(value)).array();
}

bool RayScene::shadowed(const Eigen::Vector3f& origin, const Eigen::Vector3f& direction) const {
  RTCRay ray = make_ray(origin, direction, kFar);
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcOccluded1(scene_.get(), &context, &ray);
  return ray.tfar < 0;
}

}  // namespace dashpot
