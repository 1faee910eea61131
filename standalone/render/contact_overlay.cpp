#include "standalone/render/contact_overlay.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "solver/host/point_contacts.h"
#include "standalone/render/annotate.h"

namespace dashpot {
namespace {

constexpr double kLongest = 0.16;  // of the picture's height

// Where places in front of the camera are in its image.
class Projection {
 public:
  Projection(const Camera& camera, const Image& image)
      : eye_(camera.eye),
        forward_((camera.target - camera.eye).normalized()),
        right_(forward_.cross(camera.up).normalized()),
        up_(right_.cross(forward_)),
        width_(image.width),
        height_(image.height),
        pixels_(image.height / (2 * std::tan(camera.fov_degrees * EIGEN_PI / 360))) {}

  double depth(const Vec3& p) const { return forward_.dot(p - eye_); }

  std::optional<Eigen::Vector2f> operator()(const Vec3& p) const {
    const double scale = pixels_ / depth(p);
    const Eigen::Vector2d place(width_ / 2 + scale * right_.dot(p - eye_),
                                height_ / 2 - scale * up_.dot(p - eye_));
    // Beside the image by more than the image is not drawn, nor is what is behind the eye.
    const bool near = depth(p) > 0 && std::abs(place.x() - width_ / 2) < 2 * width_ &&
                      std::abs(place.y() - height_ / 2) < 2 * height_;
    if (!near) return {};
    return place.cast<float>();
  }

 private:
  Vec3 eye_, forward_, right_, up_;
  double width_, height_, pixels_;
};

void draw_with_halo(Image& image, const std::vector<Line>& lines, float pen, const Rgb& colour) {
  draw_lines(image, lines, 2.2F * pen, kPaper);
  draw_lines(image, lines, pen, colour);
}

std::vector<Line> arrow_lines(const Eigen::Vector2f& from, const Eigen::Vector2f& to, float barb) {
  const Eigen::Vector2f way = to - from;
  const float length = way.norm();
  std::vector<Line> lines = {{from, to}};
  if (length < 1e-3F) return lines;
  const Eigen::Vector2f along = way / length * std::min(barb, length);
  const Eigen::Vector2f across(-along.y(), along.x());
  lines.push_back({to, to - along + 0.55F * across});
  lines.push_back({to, to - along - 0.55F * across});
  return lines;
}

void draw_dot(Image& image, const Eigen::Vector2f& at, float pen, const Rgb& colour) {
  draw_lines(image, {{at, at}}, 4.2F * pen, kPaper);
  draw_lines(image, {{at, at}}, 2.8F * pen, colour);
}

float pen_width(const Image& image) {
  return std::max(1.2F, 0.14F * text_size(image));
}

}  // namespace

Eigen::Vector3f slip_colour(bool slips) {
  return contact_colour(slips ? PointContacts::kSlips : PointContacts::kSticks).cast<float>();
}

double longest_arrow(const Camera& camera) {
  const double distance = (camera.target - camera.eye).norm();
  return kLongest * 2 * distance * std::tan(camera.fov_degrees * EIGEN_PI / 360);
}

void draw_contacts(Image& image, const Camera& camera, std::vector<ContactArrow> contacts) {
  const Projection project(camera, image);
  const float pen = pen_width(image);
  std::stable_sort(contacts.begin(), contacts.end(), [&](const auto& a, const auto& b) {
    return project.depth(a.place) > project.depth(b.place);
  });
  for (const ContactArrow& contact : contacts) {
    const auto from = project(contact.place), to = project(contact.place + contact.arrow);
    if (!from || !to) continue;
    const Rgb colour = bytes_of(slip_colour(contact.slips));
    draw_with_halo(image, arrow_lines(*from, *to, 4 * pen), pen, colour);
    draw_dot(image, *from, pen, colour);
  }
}

void draw_contact_key(Image& image, double longest) {
  const float size = text_size(image), pen = pen_width(image), pad = std::round(0.8F * size);
  const float row = 1.7F * size, sign = 2.2F * size;
  const std::string force = "\u2265 " + short_number(longest) + " N";
  const float width = sign + std::max(text_width(size, force), text_width(size, "sticks"));
  const float left = static_cast<float>(image.width) - size - width - 2 * pad;
  const float upper = static_cast<float>(image.height) - size - 3 * row - pad;
  fill_rectangle(image, static_cast<int>(left), static_cast<int>(upper),
                 static_cast<int>(width + 2 * pad), static_cast<int>(3 * row + pad), kPaper, 0.72F);
  const auto text = [&](int line, const std::string& words) {
    const float y = upper + pad + row * static_cast<float>(line);
    draw_text(image, left + pad + sign, y, size, words);
    return Eigen::Vector2f(left + pad, y + size / 2);
  };
  const Eigen::Vector2f along(0.7F * sign, 0);
  draw_dot(image, text(0, "sticks") + along / 2, pen, bytes_of(slip_colour(false)));
  draw_dot(image, text(1, "slips") + along / 2, pen, bytes_of(slip_colour(true)));
  const Eigen::Vector2f arrow = text(2, force);
  draw_lines(image, arrow_lines(arrow, arrow + along, 4 * pen), pen, kInk);
}

}  // namespace dashpot
