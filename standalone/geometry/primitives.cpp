#include "standalone/geometry/primitives.h"

#include <limits>
#include <numeric>
#include <optional>

#include "solver/base/error.h"

namespace dashpot {
namespace {

struct Spelling {
  const char* binary;
  const char* text;
};
constexpr Spelling kTets{"t_r", "Tetrahedron_run"};
constexpr Spelling kPolygons{"p_r", "Polygon_run"};
constexpr Spelling kCurves{"c_r", "PolygonCurve_run"};
constexpr Spelling kStart{"s_v", "startvertex"};
constexpr Spelling kCount{"n_p", "nprimitives"};
constexpr Spelling kCounts{"n_v", "nvertices"};
constexpr Spelling kCountRuns{"r_v", "nvertices_rle"};
constexpr Spelling kAllSpellings[] = {kTets,  kPolygons, kCurves,   kStart,
                                      kCount, kCounts,   kCountRuns};

bool is(std::string_view word, const Spelling& spelling) {
  return word == spelling.binary || word == spelling.text;
}

const JsonValue* find(const JsonValue& object, const Spelling& spelling) {
  return find_key(object, spelling.binary, spelling.text);
}

[[noreturn]] void fail(const PrimitiveRun& run, const std::string& what) {
  throw InputError("primitives from number " + std::to_string(run.first) + " on ('" + run.type +
                   "'): " + what + "; write the file again");
}

// Vertex numbers follow each other from a first one on; other runs list them row by row.
bool is_compact(const PrimitiveRun& run) {
  const auto ends_with = [&](std::string_view end) {
    return run.type.size() > end.size() &&
           run.type.compare(run.type.size() - end.size(), end.size(), end) == 0;
  };
  return !find_key(run.header, "runtype") && (ends_with("_run") || ends_with("_r"));
}

std::int64_t integer_of(const PrimitiveRun& run, const Spelling& name) {
  const JsonValue* value = find(run.body, name);
  const auto number = value ? value->integer() : std::nullopt;
  if (!number || *number < 0) fail(run, std::string("'") + name.text + "' is missing or wrong");
  return *number;
}

// Vertex counts as count, repetitions, count, repetitions ….
std::vector<std::int64_t> count_runs(const PrimitiveRun& run) {
  if (const JsonValue* runs = find(run.body, kCountRuns)) {
    auto numbers = integer_list(*runs);
    if (!numbers || numbers->size() % 2 != 0) fail(run, "its vertex counts are wrong");
    return *std::move(numbers);
  }
  const JsonValue* counts = find(run.body, kCounts);
  if (!counts) fail(run, "its vertex counts are missing");
  if (const auto number = counts->integer()) return {*number, run.count};
  const auto numbers = integer_list(*counts);
  if (!numbers) fail(run, "its vertex counts are wrong");
  std::vector<std::int64_t> runs;
  runs.reserve(2 * numbers->size());
  for (const std::int64_t number : *numbers) runs.insert(runs.end(), {number, 1});
  return runs;
}

void check_compact_run(PrimitiveRun& run, std::int64_t vertex_count) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  run.count = integer_of(run, kCount);
  if (run.count > kMost) fail(run, "there are too many");
  if (run.kind == PrimitiveRun::Kind::kOther) return;
  std::int64_t left = vertex_count - integer_of(run, kStart);
  std::int64_t primitives = 0;
  const auto runs = run.kind == PrimitiveRun::Kind::kTets ? std::vector<std::int64_t>{4, run.count}
                                                          : count_runs(run);
  for (std::size_t i = 0; i < runs.size(); i += 2) {
    const std::int64_t vertices = runs[i], repetitions = runs[i + 1];
    if (vertices < 0 || vertices > kMost || repetitions < 0 || repetitions > run.count - primitives)
      fail(run, "its vertex counts are wrong");
    primitives += repetitions;
    left -= vertices * repetitions;
    if (left < 0) fail(run, "they use more vertices than there are");
  }
  if (primitives != run.count || left < 0) fail(run, "its vertex counts do not fit their number");
}

// Rows of a generic run, or the one primitive that stands alone, by field name.
class Rows {
 public:
  explicit Rows(const PrimitiveRun& run) : run_(run) {
    const JsonValue* fields = find_key(run.header, "varyingfields");
    generic_ = find_key(run.header, "runtype") != nullptr;
    if (fields) fields_ = text_list(*fields).value_or(std::vector<std::string_view>());
    uniform_ = find_key(run.header, "uniformfields");
  }

  std::size_t size() const { return generic_ ? list_size(run_.body).value_or(0) : 1; }

  // Null if the row has no such field.
  const JsonValue* field(std::size_t row, std::string_view name) const {
    if (!generic_) return find_key(run_.body, name);
    const JsonArray* rows = run_.body.array();
    const JsonArray* values = rows ? (*rows)[row].array() : nullptr;
    for (std::size_t i = 0; values && i < fields_.size() && i < values->size(); ++i)
      if (fields_[i] == name) return &(*values)[i];
    return uniform_ ? find_key(*uniform_, name) : nullptr;
  }

