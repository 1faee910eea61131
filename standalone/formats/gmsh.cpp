// Gmsh ASCII (.msh) 2.2 and 4.1: sections $Name … $EndName, one item per line. Node tags may have
// gaps and come in any order.
#include <algorithm>
#include <map>
#include <utility>

#include "standalone/files/text_scanner.h"
#include "standalone/formats/format_readers.h"

namespace dashpot {
namespace {

constexpr long kTet4 = 4, kTet10 = 11;  // Gmsh's element types
constexpr long kAny = 1L << 62;

// Point number by node tag. Files that number nodes 1, 2, 3 … need no search.
class NodeTags {
 public:
  void add(long tag) {
    dense_ = dense_ && (tags_.empty() || tag == tags_.back().first + 1);
    tags_.emplace_back(tag, static_cast<int>(tags_.size()));
  }

  // A tag that occurs twice, or -1. Call once, after the last add().
  long sort() {
    if (dense_) return -1;
    std::sort(tags_.begin(), tags_.end());
    const auto twice = std::adjacent_find(tags_.begin(), tags_.end(),
                                          [](auto& a, auto& b) { return a.first == b.first; });
    return twice == tags_.end() ? -1 : twice->first;
  }

  // -1 if there is no such node.
  int find(long tag) const {
    if (tags_.empty()) return -1;
    if (dense_) {
      const long point = tag - tags_.front().first;
      return point >= 0 && point < static_cast<long>(tags_.size()) ? static_cast<int>(point) : -1;
    }
    const auto at = std::lower_bound(tags_.begin(), tags_.end(), std::make_pair(tag, 0));
    return at != tags_.end() && at->first == tag ? at->second : -1;
  }

  int size() const { return static_cast<int>(tags_.size()); }

 private:
  std::vector<std::pair<long, int>> tags_;
  bool dense_ = true;
};

class GmshReader {
 public:
  explicit GmshReader(const std::filesystem::path& path)
      : scan_(path, TextScanner::Layout::kLines) {}

  TetGeometry read() {
    read_format();
    while (scan_.next_line()) {
      const std::string section(scan_.word("a section"));
      if (section.front() != '$') scan_.fail("expected a section such as $Nodes; repair the file");
      if (section == "$PhysicalNames")
        read_physical_names();
      else if (section == "$Entities" && version_ == 4)
        read_entities();
      else if (section == "$Nodes")
        read_nodes();
      else if (section == "$Elements")
        read_elements();
      else
        skip_section();
      end_section(section.substr(1));
    }
    if (tags_.size() == 0) scan_.fail("no section $Nodes; the file is cut short or holds no mesh");
    return std::move(geometry_);
  }

 private:
  void read_format() {
    scan_.require_line("$MeshFormat");
    const std::string first(scan_.word("$MeshFormat"));
    if (first == "$NOD")
      scan_.fail(
          "this is Gmsh format 1 ($NOD), which is not read; open it in Gmsh and save it as version "
          "4.1 or 2.2 (gmsh -save -format msh41)");
    if (first != "$MeshFormat")
      scan_.fail("expected $MeshFormat at the start; is this a Gmsh .msh file?");
    scan_.require_line("the format's version");
    const std::string version(scan_.word("the format's version"));
    if (version == "4.1")
      version_ = 4;
    else if (version == "2" || version.rfind("2.", 0) == 0)
      version_ = 2;
    else
      scan_.fail("Gmsh format " + version + " is not supported; save as version 4.1 or 2.2");
    if (scan_.integer("0 for ASCII") != 0)
      scan_.fail("binary Gmsh files are not supported; save as ASCII (Mesh.Binary = 0)");
    end_section("MeshFormat");
  }

  void end_section(const std::string& name) {
    const std::string end = "$End" + name;
    scan_.require_line(end.c_str());
    if (scan_.word(end.c_str()) != end)
      scan_.fail("expected " + end + "; the section's count does not agree with its lines");
  }

  // Stops before the line that ends the section: end_section() goes there.
  void skip_section() {
    while (scan_.next_line())
      if (scan_.peek().substr(0, 4) == "$End") break;
    scan_.repeat_line();
  }

  // dimension tag "name"
  void read_physical_names() {
    scan_.require_line("the number of physical names");
    for (int n = scan_.count("the number of physical names", 6); n > 0; --n) {
      scan_.require_line("another physical name");
      const long dimension = scan_.integer("a dimension");
      const long tag = scan_.integer("a physical tag");
      std::string_view name = scan_.rest_of_line();
      if (name.size() >= 2 && name.front() == '"' && name.back() == '"')
        name = name.substr(1, name.size() - 2);
      if (dimension != 3) continue;
      names_[tag] = std::string(name);
      geometry_.tet_groups[std::string(name)];  // also if no tet is in it
    }
  }

