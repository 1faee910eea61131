#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "solver/base/types.h"

namespace dashpot {

// A host's geometry as the solver reads it: a file of the command line, a GU_Detail of Houdini.
// Elements are numbered as the host numbers them for its users.

// Nothing is read from vertices, but hosts say what is there.
enum class AttributeOwner { kPoint, kPrimitive, kDetail, kVertex };
// "point", "primitive"
const char* owner_word(AttributeOwner owner);

class AttributeView {
 public:
  enum class Kind { kNumber, kText, kOther };

  virtual ~AttributeView() = default;
  virtual Kind kind() const = 0;
  virtual int tuple_size() const = 0;
  virtual double number(int element, int component) const = 0;  // of kNumber
  virtual std::string text(int element) const = 0;              // of kText
};

// Tets with the host's orientation, in point numbers, and the primitive number of each.
struct GeometryTets {
  std::vector<Tet> tets;
  std::vector<int> primitives;
};

// Polygons of two points, open or closed, and the primitive number of each.
struct GeometryLines {
  std::vector<std::array<int, 2>> lines;
  std::vector<int> primitives;
};

class GeometryView {
 public:
  virtual ~GeometryView() = default;
  // What messages call it: the path of the file, "input 1".
  virtual const std::string& description() const = 0;
  virtual int point_count() const = 0;
  virtual int primitive_count() const = 0;
  virtual GeometryTets tets() const = 0;
  virtual GeometryLines lines() const = 0;
  // For each point, whether a primitive of any kind uses it.
  virtual std::vector<bool> used_points() const = 0;
  // nullptr if there is none.
  virtual std::unique_ptr<AttributeView> find(AttributeOwner owner,
                                              const std::string& name) const = 0;
  // For each point, or each primitive, whether the group of them has it; empty if there is none.
  virtual std::vector<bool> group(AttributeOwner owner, const std::string& name) const = 0;
};

}  // namespace dashpot
