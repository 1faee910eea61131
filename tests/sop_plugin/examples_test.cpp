// The SOP against `dashpot simulate` on the same data: the same bits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "solver/host/node_ramp.h"
#include "solver/parameters/parameters.h"
#include "standalone/files/frame_name.h"
#include "standalone/geometry/geometry_reader.h"
#include "standalone/geometry/geometry_writer.h"
#include "standalone/scene/scene_file.h"
#include "tests/sop_plugin/example_colliders.h"
#include "tests/sop_plugin/network.h"

namespace dashpot {
namespace {

namespace fs = std::filesystem;

// How many points differ in any bit of what files hold.
int differing(const Points& one, const Points& other) {
  if (one.cols() != other.cols()) return -1;
  return static_cast<int>((rounded(one).array() != rounded(other).array()).colwise().any().count());
}

class EveryExample : public ::testing::TestWithParam<std::string> {
 protected:
  EveryExample()
      : folder_(fs::temp_directory_path() /
                ("dashpot_sop_" + std::to_string(getpid()) + "_" + GetParam())) {
    fs::create_directories(folder_);
  }
  ~EveryExample() override { fs::remove_all(folder_); }

  void simulate(const std::string& scene, int first, int last) const {
    const std::string command = std::string(DASHPOT_BIN_DIR) + "/dashpot simulate " + scene +
                                " --frames " + std::to_string(first) + "-" + std::to_string(last) +
                                " --progress none --out '" + (folder_ / "f.$F4.bgeo").string() +
                                "' > " + (folder_ / "log").string() + " 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
  }
  Geometry frame(int number) const {
    return read_geometry((folder_ / frame_name("f.$F4.bgeo", number)).string());
  }
  void expect_equal(Network& network, int frame_number) const {
    const GU_Detail& shown = network.cook(frame_number);
    ASSERT_THAT(network.errors(), ::testing::IsEmpty());
    const Geometry expected = frame(frame_number);
    EXPECT_EQ(differing(positions_of(shown), positions(expected)), 0) << "frame " << frame_number;
    EXPECT_EQ(differing(vectors_of(shown, "v"),
                        point_vectors(*find_attribute(expected, ElementClass::kPoint, "v"))),
              0)
        << "velocities of frame " << frame_number;
  }

  static std::string source_path() {
    return std::string(DASHPOT_SOURCE_DIR) + "/examples/" + GetParam();
  }
  static void set_up(Network& network, const SceneFile& file);
  std::string write_scene(const SceneFile& file, const std::vector<std::string>& bodies,
                          int last) const;
  void compare(const SceneFile& file, const std::vector<std::string>& bodies);

  fs::path folder_;
};

bool has_motion(const Scene& scene) {
  for (const Body& body : scene.bodies)
    for (const Pin& pin : body.pins)
      if (pin.motion) return true;
  return false;
}

void fill_targets(const SceneFile& file, double frame, GU_Detail& detail) {
  fill_targets(file.scene, file.time_of(static_cast<int>(std::lround(frame))), detail);
}

// What a GU_Detail says, as a file.
Geometry to_file(const GU_Detail& detail, bool with_attributes) {
  std::vector<Tet> list;
  for (GA_Index i = 0; i < detail.getNumPrimitives(); ++i) {
    const auto vertices = detail.getPrimitiveVertexList(detail.primitiveOffset(i));
    Tet tet;
    for (int k = 0; k < 4; ++k)
      tet[k] = static_cast<int>(detail.pointIndex(detail.vertexPoint(vertices(k))));
    list.push_back(tet);
  }
  Geometry geometry = make_tet_geometry(positions_of(detail), list);
  if (!with_attributes) return geometry;
  const auto copy = [&](GA_AttributeOwner owner, const std::string& name) {
    const GA_ROHandleD handle(detail.findAttribute(owner, name.c_str()));
    std::vector<double> values;
    const GA_Size count =
        owner == GA_ATTRIB_POINT ? detail.getNumPoints() : detail.getNumPrimitives();
    for (GA_Index i = 0; i < count; ++i)
      for (int c = 0; c < handle.getTupleSize(); ++c)
        values.push_back(handle.get(
            owner == GA_ATTRIB_POINT ? detail.pointOffset(i) : detail.primitiveOffset(i), c));
    set_numeric(geometry,
                owner == GA_ATTRIB_POINT ? ElementClass::kPoint : ElementClass::kPrimitive, name,
                std::move(values), handle.getTupleSize());
  };
  for (const char* name : {"rest", "v", "pintoanimation"}) copy(GA_ATTRIB_POINT, name);
  for (const Parameter& p : parameters())
    if (p.scope == ParameterScope::kPrim) copy(GA_ATTRIB_PRIMITIVE, p.token);
  return geometry;
}

// The tables of a scene file, each with its header; the first part is what comes before bodies.
std::vector<std::string> tables(const std::string& path) {
  std::ifstream in(path);
  std::vector<std::string> parts(1);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("[[", 0) == 0) parts.emplace_back();
    parts.back() += line + "\n";
  }
  return parts;
}

std::vector<std::string> body_tables(const std::string& path) {
  std::vector<std::string> bodies;
  for (const std::string& table : tables(path))
    if (table.rfind("[[body]]", 0) == 0) bodies.push_back(table);
  return bodies;
}

