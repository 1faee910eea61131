// The SOP against `dashpot simulate` on the same data: the same bits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "solver/simulation/parameters.h"
#include "standalone/files/frame_name.h"
#include "standalone/geometry/geometry_reader.h"
#include "standalone/geometry/geometry_writer.h"
#include "standalone/scene/scene_file.h"
#include "tests/sop_plugin/network.h"

namespace dashpot {
namespace {

namespace fs = std::filesystem;

constexpr int kFrames = 6;

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
    EXPECT_EQ(rounded(positions_of(shown)), rounded(positions(expected)))
        << "frame " << frame_number;
    EXPECT_EQ(rounded(vectors_of(shown, "v")),
              rounded(point_vectors(*find_attribute(expected, ElementClass::kPoint, "v"))))
        << "frame " << frame_number;
  }

  fs::path folder_;
};

bool has_motion(const Scene& scene) {
  for (const Body& body : scene.bodies)
    for (const Pin& pin : body.pins)
      if (pin.motion) return true;
  return false;
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
    const GA_ROHandleD handle(detail.findAttribute(owner, name));
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

// The [simulation] of the example for a few frames, and one body that is the geometry.
std::string scene_text(const SceneFile& file, int last) {
  std::ifstream in(file.path);
  std::string text, line;
  while (std::getline(in, line) && line.rfind("[[body]]", 0) != 0)
    if (line.rfind("frames", 0) != 0) text += line + "\n";
  const std::string header = "[simulation]\n";
  text.insert(text.find(header) + header.size(), "frames = [" + std::to_string(file.first_frame) +
                                                     ", " + std::to_string(last) + "]\n");
  return text + "[[body]]\nname = \"all\"\ngeometry = \"body.bgeo\"\ntargets = \"t.$F4.bgeo\"\n";
}

TEST_P(EveryExample, CooksToTheSameBitsAsTheCommandLine) {
  const std::string path = std::string(DASHPOT_SOURCE_DIR) + "/examples/" + GetParam();
  const SceneFile file = load_scene_file(path);
  // Planes and built-in shapes have no counterpart among VDBs; collider_input_test.cpp compares
  // those.
  if (!file.scene.colliders.empty()) GTEST_SKIP() << "its colliders are no VDB files";
  const std::shared_ptr<const Ramp> ramp = file.scene.bodies[0].damping_ramp;
  for (const Body& body : file.scene.bodies)
    if ((body.damping_ramp || ramp) && file.scene.bodies.size() > 1)
      GTEST_SKIP() << "its bodies may have ramps of their own, the node has one";
  const int first = file.first_frame, last = first + kFrames - 1;
  Network network;
  standin::set_fps(file.fps);
  network.set(file.scene.settings);
  network.solver().set_parm("startframe", first);
  if (ramp) {
    std::vector<OP_Node::RampKeyParm> keys;
    constexpr int kMenu[] = {1, 2, 3, 4};  // of RampInterpolation in Houdini's menu
    for (const RampKey& key : ramp->keys())
      keys.push_back({key.position, key.value, kMenu[static_cast<int>(key.interpolation)]});
    network.solver().set_ramp("dampingramp", keys);
  }
  network.connect(0, [&](GU_Detail& detail, double) { fill_detail(file.scene, detail); });
  if (has_motion(file.scene)) {
    const auto targets = [&](GU_Detail& detail, double frame_number) {
      fill_targets(file.scene, file.time_of(static_cast<int>(std::lround(frame_number))), detail);
    };
    network.connect(1, targets, true);
    GU_Detail body;
    fill_detail(file.scene, body);
    write_geometry((folder_ / "body.bgeo").string(), to_file(body, true));
    for (int number = first; number <= last; ++number) {
      GU_Detail target;
      targets(target, number);
      write_geometry((folder_ / frame_name("t.$F4.bgeo", number)).string(), to_file(target, false));
    }
    std::ofstream(folder_ / "scene.toml") << scene_text(file, last);
    simulate((folder_ / "scene.toml").string(), first, last);
  } else {
    simulate(path, first, last);
  }
  for (int number = first; number <= last; ++number) expect_equal(network, number);
  // And in any order.
  for (const int number : {last - 3, last, first, last - 1}) expect_equal(network, number);
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
