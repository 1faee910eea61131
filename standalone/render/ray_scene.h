#pragma once

#include <embree3/rtcore.h>

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "standalone/render/ground_pattern.h"
#include "standalone/render/picture.h"
#include "standalone/render/shading_normals.h"

namespace dashpot {

struct Ray {
  Eigen::Vector3f origin, direction;
  float spread;  // widening per distance: fine patterns are averaged over the ray's width
};

struct Hit {
  float distance;
  Eigen::Vector3f position;   // lifted off the surface: rays start here
  Eigen::Vector3f geometric;  // unit normals, on the side that the ray came from
  Eigen::Vector3f normal;
  Eigen::Array3f albedo;
  bool on_plane;
  bool matte;  // no coat: colours that mean something must not mirror the sky
};

// A picture prepared for tracing: all in unit coordinates, where the surfaces' bounding ball has
// the origin as its centre and radius one, so that a grain and a mountain render alike. The picture
// must outlive it.
class RayScene {
 public:
  explicit RayScene(const Picture& picture);

  Eigen::Vector3f to_unit(const Vec3& p) const { return (scale_ * (p - centre_)).cast<float>(); }

  bool intersect(const Ray& ray, Hit& hit) const;

  // Does a body (not a plane) stand in the way?
  bool shadowed(const Eigen::Vector3f& origin, const Eigen::Vector3f& direction) const;

 private:
  struct Body {
    std::vector<Eigen::Vector3f> points;
    const Surface* surface;
    ShadingNormals shading;
  };
  struct ReleaseDevice {
    void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
  };
  struct ReleaseScene {
    void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
  };

  void measure(const Picture& picture);
  void add_body(const Surface& surface);
  void complete_body_hit(const RTCHit& found, const Ray& ray, Hit& hit) const;

  Vec3 centre_ = Vec3::Zero();
  double scale_ = 1;
  std::vector<Body> bodies_;
  std::vector<GroundPattern> planes_;
  std::unique_ptr<RTCDeviceTy, ReleaseDevice> device_;
  std::unique_ptr<RTCSceneTy, ReleaseScene> scene_;
};

}  // namespace dashpot
