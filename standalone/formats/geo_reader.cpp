// Houdini's ASCII .geo. Most "objects" in it are flat arrays key, value, key, value …
#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "solver/base/error.h"
#include "standalone/formats/format_readers.h"
#include "standalone/formats/text_scanner.h"

namespace dashpot {
namespace {

using Json = nlohmann::json;

// Tets first … first + count - 1 are the primitives from `primitive` on.
struct TetRange {
  std::int64_t primitive, first, count;
};

class GeoReader {
 public:
  explicit GeoReader(const std::filesystem::path& path) : path_(path) {}

  TetGeometry read() {
    const Json root = parse();
    if (!root.is_array()) fail("the top level is not an array of keys and values");
    read_points(root);
    read_tets(root);
    if (const Json* groups = find(root, "pointgroups"))
      geometry_.point_groups =
          read_groups(*groups, {{0, 0, geometry_.points.cols()}}, geometry_.points.cols());
    if (const Json* groups = find(root, "primitivegroups"))
      geometry_.tet_groups = read_groups(*groups, ranges_, primitive_count_);
    return std::move(geometry_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(path_.string() + ": " + what + "; save the file again from Houdini as .geo");
  }

  Json parse() const {
    const std::string text = read_file(path_);
    refuse_other_formats(text);
    try {
      return Json::parse(text);
    } catch (const Json::parse_error& error) {
      const auto end =
          text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
      const auto line = 1 + std::count(text.begin(), end, '\n');
      fail("line " + std::to_string(line) + " is not the JSON of a .geo file, or it is cut short");
    } catch (const Json::exception&) {
      fail("it holds a number that is out of range");
    }
  }

  void refuse_other_formats(const std::string& text) const {
    const auto starts = [&](const char* magic) { return text.rfind(magic, 0) == 0; };
    if (starts("\x7f") || starts("scf1") || starts("\x1f\x8b"))
      fail("binary or compressed Houdini geometry is not supported yet");
    if (starts("PGEOMETRY") || starts("Bgeo"))
      fail("the classic format of Houdini 11 is not supported");
    if (starts("version https://git-lfs"))
      throw InputError(path_.string() + ": a Git LFS pointer, not geometry; run git lfs pull");
  }

  static const Json* find(const Json& object, const char* key) {
    if (object.is_object()) {
      const auto at = object.find(key);
      return at == object.end() ? nullptr : &*at;
    }
    if (!object.is_array()) return nullptr;
    for (std::size_t i = 0; i + 1 < object.size(); i += 2)
      if (object[i] == key) return &object[i + 1];
    return nullptr;
  }

  const Json& get(const Json& object, const char* key, const char* where) const {
    const Json* value = find(object, key);
    if (value == nullptr) fail(std::string(where) + " has no '" + key + "'");
    return *value;
  }

  const Json& get_array(const Json& object, const char* key, const char* where) const {
    const Json& value = get(object, key, where);
    if (!value.is_array()) fail(std::string("'") + key + "' of " + where + " is not an array");
    return value;
  }

  std::int64_t integer(const Json& value, const char* what) const {
    if (!value.is_number_integer()) fail(std::string(what) + " is not an integer");
    return value.get<std::int64_t>();
  }

  // The long name of ASCII files or the short one of binary files.
  std::int64_t run_field(const Json& body, const char* name, const char* short_name) const {
    const Json* value = find(body, name);
    if (value == nullptr) value = find(body, short_name);
    if (value == nullptr) fail(std::string("a primitive run has no '") + name + "'");
    const std::int64_t field = integer(*value, name);
    if (field < 0 || field > std::int64_t{1} << 31) fail(std::string(name) + " is out of range");
    return field;
  }

  std::string name_of(const Json& header, const char* where) const {
    const Json& name = get(header, "name", where);
    if (!name.is_string()) fail(std::string("the name of ") + where + " is not a string");
    return name.get<std::string>();
  }

  void read_points(const Json& root) {
    const Json& attributes =
        get_array(get(root, "attributes", "the file"), "pointattributes", "the attributes");
    const std::int64_t count = integer(get(root, "pointcount", "the file"), "pointcount");
    bool found = false;
    for (const Json& attribute : attributes) {
      if (!attribute.is_array() || attribute.size() != 2) fail("a point attribute is malformed");
      const std::string name = name_of(attribute[0], "a point attribute");
      if (name != "P" && name != "v") continue;
      Points vectors = read_vectors(attribute[1], name, count);
      if (name == "v")
        geometry_.velocity = std::move(vectors);
      else
        geometry_.points = std::move(vectors);
      found = found || name == "P";
    }
    if (!found) fail("there is no point attribute P");
  }

  Points read_vectors(const Json& body, const std::string& name, std::int64_t count) const {
    const Json& tuples =
        get_array(get(body, "values", "a point attribute"), "tuples", "a point attribute");
    if (static_cast<std::int64_t>(tuples.size()) != count)
      fail("the attribute " + name + " has " + std::to_string(tuples.size()) +
           " values but pointcount is " + std::to_string(count));
    const Json* storage = find(body, "storage");
    const bool single = storage != nullptr && *storage == "fpreal32";
    Points vectors(3, static_cast<Eigen::Index>(tuples.size()));
    for (std::size_t p = 0; p < tuples.size(); ++p)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const Json& tuple = tuples[p];
        if (!tuple.is_array() || tuple.size() < 3 || !tuple[axis].is_number())
          fail("value " + std::to_string(p) + " of the attribute " + name +
               " is not three numbers");
        const auto value = tuple[axis].get<double>();
        vectors(static_cast<Eigen::Index>(axis), static_cast<Eigen::Index>(p)) =
            single ? static_cast<float>(value) : value;
      }
    return vectors;
  }