  // Nothing if the row has no vertices or they are no numbers.
  std::optional<std::vector<std::int64_t>> vertices(std::size_t row) const {
    // A text file's row of numbers only, such as [7], has become a uniform array.
    if (const JsonArray* rows = run_.body.array(); generic_ && rows && (*rows)[row].uniform()) {
      const auto numbers = integer_list((*rows)[row]);
      for (std::size_t i = 0; numbers && i < fields_.size() && i < numbers->size(); ++i)
        if (fields_[i] == "vertex") return std::vector<std::int64_t>{(*numbers)[i]};
      return std::nullopt;
    }
    const JsonValue* value = field(row, "vertex");
    if (!value) return std::nullopt;
    if (const auto number = value->integer()) return std::vector<std::int64_t>{*number};
    return integer_list(*value);
  }

 private:
  const PrimitiveRun& run_;
  bool generic_ = false;
  std::vector<std::string_view> fields_;
  const JsonValue* uniform_ = nullptr;
};

void check_rows(PrimitiveRun& run, std::int64_t vertex_count) {
  const Rows rows(run);
  run.count = static_cast<std::int64_t>(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto vertices = rows.vertices(i);
    if (!vertices && run.kind != PrimitiveRun::Kind::kOther)
      fail(run, "primitive " + std::to_string(i) + " of them has no vertices");
    if (!vertices) continue;
    for (const std::int64_t vertex : *vertices)
      if (vertex < 0 || vertex >= vertex_count)
        fail(run, "primitive " + std::to_string(i) + " of them has an unknown vertex");
    if (run.kind == PrimitiveRun::Kind::kTets && vertices->size() != 4)
      fail(run, "primitive " + std::to_string(i) + " of them does not have four vertices");
  }
}

PrimitiveRun::Kind kind_of(const std::string& type) {
  if (is(type, kTets) || type == "Tetrahedron") return PrimitiveRun::Kind::kTets;
  if (is(type, kPolygons) || is(type, kCurves) || type == "Poly")
    return PrimitiveRun::Kind::kPolygons;
  return PrimitiveRun::Kind::kOther;
}

JsonValue respelled(const JsonValue& word, bool binary) {
  const Text* text = word.text();
  if (!text) return word;
  for (const Spelling& spelling : kAllSpellings)
    if (const char* wanted = binary ? spelling.binary : spelling.text;
        is(text->bytes, spelling) && text->bytes != wanted)
      return {wanted};
  return word;
}

void write_respelled(JsonWriter& writer, const JsonValue& key_values, std::size_t step) {
  const JsonArray* array = key_values.array();
  if (!array) return writer.value(key_values);
  writer.begin_array(ArrayLayout::kKeyValues);
  for (std::size_t i = 0; i < array->size(); ++i) {
    if (i % step == 0) {
      writer.value(respelled((*array)[i], writer.binary()));
    } else {
      writer.value((*array)[i]);
    }
  }
  writer.end_array();
}

}  // namespace

PrimitiveRun decode_primitives(JsonValue pair, std::int64_t first, std::int64_t vertex_count) {
  JsonArray* parts = pair.array();
  if (!parts || parts->size() != 2)
    throw InputError("primitive " + std::to_string(first) +
                     " is not described by a header and a body; write the file again");
  PrimitiveRun run;
  run.header = std::move((*parts)[0]);
  run.body = std::move((*parts)[1]);
  run.first = first;
  run.count = 0;
  const JsonValue* type = find_key(run.header, "runtype", "type");
  if (!type || !type->text())
    throw InputError("primitive " + std::to_string(first) + " has no type; write the file again");
  run.type = type->text()->bytes;
  run.kind = kind_of(run.type);
  if (is_compact(run)) {
    check_compact_run(run, vertex_count);
  } else {
    check_rows(run, vertex_count);
  }
  return run;
}

void write_primitives(JsonWriter& writer, const PrimitiveRun& run) {
  writer.begin_array(ArrayLayout::kItems);
  if (is_compact(run) && run.kind != PrimitiveRun::Kind::kOther) {
    write_respelled(writer, run.header, 1);
    write_respelled(writer, run.body, 2);
  } else {
    writer.value(run.header);
    writer.value(run.body);
  }
  writer.end_array();
}

RunVertices vertices_of(const PrimitiveRun& run) {
  RunVertices result;
  if (is_compact(run)) {
    const auto runs = run.kind == PrimitiveRun::Kind::kTets
                          ? std::vector<std::int64_t>{4, run.count}
                          : count_runs(run);
    for (std::size_t i = 0; i < runs.size(); i += 2)
      result.counts.insert(result.counts.end(), static_cast<std::size_t>(runs[i + 1]), runs[i]);
    result.vertices.resize(static_cast<std::size_t>(
        std::accumulate(result.counts.begin(), result.counts.end(), std::int64_t{0})));
    std::iota(result.vertices.begin(), result.vertices.end(), integer_of(run, kStart));
    result.closed.assign(result.counts.size(), !is(run.type, kCurves));
    return result;
  }
  const Rows rows(run);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<std::int64_t> vertices = *rows.vertices(i);
    result.counts.push_back(static_cast<std::int64_t>(vertices.size()));
    result.vertices.insert(result.vertices.end(), vertices.begin(), vertices.end());
    const JsonValue* closed = rows.field(i, "closed");
    result.closed.push_back(!closed || closed->number().value_or(1) != 0);
  }
  return result;
}

}  // namespace dashpot
