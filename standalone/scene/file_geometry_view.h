#pragma once

#include <string>

#include "solver/host/geometry_view.h"
#include "standalone/geometry/geometry.h"

namespace dashpot {

// A geometry file as the solver reads it. Both arguments must outlive it.
class FileGeometryView final : public GeometryView {
 public:
  FileGeometryView(const Geometry& geometry, const std::string& description)
      : geometry_(geometry), description_(description) {}

  const std::string& description() const override { return description_; }
  int point_count() const override;
  int primitive_count() const override;
  GeometryTets tets() const override;
  GeometryLines lines() const override;
  std::vector<bool> used_points() const override;
  std::unique_ptr<AttributeView> find(AttributeOwner owner, const std::string& name) const override;
  std::vector<bool> group(AttributeOwner owner, const std::string& name) const override;

 private:
  const Geometry& geometry_;
  const std::string& description_;
};

}  // namespace dashpot