  void read_tets(const Json& root) {
    const Json& pointref = get(get(root, "topology", "the file"), "pointref", "the topology");
    const Json& indices = get_array(pointref, "indices", "the topology");
    const std::int64_t count = integer(get(root, "vertexcount", "the file"), "vertexcount");
    if (static_cast<std::int64_t>(indices.size()) != count)
      fail("the topology has " + std::to_string(indices.size()) + " vertices but vertexcount is " +
           std::to_string(count));
    if (const Json* primitives = find(root, "primitives"))
      for (const Json& primitive : *primitives) read_primitive(primitive, indices);
    const std::int64_t promised =
        integer(get(root, "primitivecount", "the file"), "primitivecount");
    if (primitive_count_ != promised)
      fail("it has " + std::to_string(primitive_count_) + " primitives but primitivecount is " +
           std::to_string(promised));
  }

  void read_primitive(const Json& primitive, const Json& indices) {
    if (!primitive.is_array() || primitive.size() != 2) fail("a primitive is malformed");
    const Json& body = primitive[1];
    const Json& type = get(primitive[0], "type", "a primitive");
    const auto first_tet = static_cast<std::int64_t>(geometry_.tets.size());
    std::int64_t count = 1;
    if (type == "Tetrahedron_run" || type == "t_r") {
      const std::int64_t start = run_field(body, "startvertex", "s_v");
      count = run_field(body, "nprimitives", "n_p");
      if (start + 4 * count > static_cast<std::int64_t>(indices.size()))
        fail("a run of tets goes beyond the last vertex");
      for (std::int64_t t = 0; t < count; ++t) {
        Tet& tet = geometry_.tets.emplace_back();
        for (std::size_t c = 0; c < 4; ++c)
          tet[c] = point_number(indices[static_cast<std::size_t>(start + 4 * t) + c]);
      }
      ranges_.push_back({primitive_count_, first_tet, count});
    } else if (type == "Tetrahedron") {
      const Json& vertices = get_array(body, "vertex", "a tet");
      if (vertices.size() != 4) fail("a tet does not have four vertices");
      Tet& tet = geometry_.tets.emplace_back();
      for (std::size_t c = 0; c < 4; ++c) {
        const std::int64_t vertex = integer(vertices[c], "a tet's vertex");
        if (vertex < 0 || vertex >= static_cast<std::int64_t>(indices.size()))
          fail("a tet's vertex is out of range");
        tet[c] = point_number(indices[static_cast<std::size_t>(vertex)]);
      }
      ranges_.push_back({primitive_count_, first_tet, 1});
    } else if (type == "run") {
      count = static_cast<std::int64_t>(body.size());
    } else if (find(body, "nprimitives") != nullptr || find(body, "n_p") != nullptr) {
      count = run_field(body, "nprimitives", "n_p");
    }
    primitive_count_ += count;
  }

