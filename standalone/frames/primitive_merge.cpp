#include "standalone/frames/primitive_merge.h"

#include <algorithm>

namespace dashpot {
namespace {

// A vertex number or a list of them.
bool move_numbers(JsonValue& value, std::int64_t by) {
  if (const auto number = value.integer()) {
    value = *number + by;
    return true;
  }
  const auto list = integer_list(value);
  if (!list) return false;
  std::vector<std::int32_t> moved;
  moved.reserve(list->size());
  for (const std::int64_t number : *list) moved.push_back(static_cast<std::int32_t>(number + by));
  value = UniformArray(std::move(moved));
  return true;
}

// One primitive of a generic run: its values in the order of the run's fields.
bool move_row(JsonValue& row, std::size_t field, std::int64_t by) {
  if (JsonArray* values = row.array())
    return field < values->size() && move_numbers((*values)[field], by);
  // A row of nothing but numbers.
  auto numbers = integer_list(row);
  if (!numbers || field >= numbers->size()) return false;
  (*numbers)[field] += by;
  row = UniformArray(std::vector<std::int32_t>(numbers->begin(), numbers->end()));
  return true;
}

bool move_rows(PrimitiveRun& run, std::int64_t by) {
  if (run.count == 0) return true;
  const JsonValue* varying = find_key(run.header, "varyingfields");
  const auto fields = varying ? text_list(*varying).value_or(std::vector<std::string_view>())
                              : std::vector<std::string_view>();
  const auto vertex = std::find(fields.begin(), fields.end(), "vertex");
  if (vertex == fields.end()) {
    JsonValue* uniform = find_key(run.header, "uniformfields");
    JsonValue* shared = uniform ? find_key(*uniform, "vertex") : nullptr;
    return shared && move_numbers(*shared, by);
  }
  JsonArray* rows = run.body.array();
  if (!rows) return false;
  const auto field = static_cast<std::size_t>(vertex - fields.begin());
  bool moved = true;
  for (JsonValue& row : *rows) moved = move_row(row, field, by) && moved;
  return moved;
}

}  // namespace

bool move_primitives(PrimitiveRun& run, std::int64_t first_primitive, std::int64_t first_vertex) {
  run.first += first_primitive;
  if (first_vertex == 0) return true;
  if (find_key(run.header, "runtype")) return move_rows(run, first_vertex);
  for (const char* key : {"s_v", "startvertex", "vertex"})
    if (JsonValue* vertices = find_key(run.body, key)) return move_numbers(*vertices, first_vertex);
  return false;
}

}  // namespace dashpot
