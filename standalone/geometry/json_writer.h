#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "standalone/geometry/json_value.h"

namespace dashpot {

// How the items of an array are laid out in a text file. Nothing to the binary one.
enum class ArrayLayout {
  kKeyValues,  // key, value on one line
  kItems,      // one item per line
  kInline,     // as many items per line as fit
};

// Receives a tree piece by piece, so that large arrays go from where they live straight into the
// file's bytes.
class JsonWriter {
 public:
  virtual ~JsonWriter() = default;

  // Houdini spells runs shortly and stores attributes in pages in its binary files only.
  virtual bool binary() const = 0;

  virtual void begin_array(ArrayLayout layout) = 0;
  virtual void end_array() = 0;
  virtual void begin_map() = 0;
  virtual void key(const Text& text) = 0;  // in a map, before each value
  virtual void end_map() = 0;
  virtual void scalar(const JsonValue& value) = 0;  // null, bool, number or text
  virtual void uniform(const UniformArray& array) = 0;

  // A whole tree.
  void value(const JsonValue& tree) { value_around(tree, nullptr, nullptr); }
  // A whole tree, in which `fill` writes what belongs in the place of one node.
  void value_around(const JsonValue& tree, const JsonValue* hole,
                    const std::function<void()>& fill);
};

}  // namespace dashpot