  int point_number(const Json& index) const {
    const std::int64_t point = integer(index, "a vertex' point");
    if (point < 0 || point >= geometry_.points.cols())
      fail("vertex uses point " + std::to_string(point) + " of " +
           std::to_string(geometry_.points.cols()));
    return static_cast<int>(point);
  }

  std::map<std::string, std::vector<int>> read_groups(const Json& groups,
                                                      const std::vector<TetRange>& ranges,
                                                      std::int64_t count) const {
    std::map<std::string, std::vector<int>> result;
    for (const Json& group : groups) {
      if (!group.is_array() || group.size() != 2) fail("a group is malformed");
      const std::string name = name_of(group[0], "a group");
      const Json& selection = get(group[1], "selection", "a group");
      std::vector<int>& members = result[name];
      // Elements [begin, end) of the file; only those that we keep become members.
      const auto add = [&](std::int64_t begin, std::int64_t end) {
        for (const TetRange& range : ranges) {
          const std::int64_t shift = range.first - range.primitive;
          const std::int64_t last = std::min(end, range.primitive + range.count);
          for (std::int64_t e = std::max(begin, range.primitive); e < last; ++e)
            members.push_back(static_cast<int>(e + shift));
        }
      };
      if (const Json* unordered = find(selection, "unordered")) {
        read_membership(*unordered, name, count, add);
      } else if (const Json* ordered = find(selection, "ordered")) {
        for (const Json& element : *ordered) {
          const std::int64_t e = integer(element, "a group's member");
          if (e < 0 || e >= count) fail("group '" + name + "' has a member that does not exist");
          add(e, e + 1);
        }
      }
    }
    return result;
  }

  template <class Add>
  void read_membership(const Json& unordered, const std::string& name, std::int64_t count,
                       const Add& add) const {
    std::int64_t at = 0;
    const Json* runs = find(unordered, "boolRLE");
    const Json* flags = find(unordered, "i8");
    if (runs != nullptr && runs->is_array()) {
      for (std::size_t i = 0; i + 1 < runs->size(); i += 2) {
        const std::int64_t length = integer((*runs)[i], "a group's run");
        if (length < 0 || length > count - at) fail("group '" + name + "' has too many members");
        if (is_set((*runs)[i + 1])) add(at, at + length);
        at += length;
      }
    } else if (flags != nullptr && flags->is_array()) {
      for (const Json& flag : *flags) {
        if (is_set(flag)) add(at, at + 1);
        ++at;
      }
    } else {
      fail("group '" + name + "' is stored in an unknown way");
    }
    if (at != count)
      fail("group '" + name + "' covers " + std::to_string(at) + " of " + std::to_string(count) +
           " elements");
  }

  static bool is_set(const Json& flag) {
    return flag.is_boolean() ? flag.get<bool>() : flag.is_number() && flag.get<double>() != 0.0;
  }

  std::filesystem::path path_;
  TetGeometry geometry_;
  std::vector<TetRange> ranges_;
  std::int64_t primitive_count_ = 0;
};

}  // namespace

TetGeometry read_geo(const std::filesystem::path& path) {
  return GeoReader(path).read();
}

}  // namespace dashpot
