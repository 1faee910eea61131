#pragma once

#include <GA/GA_Types.h>

#include <string>
#include <vector>

#include "solver/host/geometry_view.h"

class GU_Detail;

namespace dashpot {

// Houdini's geometry as the solver reads it. Numbers of points and primitives are Houdini's
// indices, which artists see, never offsets. The detail must stay locked while this is used.
class DetailView final : public GeometryView {
 public:
  DetailView(const GU_Detail& detail, std::string description)
      : detail_(detail), description_(std::move(description)) {}

  const std::string& description() const override { return description_; }
  int point_count() const override;
  int primitive_count() const override;
  GeometryTets tets() const override;
  GeometryLines lines() const override;
  std::vector<bool> used_points() const override;
  std::unique_ptr<AttributeView> find(AttributeOwner owner, const std::string& name) const override;
  std::vector<bool> group(AttributeOwner owner, const std::string& name) const override;

  // Data ids of all that a body reads: geometry with equal ids is equal. Empty if an attribute has
  // none.
  std::vector<GA_DataId> data_ids() const;
  // The same of VDBs and what belongs to them.
  std::vector<GA_DataId> collider_ids() const;

 private:
  const GU_Detail& detail_;
  std::string description_;
};

}  // namespace dashpot