// What comes before bodies, for a few frames.
std::string simulation_table(const SceneFile& file, int last) {
  std::istringstream in(tables(file.path)[0]);
  std::string text;
  for (std::string line; std::getline(in, line);)
    if (line.rfind("frames", 0) != 0) text += line + "\n";
  const std::string header = "[simulation]\n";
  return text.insert(
      text.find(header) + header.size(),
      "frames = [" + std::to_string(file.first_frame) + ", " + std::to_string(last) + "]\n");
}

// Until something happens that is not free fall.
int frame_count(const std::string& example) {
  const std::map<std::string, int> longer = {
      {"conveyor.toml", 8},       {"cylinders.toml", 8},         {"pile.toml", 8},
      {"spinning_ball.toml", 18}, {"squeeze_and_lift.toml", 10}, {"terrain.toml", 12}};
  const auto found = longer.find(example);
  return found == longer.end() ? 6 : found->second;
}

// One ramp is all that a node has: bodies with ramps of their own need a node each.
bool has_own_ramps(const Scene& scene) {
  return scene.bodies.size() > 1 && std::any_of(scene.bodies.begin(), scene.bodies.end(),
                                                [](const Body& body) { return body.damping_ramp; });
}

void EveryExample::set_up(Network& network, const SceneFile& file) {
  standin::set_fps(file.fps);
  network.set(file.scene.settings);
  network.solver().set_parm("startframe", file.first_frame);
  if (const std::shared_ptr<const Ramp> ramp = file.scene.bodies[0].damping_ramp) {
    std::vector<OP_Node::RampKeyParm> keys;
    constexpr int kMenu[] = {1, 2, 3, 4};  // of RampInterpolation in Houdini's menu
    for (const RampKey& key : node_ramp(parameter("dampingramp"), ramp->keys()).keys)
      keys.push_back({key.position, key.value, kMenu[static_cast<int>(key.interpolation)]});
    network.solver().set_ramp("dampingramp", keys);
  }
  network.connect(0, [&](GU_Detail& detail, double) { fill_detail(file.scene, detail); });
  if (has_motion(file.scene))
    network.connect(
        1, [&](GU_Detail& detail, double at) { fill_targets(file, at, detail); }, true);
  if (!file.scene.colliders.empty())
    network.connect(
        2,
        [&](GU_Detail& detail, double at) {
          fill_colliders(example_colliders(file, static_cast<int>(std::lround(at))), detail);
        },
        any_moves(file));
}

// A scene file with the same data as the node's inputs.
std::string EveryExample::write_scene(const SceneFile& file, const std::vector<std::string>& bodies,
                                      int last) const {
  std::string text = simulation_table(file, last);
  const bool moves = has_motion(file.scene);
  // To a node all tets are one body, and contact limits the energy of each body.
  if (moves || (!file.scene.colliders.empty() && bodies.size() > 1)) {
    GU_Detail body;
    fill_detail(file.scene, body);
    write_geometry((folder_ / "body.bgeo").string(), to_file(body, true));
    text += "[[body]]\nname = \"all\"\ngeometry = \"body.bgeo\"\n";
    if (moves) text += "targets = \"t.$F4.bgeo\"\n";
    for (int number = file.first_frame; moves && number <= last; ++number) {
      GU_Detail target;
      fill_targets(file, number, target);
      write_geometry((folder_ / frame_name("t.$F4.bgeo", number)).string(), to_file(target, false));
    }
  } else {
    for (const std::string& body : bodies) text += body;
  }
  text += write_colliders(file, file.first_frame, last, folder_.string());
  for (const auto& entry : fs::directory_iterator(fs::path(file.path).parent_path()))
    if (entry.path().extension() == ".mesh")
      fs::copy_file(entry.path(), folder_ / entry.path().filename(),
                    fs::copy_options::overwrite_existing);
  const std::string path = (folder_ / "scene.toml").string();
  std::ofstream(path) << text;
  return path;
}

void EveryExample::compare(const SceneFile& file, const std::vector<std::string>& bodies) {
  const int first = file.first_frame, last = first + frame_count(GetParam()) - 1;
  simulate(write_scene(file, bodies, last), first, last);
  Network network;
  set_up(network, file);
  for (int number = first; number <= last; ++number) expect_equal(network, number);
  // And in any order.
  for (const int number : {last - 3, last, first, last - 1}) expect_equal(network, number);
  if (file.scene.colliders.empty()) return;
  const Points touched = network.positions(last);
  network.disconnect(2);
  EXPECT_GT(differing(network.positions(last), touched), 0) << "nothing was touched";
}

TEST_P(EveryExample, CooksToTheSameBitsAsTheCommandLine) {
  const SceneFile file = load_scene_file(source_path());
  const std::vector<std::string> bodies = body_tables(file.path);
  if (!has_own_ramps(file.scene)) return compare(file, bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    SceneFile one = file;
    one.scene.bodies = {file.scene.bodies[i]};
    compare(one, {bodies[i]});
  }
}

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(std::string(DASHPOT_SOURCE_DIR) + "/examples"))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Sop, EveryExample, ::testing::ValuesIn(example_names()),
                         [](const auto& info) {
                           return info.param.substr(0, info.param.find('.'));
                         });

}  // namespace
}  // namespace dashpot
