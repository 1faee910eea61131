#pragma once

#include <openvdb/openvdb.h>

#include <string>
#include <utility>

#include "GA/GA_Primitive.h"
#include "GEO/GEO_PrimType.h"

// May be without a grid: somebody made the primitive and put none in. Otherwise the grid is the
// primitive's own; its tree may be shared. Its node may edit it in place, voxels only if nobody
// else has the tree.
class GEO_PrimVDB : public GA_Primitive {
 public:
  GEO_PrimVDB(GA_Offset offset, openvdb::GridBase::Ptr grid)
      : GA_Primitive(GEO_PRIMVDB, offset),
        grid_(std::move(grid)),
        name_(grid_ ? grid_->getName() : "") {}
  bool hasGrid() const { return grid_ != nullptr; }
  openvdb::GridBase::ConstPtr getConstGridPtr() const { return grid_; }
  const char* getGridName() const { return name_.c_str(); }

 private:
  openvdb::GridBase::Ptr grid_;
  std::string name_;
};