  // 4.1: which physical volumes a volume belongs to.
  void read_entities() {
    scan_.require_line("the numbers of entities");
    long others = 0;
    for (int dimension = 0; dimension < 3; ++dimension)
      others += scan_.integer_between(0, kAny / 4, "a number of entities");
    const long volumes = scan_.integer_between(0, kAny, "a number of entities");
    for (; others > 0; --others) scan_.require_line("another entity");
    for (long v = 0; v < volumes; ++v) {
      scan_.require_line("another volume");
      const long entity = scan_.integer("a volume's tag");
      for (int bound = 0; bound < 6; ++bound) scan_.number("a bound of the volume");
      for (int n = scan_.count("the number of physical tags", 2); n > 0; --n)
        physical_of_volume_[entity].push_back(scan_.integer("a physical tag"));
    }
  }

  void read_nodes() {
    if (tags_.size() != 0) scan_.fail("a second section $Nodes; export the file again");
    scan_.require_line("the number of nodes");
    if (version_ == 4)
      read_nodes_4();
    else
      read_nodes_2();
    const long twice = tags_.sort();
    if (twice >= 0) scan_.fail("node " + std::to_string(twice) + " occurs twice; repair the file");
  }

  void read_nodes_2() {
    const int count = scan_.count("the number of nodes", 8);
    geometry_.points.resize(3, count);
    for (int p = 0; p < count; ++p) {
      scan_.require_line("another node");
      tags_.add(scan_.integer("a node's tag"));
      read_position(p);
    }
  }

  void read_nodes_4() {
    const long blocks = scan_.integer("the number of blocks");
    const int count = scan_.count("the number of nodes", 8);
    geometry_.points.resize(3, count);
    int first = 0;
    for (long block = 0; block < blocks; ++block) {
      scan_.require_line("another block of nodes");
      for (int skipped = 0; skipped < 3; ++skipped) scan_.integer("the block's entity");
      const auto in_block = static_cast<int>(
          scan_.integer_between(0, count - first, "the number of nodes in the block"));
      for (int p = 0; p < in_block; ++p) {
        scan_.require_line("a node's tag");
        tags_.add(scan_.integer("a node's tag"));
      }
      for (int p = 0; p < in_block; ++p) {
        scan_.require_line("a node's position");
        read_position(first + p);
      }
      first += in_block;
    }
    if (first != count)
      scan_.fail("the blocks hold " + std::to_string(first) + " nodes but the section promises " +
                 std::to_string(count) + "; export the file again");
  }

  void read_position(int p) {
    for (int axis = 0; axis < 3; ++axis) geometry_.points(axis, p) = scan_.number("a coordinate");
  }

  void read_elements() {
    if (tags_.size() == 0)
      scan_.fail("$Elements without $Nodes before them; export the file again");
    scan_.require_line("the number of elements");
    if (version_ == 4)
      read_elements_4();
    else
      read_elements_2();
  }

  // number type tag-count physical-tag … nodes
  void read_elements_2() {
    for (int n = scan_.count("the number of elements", 6); n > 0; --n) {
      scan_.require_line("another element");
      scan_.integer("an element's number");
      const long type = scan_.integer("an element's type");
      refuse_second_order(type);
      if (type != kTet4) continue;
      std::vector<long> physical;
      for (long tag = 0, tags = scan_.integer("the number of tags"); tag < tags; ++tag) {
        const long value = scan_.integer("a tag");
        if (tag == 0) physical.push_back(value);
      }
      read_tet(physical);
    }
  }

  // Blocks "dimension entity type count" of lines "number nodes".
  void read_elements_4() {
    const long blocks = scan_.integer("the number of blocks");
    for (long block = 0; block < blocks; ++block) {
      scan_.require_line("another block of elements");
      scan_.integer("the block's dimension");
      const long entity = scan_.integer("the block's entity");
      const long type = scan_.integer("the block's element type");
      refuse_second_order(type);
      const auto volume = physical_of_volume_.find(entity);
      for (int n = scan_.count("the number of elements in the block", 4); n > 0; --n) {
        scan_.require_line("another element");
        scan_.integer("an element's number");
        if (type == kTet4)
          read_tet(volume == physical_of_volume_.end() ? std::vector<long>() : volume->second);
      }
    }
  }

  void read_tet(const std::vector<long>& physical) {
    const auto number = static_cast<int>(geometry_.tets.size());
    Tet& tet = geometry_.tets.emplace_back();
    for (int& p : tet) {
      const long tag = scan_.integer("a tet's node");
      p = tags_.find(tag);
      if (p < 0)
        scan_.fail("the tet uses node " + std::to_string(tag) +
                   ", which $Nodes does not have; repair the file");
    }
    for (const long tag : physical)
      if (const auto name = names_.find(tag); name != names_.end())
        geometry_.tet_groups[name->second].push_back(number);
  }

  void refuse_second_order(long type) const {
    if (type == kTet10)
      scan_.fail(
          "tets of 10 nodes are not supported; mesh with first order (Mesh.ElementOrder = 1)");
  }

  TextScanner scan_;
  TetGeometry geometry_;
  NodeTags tags_;
  std::map<long, std::string> names_;                     // of physical volumes
  std::map<long, std::vector<long>> physical_of_volume_;  // by entity
  int version_ = 0;
};

}  // namespace

TetGeometry read_gmsh(const std::filesystem::path& path) {
  return GmshReader(path).read();
}

}  // namespace dashpot
