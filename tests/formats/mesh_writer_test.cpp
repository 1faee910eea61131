// Every format that is read is written, and gives back what it was given.

#include "standalone/formats/mesh_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "solver/base/error.h"
#include "solver/mesh/tet_mesh.h"
#include "standalone/files/read_file.h"
#include "standalone/formats/geometry_file.h"
#include "standalone/formats/mesh_reader.h"
#include "tests/formats/temp_folder.h"
#include "tests/geometry/samples.h"
#include "tests/support/outside_data.h"

namespace dashpot {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const char* const kMeshNames[] = {"m.node", "n.ele", "m.msh", "m.mesh", "m.veg", "m.t"};

// Two positive tets and a point of its own, with numbers that need all their digits.
TetGeometry awkward_mesh() {
  TetGeometry mesh;
  mesh.points.resize(3, 6);
  mesh.points << 0.0, 1.0 / 3.0, 5e-324, 1e-30, 1.1, 7.0,  //
      0.1, 0.2, 0.7 + 1e-16, 16777217.0, -1e-3, 1e308,     //
      3.0, 1e-45, 5.0, 0.3, 2.5, -2.0 / 3.0;
  mesh.tets = {{0, 1, 2, 3}, {1, 2, 4, 3}};
  for (Tet& tet : mesh.tets)
    if (signed_volume(mesh.points, tet) < 0) std::swap(tet[2], tet[3]);
  return mesh;
}

TEST(MeshWriter, EveryFormatReadsBackExactly) {
  const TempFolder folder;
  const TetGeometry mesh = awkward_mesh();
  for (const char* name : kMeshNames) {
    EXPECT_THAT(write_tet_geometry(folder.path() / name, mesh), IsEmpty()) << name;
    const TetGeometry read = read_tet_geometry(folder.path() / name);
    EXPECT_EQ(read.points, mesh.points) << name;
    EXPECT_EQ(read.tets, mesh.tets) << name;
  }
}

TEST(MeshWriter, WritesAsFewDigitsAsNeeded) {
  const TempFolder folder;
  TetGeometry mesh = awkward_mesh();
  mesh.points.col(0) = Vec3(0.1, -2.5, 1e22);
  write_tet_geometry(folder.path() / "m.node", mesh);
  EXPECT_THAT(read_file(folder.path() / "m.node"),
              AllOf(HasSubstr("6 3 0 0\n0 0.1 -2.5 1e+22\n"), HasSubstr("0.3333333333333333 ")));
}

TEST(MeshWriter, GmshAndVegaKeepOverlappingAndEmptyGroupsOfTets) {
  const TempFolder folder;
  TetGeometry mesh = awkward_mesh();
  mesh.tets.push_back(mesh.tets[0]);
  mesh.tet_groups = {{"all", {0, 1, 2}}, {"ends", {0, 2}}, {"none", {}}, {"last", {2}}};
  for (const char* name : {"m.msh", "m.veg"}) {
    EXPECT_THAT(write_tet_geometry(folder.path() / name, mesh), IsEmpty()) << name;
    const TetGeometry read = read_tet_geometry(folder.path() / name);
    EXPECT_EQ(read.tets, mesh.tets) << name;
    EXPECT_EQ(read.tet_groups, mesh.tet_groups) << name;
  }
}

TEST(MeshWriter, SaysWhichGroupsAreLeftOut) {
  const TempFolder folder;
  TetGeometry mesh = awkward_mesh();
  mesh.point_groups = {{"pins", {0}}};
  mesh.tet_groups = {{"two words", {0}}, {"quo\"te", {1}}, {"soft", {1}}};
  EXPECT_THAT(
      write_tet_geometry(folder.path() / "m.t", mesh),
      ElementsAre("point groups left out, which .t files cannot hold: pins",
                  "tet groups left out, which .t files cannot hold: quo\"te, soft, two words"));
  EXPECT_THAT(write_tet_geometry(folder.path() / "m.veg", mesh),
              Contains("tet groups left out, which .veg files cannot hold: two words"));
  EXPECT_THAT(write_tet_geometry(folder.path() / "m.msh", mesh),
              Contains("tet groups left out, which .msh files cannot hold: quo\"te"));
  EXPECT_EQ(read_tet_geometry(folder.path() / "m.veg").tet_groups.count("soft"), 1u);
}

TEST(MeshWriter, LeavesTetsAloneThatHaveNoOrientation) {
  TetGeometry mesh = awkward_mesh();
  mesh.points.row(2).setZero();
  const std::vector<Tet> before = mesh.tets;
  for (const Orientation orientation : {Orientation::kNegative, Orientation::kPositive}) {
    orient(mesh, orientation);
    EXPECT_EQ(mesh.tets, before);
  }
}

TEST(MeshWriter, TurnsNegativeTetsPositive) {
  const TempFolder folder;
  const TetGeometry mesh = awkward_mesh();
  TetGeometry negative = mesh;
  orient(negative, Orientation::kNegative);
  EXPECT_NE(negative.tets, mesh.tets);
  write_tet_geometry(folder.path() / "m.mesh", negative);
  EXPECT_EQ(read_tet_geometry(folder.path() / "m.mesh").tets, mesh.tets);
}

std::string refusal_of(const std::filesystem::path& path, const TetGeometry& mesh) {
  try {
    write_tet_geometry(path, mesh);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(MeshWriter, RefusesAMeshWithoutTetsOrWithBadPointsAndWritesNothing) {
  const TempFolder folder;
  TetGeometry mesh = awkward_mesh();
  mesh.points(1, 4) = std::numeric_limits<double>::quiet_NaN();
  for (const char* name : kMeshNames)
    EXPECT_THAT(refusal_of(folder.path() / name, mesh),
                AllOf(HasSubstr(name), HasSubstr("point 4 is not at a finite position")));
  mesh.tets.clear();
  for (const char* name : kMeshNames)
    EXPECT_THAT(refusal_of(folder.path() / name, mesh),
                AllOf(HasSubstr(name), HasSubstr("no tets to write")));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

using Paths = std::vector<std::filesystem::path>;

Paths mesh_files(const std::filesystem::path& folder) {
  Paths files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (is_mesh_file(entry.path()) && entry.path().extension() != ".ele")
      files.push_back(entry.path());
  return files;
}

// The tets of a sample in every format, with their groups where it has some.
Paths own_meshes(const TempFolder& folder) {
  const TetGeometry mesh = to_tet_geometry(read_geometry_file(own_samples() / "tets.geo"));
  for (const char* name : kMeshNames) write_tet_geometry(folder.path() / name, mesh);
  return mesh_files(folder.path());
}

void expect_unchanged_through_every_format(const Paths& paths) {
  const TempFolder folder;
  for (const auto& path : paths) {
    const TetGeometry mesh = read_tet_geometry(path);
    for (const char* name : kMeshNames) {
      write_tet_geometry(folder.path() / name, mesh);
      const TetGeometry read = read_tet_geometry(folder.path() / name);
      EXPECT_EQ(read.points, mesh.points) << path.filename() << " as " << name;
      EXPECT_EQ(read.tets, mesh.tets) << path.filename() << " as " << name;
    }
  }
}

void expect_unchanged_through_houdinis_files(const Paths& paths) {
  const TempFolder folder;
  for (const auto& path : paths)
    for (const char* name : {"m.geo", "m.bgeo", "m.bgeo.sc", "m.bgeo.gz"}) {
      EXPECT_THAT(convert_geometry_file(path, folder.path() / name), IsEmpty());
      const TetGeometry there = to_tet_geometry(read_geometry_file(folder.path() / name));
      EXPECT_LT(signed_volume(there.points, there.tets[0]), 0) << "Houdini's orientation";
      EXPECT_THAT(convert_geometry_file(folder.path() / name, folder.path() / "back.msh"),
                  IsEmpty());
      const TetGeometry mesh = read_tet_geometry(path);
      const TetGeometry back = read_tet_geometry(folder.path() / "back.msh");
      EXPECT_EQ(back.points, mesh.points) << path.filename() << " through " << name;
      EXPECT_EQ(back.tets, mesh.tets) << path.filename() << " through " << name;
      EXPECT_EQ(back.tet_groups, mesh.tet_groups) << path.filename() << " through " << name;
    }
}

void expect_tets_back_from_every_format(const std::filesystem::path& path) {
  const TempFolder folder;
  const Geometry geometry = read_geometry_file(path);
  for (const char* name : kMeshNames) {
    EXPECT_THAT(convert_geometry_file(path, folder.path() / name),
                Contains(HasSubstr("point groups left out")));
    EXPECT_GT(signed_volume(positions(geometry), read_tet_geometry(folder.path() / name).tets[0]),
              0);
    convert_geometry_file(folder.path() / name, folder.path() / "back.bgeo");
    const Geometry back = read_geometry_file(folder.path() / "back.bgeo");
    EXPECT_EQ(tets(back).tets, tets(geometry).tets) << name;
    EXPECT_EQ(positions(back), positions(geometry)) << name;
  }
}

void expect_everything_kept_between_houdinis_forms(const std::filesystem::path& samples) {
  const TempFolder folder;
  for (const auto& path : geometry_files(samples))
    for (const char* name : {"a.geo", "a.bgeo", "a.bgeo.sc", "a.bgeo.gz"}) {
      convert_geometry_file(path, folder.path() / name);
      EXPECT_EQ(difference(read_geometry_file(path), read_geometry_file(folder.path() / name)), "")
          << path.filename() << " as " << name;
    }
}

TEST(Conversion, MeshesGoThroughEveryFormatUnchanged) {
  const TempFolder folder;
  const Paths meshes = own_meshes(folder);
  EXPECT_EQ(meshes.size(), 6u);
  expect_unchanged_through_every_format(meshes);
}

TEST(Conversion, MeshesComeBackFromHoudinisFilesUnchanged) {
  const TempFolder folder;
  expect_unchanged_through_houdinis_files(own_meshes(folder));
}

TEST(Conversion, HoudinisTetsComeBackFromEveryMeshFormat) {
  expect_tets_back_from_every_format(own_samples() / "tets.geo");
}

TEST(Conversion, BetweenHoudinisFormsKeepsEverything) {
  expect_everything_kept_between_houdinis_forms(own_samples());
}

TEST(OutsideDataConversion, MeshesGoThroughEveryFormatUnchanged) {
  SKIP_WITHOUT_OUTSIDE_DATA();
  expect_unchanged_through_every_format(mesh_files(mesh_data()));
}

TEST(OutsideDataConversion, MeshesComeBackFromHoudinisFilesUnchanged) {
  SKIP_WITHOUT_OUTSIDE_DATA();
  expect_unchanged_through_houdinis_files(mesh_files(mesh_data()));
}

TEST(OutsideDataConversion, HoudinisTetsComeBackFromEveryMeshFormat) {
  SKIP_WITHOUT_OUTSIDE_DATA();
  expect_tets_back_from_every_format(houdini_data() / "tet_toy_h19.5.geo");
}

TEST(OutsideDataConversion, BetweenHoudinisFormsKeepsEverything) {
  SKIP_WITHOUT_OUTSIDE_DATA();
  expect_everything_kept_between_houdinis_forms(houdini_data());
}

TEST(Conversion, NamesAllThatAMeshFileCannotHold) {
  const TempFolder folder;
  Geometry geometry = varied_geometry(30);
  set_group(geometry, Group::Class::kPoint, "pins", {1});
  EXPECT_THAT(write_geometry_file(folder.path() / "m.mesh", geometry),
              ElementsAre("vertex attributes left out, which .mesh files cannot hold: mask",
                          "point attributes left out, which .mesh files cannot hold: v",
                          "primitive attributes left out, which .mesh files cannot hold: id",
                          "detail attributes left out, which .mesh files cannot hold: half",
                          "vertex groups left out, which .mesh files cannot hold: corners",
                          "point groups left out, which .mesh files cannot hold: pins",
                          "tet groups left out, which .mesh files cannot hold: soft"));
}

std::string conversion_refusal(const std::filesystem::path& from, const std::filesystem::path& to) {
  try {
    convert_geometry_file(from, to);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Conversion, OntoItselfUnderAnyNameIsRefused) {
  const TempFolder folder;
  write_tet_geometry(folder.path() / "m.node", awkward_mesh());
  std::filesystem::create_symlink(folder.path() / "m.node", folder.path() / "link.node");
  for (const char* name : {"m.node", "m.ele", "./m.node", "link.node"})
    EXPECT_THAT(conversion_refusal(folder.path() / "m.node", folder.path() / name),
                HasSubstr("would overwrite"))
        << name;
}

TEST(Conversion, ToANameThatSaysNoFormatIsRefusedBeforeReading) {
  const TempFolder folder;
  for (const char* name : {"m.stl", "m", "m.sc", "m.vdb"})
    EXPECT_THAT(conversion_refusal(folder.path() / "absent.geo", folder.path() / name),
                AllOf(HasSubstr(name), HasSubstr("end it in .geo, .bgeo")));
}

}  // namespace
}  // namespace dashpot
