#include "standalone/frames/frame_geometry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "solver/base/error.h"
#include "solver/simulation/simulation.h"
#include "standalone/geometry/geometry_reader.h"
#include "standalone/geometry/geometry_writer.h"
#include "standalone/scene/scene_file.h"
#include "tests/formats/temp_folder.h"
#include "tests/geometry/samples.h"
#include "tests/support/outside_data.h"

namespace dashpot {
namespace {

using testing::HasSubstr;

std::string body_text(const std::string& name, const std::string& geometry) {
  return "[[body]]\nname = \"" + name + "\"\ngeometry = " + geometry + "\n";
}

std::string quoted(const std::filesystem::path& path) {
  return "\"" + path.string() + "\"";
}

// A scene file in a folder of its own.
struct LoadedScene {
  TempFolder folder;
  SceneFile file;

  explicit LoadedScene(const std::string& text)
      : file(load_scene_file(folder.write("scene.toml", text).string())) {}
};

constexpr const char* kBox = "{ type = \"box\", cells = 1 }";

Points single(const Points& points) {
  return points.cast<float>().cast<double>();
}

Points vectors(const Geometry& geometry, const char* name) {
  return point_vectors(*find_attribute(geometry, ElementClass::kPoint, name));
}

// A tet in Houdini's orientation, a triangle on its points, one that hangs beside it, a loose
// point.
Geometry tet_with_skin() {
  return decode_geometry(std::string(R"(["pointcount",8,"vertexcount",10,"primitivecount",3,
"info",{"date":"2020-02-02 20:20:20","hostname":"farm7","time":12.5},
"topology",["pointref",["indices",[4,5,6,1,2,3,4,1,3,2]]],
"attributes",["pointattributes",[[["scope","public","type","numeric","name","P","options",{}],
  ["size",3,"storage","fpreal32","defaults",["size",1,"storage","fpreal64","values",[0]],
   "values",["size",3,"storage","fpreal32","tuples",
    [[9,9,9],[0,0,0],[1,0,0],[0,1,0],[0,0,1],[0.25,0.25,0],[0.25,0,0.25],[8,8,8]]]]]]],
"primitives",[[["type","Polygon_run"],["startvertex",0,"nprimitives",1,"nvertices",[3]]],
 [["type","Polygon_run"],["startvertex",3,"nprimitives",1,"nvertices",[3]]],
 [["type","Tetrahedron_run"],["startvertex",6,"nprimitives",1]]]])"));
}

std::string storage(const Geometry& geometry, const char* name) {
  return find_attribute(geometry, ElementClass::kPoint, name)->data.storage();
}

void expect_frames_are_their_file_except_for_p_and_v(const std::filesystem::path& samples,
                                                     int files) {
  int checked = 0;
  for (const auto& path : geometry_files(samples)) {
    Geometry expected = read_geometry(path);
    if (tets(expected).tets.empty()) continue;
    SCOPED_TRACE(path.filename().string());
    const LoadedScene scene(body_text("jelly", quoted(path)));
    Simulation simulation(scene.file.scene);
    simulation.advance(1.0 / 24);
    FrameGeometry frames(scene.file, {});
    const State& state = simulation.state();
    const Geometry written = frames.at(2, state, {});

    const Points v = vectors(written, "v");
    EXPECT_GT(v.norm(), 0);
    const Precision precision =
        storage(expected, "P") == "fpreal64" ? Precision::kDouble : Precision::kSingle;
    set_positions(
        expected,
        geometry_positions(scene.file.sources[0], scene.file.scene.bodies[0].mesh, state.x),
        precision);
    set_point_vectors(expected, "v", v, precision);
    for (Section& section : expected.sections)
      if (JsonValue* time = find_key(section.value, "time")) *time = state.time;
    for (const FileForm form :
         {FileForm{false, Compression::kNone}, FileForm{true, Compression::kScf}}) {
      const Geometry read = decode_geometry(encode_geometry(written, form));
      EXPECT_EQ(difference(expected, read), "");
    }
    EXPECT_THAT(frames.warnings(), testing::IsEmpty());
    ++checked;
  }
  EXPECT_EQ(checked, files);
}

TEST(FrameGeometry, OfOneHoudiniFileIsThatFileExceptForPAndV) {
  expect_frames_are_their_file_except_for_p_and_v(own_samples(), 5);
}

TEST(OutsideDataFrames, OfOneHoudiniFileIsThatFileExceptForPAndV) {
  SKIP_WITHOUT_OUTSIDE_DATA();
  expect_frames_are_their_file_except_for_p_and_v(houdini_data(), 3);
}

TEST(FrameGeometry, AddsNoNameToASingleHoudiniFile) {
  const TempFolder folder;
  write_geometry(folder.path() / "a.bgeo", tet_with_skin());
  const LoadedScene scene(body_text("jelly", quoted(folder.path() / "a.bgeo")));
  FrameGeometry frames(scene.file, {});
  const Geometry& frame = frames.at(1, Simulation(scene.file.scene).state(), {});
  EXPECT_EQ(find_attribute(frame, ElementClass::kPrimitive, "name"), nullptr);
  EXPECT_EQ(find_key(*find_section(frame, "info"), "hostname")->text()->bytes, "farm7");
}

TEST(FrameGeometry, NamesTheBodiesOfAllOthers) {
  const LoadedScene shape(body_text("ball", kBox));
  FrameGeometry frames(shape.file, {});
  const Geometry& frame = frames.at(1, Simulation(shape.file.scene).state(), {});
  const Attribute* name = find_attribute(frame, ElementClass::kPrimitive, "name");
  ASSERT_NE(name, nullptr);
  EXPECT_EQ(string_of(*name, 5), "ball");
  EXPECT_EQ(find_key(*find_section(frame, "info"), "hostname"), nullptr);
  EXPECT_EQ(find_key(*find_section(frame, "info"), "date"), nullptr);
}

TEST(FrameGeometry, OfSeveralBodiesIsOneWithTheBodiesInTheirRanges) {
  const TempFolder folder;
  write_geometry(folder.path() / "a.bgeo", tet_with_skin());
  const LoadedScene scene(body_text("box", kBox) +
                          body_text("skin", quoted(folder.path() / "a.bgeo")) +
                          body_text("last", kBox));
  FrameGeometry frames(scene.file, {});
  ASSERT_EQ(frames.bodies().size(), 3u);
  const FrameGeometry::Range& skin = frames.bodies()[1];
  const FrameGeometry::Range& box = frames.bodies()[0];
  EXPECT_EQ(skin.first_point, box.point_count);
  EXPECT_EQ(skin.point_count, 8);
  EXPECT_EQ(skin.first_tet, box.tet_count);
  EXPECT_EQ(skin.tet_count, 1);
  EXPECT_EQ(frames.bodies()[2].first_tet, box.tet_count + 1);

  const Simulation simulation(scene.file.scene);
  const Geometry& frame = frames.at(1, simulation.state(), {});
  const Attribute& name = *find_attribute(frame, ElementClass::kPrimitive, "name");
  const auto first = static_cast<std::size_t>(box.tet_count);
  EXPECT_EQ(string_of(name, first - 1), "box");
  EXPECT_EQ(string_of(name, first), "skin");
  EXPECT_EQ(string_of(name, first + 3), "last");
  const TetList list = tets(frame);
  EXPECT_EQ(list.tets[first], (Tet{4 + skin.first_point, 1 + skin.first_point, 3 + skin.first_point,
                                   2 + skin.first_point}));
  EXPECT_EQ(list.primitives[first], static_cast<int>(first) + 2);
  const Points positions = vectors(frame, "P");
  EXPECT_EQ(positions.col(skin.first_point + 2), Vec3(1, 0, 0));
}

TEST(FrameGeometry, MovesEveryPointWithItsBody) {
  const TempFolder folder;
  write_geometry(folder.path() / "a.bgeo", tet_with_skin());
  const LoadedScene scene(body_text("skin", quoted(folder.path() / "a.bgeo")));
  const Simulation simulation(scene.file.scene);
  State state = simulation.state();
  state.x.colwise() += Vec3(0, 2, 0);
  state.v.colwise() = Vec3(1, 0, -1);
  state.time = 3.25;
  FrameGeometry frames(scene.file, {});
  const Geometry& frame = frames.at(7, state, {});
  const Points p = vectors(frame, "P"), v = vectors(frame, "v");
  EXPECT_EQ(p.col(3), Vec3(0, 3, 0)) << "of the tet";
  EXPECT_LT((p.col(5) - Vec3(0.25, 2.25, 0)).norm(), 1e-6) << "riding on it";
  EXPECT_LT((v.col(5) - Vec3(1, 0, -1)).norm(), 1e-6);
  EXPECT_EQ(p.col(7), Vec3(8, 8, 8)) << "used by nothing";
  EXPECT_EQ(v.col(7), Vec3::Zero());
  EXPECT_EQ(find_key(*find_section(frame, "info"), "time")->number(), 3.25);
}

TEST(FrameGeometry, WritesDiagnosticsOfTetsAndZeroForTheRest) {
  const TempFolder folder;
  write_geometry(folder.path() / "a.bgeo", tet_with_skin());
  const LoadedScene scene(body_text("skin", quoted(folder.path() / "a.bgeo")) +
                          body_text("box", kBox));
  const ElementDiagnostic *quality = &find_element_diagnostic("quality"),
                          *energy = &find_element_diagnostic("energy");
  const Simulation simulation(scene.file.scene);
  FrameGeometry frames(scene.file, {quality, energy});
  auto values = simulation.evaluate({quality, energy});
  values[1].assign(values[1].size(), 1e300);
  const Geometry& frame = frames.at(1, simulation.state(), values);
  const Attribute& written = *find_attribute(frame, ElementClass::kPrimitive, "quality");
  EXPECT_STREQ(written.data.storage(), "fpreal32");
  EXPECT_EQ(written.data.number(0), 0);
  EXPECT_EQ(written.data.number(1), 0);
  EXPECT_EQ(written.data.number(2), static_cast<float>(values[0][0]));
  EXPECT_EQ(written.data.number(3), static_cast<float>(values[0][1]));
  EXPECT_EQ(find_attribute(frame, ElementClass::kPrimitive, "energy")->data.number(2),
            std::numeric_limits<float>::max())
      << "finite in single precision, too";
}

TEST(FrameGeometry, WritesContactsOntoThePointsOfTheBodies) {
  const TempFolder folder;
  write_geometry(folder.path() / "a.bgeo", tet_with_skin());
  const LoadedScene scene(body_text("skin", quoted(folder.path() / "a.bgeo")) +
                          body_text("box", kBox));
  const Simulation simulation(scene.file.scene);
  FrameGeometry frames(scene.file, {});
  const State& state = simulation.state();
  EXPECT_EQ(find_attribute(frames.at(1, state, {}), ElementClass::kPoint, "contactforce"), nullptr);
  ContactReport report;
  ContactMark mark;  // the last point of the first body on an edge of the second
  mark.force = Vec3(0, 6, 0);
  mark.slips = true;
  mark.points = {3, 4, 5, -1};
  mark.weights = {1, -0.25, -0.75, 0};
  report.marks = {mark};
  const Geometry& frame = frames.at(1, state, {}, &report);
  const int box = frames.bodies()[1].first_point;
  const int corner = scene.file.sources[0].mesh_points[3];
  Points expected = Points::Zero(3, frame.point_count);
  expected(1, corner) = 6;
  expected(1, box) = -1.5;
  expected(1, box + 1) = -4.5;
  EXPECT_EQ(vectors(frame, "contactforce"), expected);
  EXPECT_EQ(storage(frame, "contactslip"), "int32");
  const NumericData& slip = find_attribute(frame, ElementClass::kPoint, "contactslip")->data;
  for (int i = 0; i < frame.point_count; ++i)
    EXPECT_EQ(slip.number(static_cast<std::size_t>(i)), expected(1, i) != 0 ? 2 : 0) << i;
  EXPECT_EQ(vectors(frames.at(2, state, {}, &report), "contactforce"), expected) << "not added up";
}

TEST(FrameGeometry, EqualStatesGiveEqualBytesWhateverCameBefore) {
  const LoadedScene scene(body_text("a", kBox) + body_text("b", kBox));
  const ElementDiagnostic* stress = &find_element_diagnostic("stress");
  Simulation simulation(scene.file.scene);
  FrameGeometry one(scene.file, {stress}), other(scene.file, {stress});
  const auto bytes = [&](FrameGeometry& frames) {
    return encode_geometry(frames.at(2, simulation.state(), simulation.evaluate({stress})),
                           {true, Compression::kScf});
  };
  const std::string first = bytes(one);
  simulation.advance(1.0 / 24);
  const std::string second = bytes(one);
  EXPECT_NE(first, second);
  EXPECT_EQ(bytes(other), second);
}

TEST(FrameGeometry, KeepsThePrecisionOfItsFile) {
  const TempFolder folder;
  for (const bool single_p : {true, false})
    for (const bool single_v : {true, false}) {
      Geometry geometry = tet_with_skin();
      const Points points = positions(geometry) + Points::Constant(3, 8, 1.0 / 3);
      const auto precision = [](bool single) {
        return single ? Precision::kSingle : Precision::kDouble;
      };
      set_positions(geometry, points, precision(single_p));
      set_point_vectors(geometry, "v", points, precision(single_v));
      write_geometry(folder.path() / "a.bgeo", geometry);
      const LoadedScene scene(body_text("skin", quoted(folder.path() / "a.bgeo")));
      FrameGeometry frames(scene.file, {});
      const Geometry& frame = frames.at(1, Simulation(scene.file.scene).state(), {});
      EXPECT_EQ(storage(frame, "P"), single_p ? "fpreal32" : "fpreal64");
      EXPECT_EQ(storage(frame, "v"), single_v ? "fpreal32" : "fpreal64");
      const double error = (vectors(frame, "P") - points).leftCols(5).cwiseAbs().maxCoeff();
      EXPECT_EQ(error == 0, !single_p) << "to the last bit";
    }
}

TEST(FrameGeometry, GivesANewVThePrecisionOfP) {
  const TempFolder folder;
  Geometry geometry = tet_with_skin();
  set_positions(geometry, positions(geometry), Precision::kDouble);
  write_geometry(folder.path() / "a.bgeo", geometry);
  const LoadedScene scene(body_text("skin", quoted(folder.path() / "a.bgeo")));
  FrameGeometry frames(scene.file, {});
  EXPECT_EQ(storage(frames.at(1, Simulation(scene.file.scene).state(), {}), "v"), "fpreal64");
}

TEST(FrameGeometry, IsInDoublePrecisionFarFromTheOrigin) {
  for (const auto& [place, expected] :
       {std::pair("0", "fpreal32"), std::pair("10", "fpreal32"), std::pair("1e4", "fpreal64")}) {
    const LoadedScene scene(body_text("near", kBox) + body_text("box", kBox) + "translate = [0, " +
                            place + ", 0]\n");
    FrameGeometry frames(scene.file, {});
    const State state = Simulation(scene.file.scene).state();
    const Geometry& frame = frames.at(1, state, {});
    EXPECT_EQ(storage(frame, "P"), expected) << place;
    EXPECT_EQ(storage(frame, "v"), expected) << place;
    EXPECT_EQ(frames.precision_warning(state), std::nullopt);
    EXPECT_EQ(vectors(frame, "P"),
              std::string_view(expected) == "fpreal64" ? state.x : single(state.x));
  }
}

TEST(FrameGeometry, WarnsOfABodyThatFliesFarAway) {
  const LoadedScene scene(body_text("a", kBox) + body_text("flier", kBox));
  const FrameGeometry frames(scene.file, {});
  State state = Simulation(scene.file.scene).state();
  EXPECT_EQ(frames.precision_warning(state), std::nullopt);
  state.x.rightCols(1).array() += 1e5;
  const auto warning = frames.precision_warning(state);
  ASSERT_TRUE(warning.has_value());
  EXPECT_THAT(*warning, HasSubstr("body 'flier'"));
}

TEST(FrameGeometry, RefusesNumbersThatAreNotFiniteInSinglePrecision) {
  const LoadedScene scene(body_text("a", kBox) + body_text("b", kBox));
  const Simulation simulation(scene.file.scene);
  FrameGeometry frames(scene.file, {});
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity(), 1e39}) {
    for (const bool velocity : {false, true}) {
      State state = simulation.state();
      (velocity ? state.v : state.x)(1, 11) = bad;
      try {
        frames.at(12, state, {});
        ADD_FAILURE() << bad << " was accepted";
      } catch (const SimulationError& error) {
        EXPECT_THAT(error.what(),
                    HasSubstr(velocity ? "frame 12: the velocity of point 11 is not a finite"
                                       : "frame 12: the position of point 11 is not a finite"));
      }
    }
  }
  EXPECT_EQ(vectors(frames.at(1, simulation.state(), {}), "P"), single(simulation.state().x));
}

}  // namespace
}  // namespace dashpot
