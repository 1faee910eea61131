#include "standalone/geometry/json_writer.h"

namespace dashpot {
namespace {

bool is_scalar(const JsonValue& value) {
  return !list_size(value) && !value.map();
}

ArrayLayout natural_layout(const JsonArray& array) {
  bool all_scalar = true, all_keys = array.size() % 2 == 0, all_text = true;
  for (std::size_t i = 0; i < array.size(); ++i) {
    all_scalar = all_scalar && is_scalar(array[i]);
    all_text = all_text && array[i].text() != nullptr;
    if (i % 2 == 0) all_keys = all_keys && array[i].text() != nullptr;
  }
  if (all_keys && !all_text) return ArrayLayout::kKeyValues;
  return all_scalar ? ArrayLayout::kInline : ArrayLayout::kItems;
}

}  // namespace

void JsonWriter::value_around(const JsonValue& tree, const JsonValue* hole,
                              const std::function<void()>& fill) {
  if (&tree == hole) {
    fill();
  } else if (const JsonArray* array = tree.array()) {
    begin_array(natural_layout(*array));
    for (const JsonValue& item : *array) value_around(item, hole, fill);
    end_array();
  } else if (const JsonMap* map = tree.map()) {
    begin_map();
    for (const MapEntry& entry : *map) {
      key(entry.key);
      value_around(entry.value, hole, fill);
    }
    end_map();
  } else if (const UniformArray* numbers = tree.uniform()) {
    uniform(*numbers);
  } else {
    scalar(tree);
  }
}

}  // namespace dashpot
