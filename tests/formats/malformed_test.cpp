#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "solver/base/error.h"
#include "standalone/formats/geometry_file.h"
#include "tests/formats/temp_folder.h"

namespace dashpot {
namespace {

using testing::HasSubstr;

const std::string kNode = "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n";
const std::string kEle = "1 4 0\n0 0 1 2 3\n";
const std::string kGmsh2 =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
    "$EndNodes\n$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n";
const std::string kGmsh4 =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 0 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n"
    "0 1 0\n0 0 1\n$EndNodes\n$Elements\n1 1 1 1\n3 0 4 1\n1 1 2 3 4\n$EndElements\n";
const std::string kMedit =
    "MeshVersionFormatted 1\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
    "Tetrahedra\n1\n1 2 3 4 0\nEnd\n";
const std::string kVega =
    "*VERTICES\n4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n*ELEMENTS\nTET\n1 4 0\n1 1 2 3 4\n"
    "*SET s\n1\n";
const std::string kMeshFrame =
    "Vertex 0 0 0 0\nVertex 1 1 0 0\nVertex 2 0 1 0\nVertex 3 0 0 1\nTet 0 0 1 2 3\n";
const std::string kGeo = R"(["fileversion","19.5.493","pointcount",4,"vertexcount",4,
"primitivecount",1,"topology",["pointref",["indices",[0,1,2,3]]],
"attributes",["pointattributes",[[["scope","public","type","numeric","name","P","options",{}],
["size",3,"storage","fpreal32","values",["size",3,"storage","fpreal32","tuples",
[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]]]]]],
"primitives",[[["type","Tetrahedron_run"],["startvertex",0,"nprimitives",1]]],
"pointgroups",[[["name","g"],["selection",["unordered",["boolRLE",[4,true]]]]]]])";

// A good file in which one text is replaced by another.
std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// The message without the folder, or "accepted".
std::string message(const TempFolder& folder, const std::string& name) {
  try {
    read_geometry_file(folder.path() / name);
  } catch (const InputError& error) {
    std::string text = error.what();
    const std::string prefix = folder.path().string() + "/";
    for (std::size_t at = 0; (at = text.find(prefix)) != std::string::npos;)
      text.erase(at, prefix.size());
    return text;
  }
  return "accepted";
}

struct Case {
  std::string name, text, expected;
};

void PrintTo(const Case& file, std::ostream* out) {
  *out << file.name << ":\n" << file.text;
}

class Malformed : public testing::TestWithParam<Case> {};

TEST_P(Malformed, IsRefusedWithOneSentence) {
  const TempFolder folder;
  folder.write("m.node", kNode);
  folder.write("m.ele", kEle);
  folder.write(GetParam().name, GetParam().text);
  const std::string text = message(folder, GetParam().name);
  EXPECT_THAT(text, HasSubstr(GetParam().expected));
  EXPECT_EQ(text.rfind(GetParam().name, 0), 0u) << "starts with the file: " << text;
  EXPECT_EQ(text.find('\n'), std::string::npos) << "one line: " << text;
}

INSTANTIATE_TEST_SUITE_P(
    TetGen, Malformed,
    testing::Values(
        Case{"m.node", "", "m.node:1: expected the number of points but the file ends"},
        Case{"m.node", with(kNode, "4 3", "5 3"), "m.node:6: expected another point but the file"},
        Case{"m.node", with(kNode, "4 3", "3 3"), "m.node:5: more points than the 3"},
        Case{"m.node", with(kNode, "4 3", "4 2"), "m.node:1: the dimension is 2 where 3"},
        Case{"m.node", with(kNode, "4 3", "2000000000 3"),
             "m.node:1: the number of points is 2000000000 but the rest of the file has room"},
        Case{"m.node", with(kNode, "4 3", "-4 3"), "m.node:1: the number of points is -4"},
        Case{"m.node", with(kNode, "4 3", "99999999999999999999 3"),
             "m.node:1: expected the number of points but found '99999999999999999999'"},
        Case{"m.node", with(kNode, "1 1 0 0", "1 1 0"),
             "m.node:3: expected a coordinate but the line ends"},
        Case{"m.node", with(kNode, "1 1 0 0", "1 1 O 0"),
             "m.node:3: expected a coordinate but found 'O'"},
        Case{"m.node", with(kNode, "1 1 0 0", "1 1 0.5x 0"),
             "m.node:3: expected a coordinate but found '0.5x'"},
        Case{"m.node", with(kNode, "1 1 0 0", "7 1 0 0"),
             "m.node:3: the point's number is 7 where 1 was expected"},
        Case{"m.node", with(kNode, "\n0 0", "\n5 0"),
             "m.node:2: the first point's number is 5 but must be from 0 to 1"},
        Case{"m.node", std::string("4 3 0 0\n\0\1\2", 11), "m.node:2: binary data where text"},
        Case{"m.ele", with(kEle, "1 2 3", "1 2 4"),
             "m.ele:2: a tet's point is 4 but must be from 0 to 3; repair the file"},
        Case{"m.ele", with(kEle, "1 2 3", "1 2 -1"), "m.ele:2: a tet's point is -1"},
        Case{"m.ele", with(kEle, "1 2 3", "1 2"), "m.ele:2: expected a tet's point but the line"},
        Case{"m.ele", with(kEle, "1 2 3", "1 2.5 3"),
             "m.ele:2: expected a tet's point but found '2.5'"},
        Case{"m.ele", with(kEle, "1 4 0", "1 8 0"), "m.ele:1: elements of 8 points where tets"}));

// Numbers as a program writes them where the decimal sign is a comma.
INSTANTIATE_TEST_SUITE_P(
    DecimalCommas, Malformed,
    testing::Values(
        Case{"m.node", with(kNode, "1 1 0 0", "1 0,5 0,25 0,0"),
             "m.node:3: a comma inside a coordinate; write decimals with a point"},
        Case{"m.msh", with(kGmsh2, "2 1 0 0", "2 0,5 0,25 0,0"), "m.msh:7: a comma inside a coo"},
        Case{"m.msh", with(kGmsh4, "\n1 0 0", "\n1 0,5 0"), "m.msh:12: a comma inside a coord"},
        Case{"m.mesh", with(kMedit, "\n1 0 0 0", "\n0,5 0,25 0,0 0"), "m.mesh:6: a comma inside"},
        Case{"m.veg", with(kVega, "2 1 0 0", "2 0,5 0,25 0,0"),
             "m.veg:4: a vertex has more than three coordinates; write decimals with a point"},
        Case{"m.t", with(kMeshFrame, "1 1 0 0", "1 0,5 0,25 0"), "m.t:2: a comma inside a coord"}));

INSTANTIATE_TEST_SUITE_P(
    Gmsh, Malformed,
    testing::Values(
        Case{"m.msh", "", "m.msh:1: expected $MeshFormat but the file ends"},
        Case{"m.msh", "$NOD\n4\n1 0 0 0\n",
             "m.msh:1: this is Gmsh format 1 ($NOD), which is not read"},
        Case{"m.msh", "solid cube\n", "m.msh:1: expected $MeshFormat at the start"},
        Case{"m.msh", "$NOD\n4\n1 0 0 0\n", "m.msh:1: this is Gmsh format 1 ($NOD)"},
        Case{"m.msh", with(kGmsh2, "2.2 0 8", "2.2 1 8"), "m.msh:2: binary Gmsh files are not"},
        Case{"m.msh", with(kGmsh2, "2.2 0 8", "4 0 8"), "m.msh:2: Gmsh format 4 is not supported"},
        Case{"m.msh", with(kGmsh2, "$Nodes\n4", "$Nodes\n5"),
             "m.msh:10: expected a node's tag but found '$EndNodes'"},
        Case{"m.msh", with(kGmsh2, "$Nodes\n4", "$Nodes\n3"), "m.msh:9: expected $EndNodes"},
        Case{"m.msh", with(kGmsh2, "$Nodes\n4", "$Nodes\n400000000"),
             "m.msh:5: the number of nodes is 400000000 but the rest"},
        Case{"m.msh", with(kGmsh2, "\n4 0 0 1", "\n1 0 0 1"), "m.msh:9: node 1 occurs twice"},
        Case{"m.msh", with(kGmsh2, "1 1 2 3 4\n", "1 1 2 3 44\n"),
             "m.msh:13: the tet uses node 44, which $Nodes does not have"},
        Case{"m.msh", with(kGmsh2, "1 4 2 0 1", "1 11 2 0 1"),
             "m.msh:13: tets of 10 nodes are not supported"},
        Case{"m.msh", with(kGmsh2, "$Nodes", "$Knots"), "m.msh:10: expected $EndKnots"},
        Case{"m.msh", kGmsh2.substr(0, 50),
             "m.msh:5: the number of nodes is 4 but the rest of the file has room for at most 1"},
        Case{"m.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n", "no section $Nodes"},
        Case{"m.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Elements\n0\n$EndElements\n",
             "m.msh:4: $Elements without $Nodes"},
        Case{"m.msh", kGmsh2 + kGmsh2.substr(kGmsh2.find("$Nodes")), "a second section $Nodes"},
        Case{"m.msh", with(kGmsh4, "3 0 0 4", "3 0 0 5"),
             "m.msh:6: the number of nodes in the block is 5 but must be from 0 to 4"},
        Case{"m.msh", with(kGmsh4, "1 4 1 4", "1 3 1 4"), "the number of nodes in the block is 4"},
        Case{"m.msh", with(kGmsh4, "1 4 1 4", "9999999999 4 1 4"),
             "m.msh:15: expected the block's entity but found '$EndNodes'"},
        Case{"m.msh", with(kGmsh4, "1 4 1 4", "0 4 1 4"),
             "m.msh:5: the blocks hold 0 nodes but the section promises 4"},
        Case{"m.msh", with(kGmsh4, "3 0 4 1", "3 0 4 1000000"),
             "the number of elements in the block is 1000000"},
        Case{"m.msh", with(kGmsh4, "1 1 2 3 4", "1 1 2 3 0"), "the tet uses node 0"}));

INSTANTIATE_TEST_SUITE_P(
    Medit, Malformed,
    testing::Values(
        Case{"m.mesh", "", "m.mesh:1: expected MeshVersionFormatted but the file ends"},
        Case{"m.mesh", "mesh", "m.mesh:1: expected MeshVersionFormatted at the start"},
        Case{"m.mesh", with(kMedit, "Dimension 3", "Dimension 2"), "m.mesh:2: the dimension is 2"},
        Case{"m.mesh", with(kMedit, "Vertices\n4", "Vertices\n5"),
             "m.mesh:9: expected a coordinate but found 'Tetrahedra'"},
        Case{"m.mesh", with(kMedit, "Vertices\n4", "Vertices\n3"),
             "m.mesh:8: a number where a section was expected"},
        Case{"m.mesh", with(kMedit, "Vertices\n4", "Vertices\n123456789"),
             "m.mesh:4: the number of vertices is 123456789"},
        Case{"m.mesh", with(kMedit, "1 2 3 4 0", "1 2 3 5 0"),
             "m.mesh:11: a tet's vertex is 5 but must be from 1 to 4"},
        Case{"m.mesh", with(kMedit, "1 2 3 4 0", "0 2 3 4 0"), "m.mesh:11: a tet's vertex is 0"},
        Case{"m.mesh", with(kMedit, "Vertices", "Knots"), "Tetrahedra without Vertices"},
        Case{"m.mesh", kMedit.substr(0, 60), "the file"},
        Case{"m.mesh", with(kMedit, "End", "Vertices 1 0 0 0 0"), "a second section Vertices"}));

INSTANTIATE_TEST_SUITE_P(
    Vega, Malformed,
    testing::Values(
        Case{"m.veg", "vertices\n", "m.veg:1: expected a section such as *VERTICES"},
        Case{"m.veg", with(kVega, "4 3 0 0", "5 3 0 0"),
             "m.veg:7: expected the vertex' number but found '*ELEMENTS'"},
        Case{"m.veg", with(kVega, "4 3 0 0", "3 3 0 0"), "m.veg:6: expected a section such as"},
        Case{"m.veg", with(kVega, "4 3 0 0", "77777777 3 0 0"), "m.veg:2: the number of vertices"},
        Case{"m.veg", with(kVega, "TET", "CUBIC"), "m.veg:8: elements of type CUBIC where TET"},
        Case{"m.veg", with(kVega, "1 1 2 3 4", "1 1 2 3 5"), "m.veg:10: an element's vertex is 5"},
        Case{"m.veg", with(kVega, "s\n1", "s\n2"),
             "m.veg:12: a set's element is 2 where 1 was expected"},
        Case{"m.veg", with(kVega, "*SET s", "*SET"), "m.veg:11: expected the set's name"},
        Case{"m.veg", "*INCLUDE a.veg\n", "m.veg:1: *INCLUDE is not supported"},
        Case{"m.veg", kVega + "*VERTICES\n", "m.veg:13: a second *VERTICES"},
        Case{"m.veg", kVega + "*ELEMENTS\n", "m.veg:13: a second *ELEMENTS"},
        Case{"m.veg", kVega.substr(0, 40), "m.veg:2: the number of vertices is 4 but the rest"},
        Case{"m.veg", kVega.substr(0, 45), "m.veg:6: expected a coordinate but the file ends"}));

INSTANTIATE_TEST_SUITE_P(
    MeshFrame, Malformed,
    testing::Values(
        Case{"m.t", "hello\n", "m.t:1: expected a line that starts with Vertex or Tet"},
        Case{"m.t", with(kMeshFrame, "1 2 3\n", "1 2 9\n"), "m.t:5: a tet's vertex is 9"},
        Case{"m.t", with(kMeshFrame, "Vertex 2", "Vertex 5"),
             "m.t:3: the vertex' number is 5 where 2"},
        Case{"m.t", with(kMeshFrame, "1 2 3\n", "1 2\n"), "m.t:5: expected a tet's vertex but"}));

INSTANTIATE_TEST_SUITE_P(OtherNames, Malformed,
                         testing::Values(Case{"m.stl", "solid cube\n",
                                              "files of tets that are read end in .geo, .bgeo"},
                                         Case{"m", "v 0 0 0\n", "m: this is no Houdini geometry"}));

INSTANTIATE_TEST_SUITE_P(
    Geo, Malformed,
    testing::Values(
        Case{"m.geo", "", "m.geo: this file is empty"},
        Case{"m.geo", kGeo.substr(0, 120), "m.geo: the file ends at byte 120"},
        Case{"m.geo", "\x7fNSJb",
             "m.geo: binary geometry is damaged at byte 5 (it ends too early)"},
        Case{"m.geo", "scf1", "m.geo: compressed geometry is damaged (it ends too early)"},
        Case{"m.geo", "PGEOMETRY V5\n", "m.geo: this is the classic geometry format of Houdini 11"},
        Case{"m.geo", "version https://git-lfs.github.com/spec/v1\n", "run 'git lfs pull'"},
        Case{"m.geo", std::string(" BDV\0\0\0\0", 8), "m.geo: this is an OpenVDB volume"},
        Case{"m.geo", "{}", "m.geo: this is no Houdini geometry"},
        Case{"m.geo", std::string(100000, '['),
             "m.geo: byte 201 of 100000: the file is nested too deeply"},
        Case{"m.geo", with(kGeo, "\"scope\",\"public\",\"type\",\"numeric\",\"name\",\"P\"", "7,7"),
             "m.geo: a point attribute has no name, type or body"},
        Case{"m.geo", with(kGeo, "\"pointcount\",4", "\"pointcount\",5"),
             "m.geo: point attribute 'P': it has 4 rows instead of 5"},
        Case{"m.geo", with(kGeo, "\"pointcount\",4", "\"pointcount\",2000000000"),
             "m.geo: 'pointcount' is no count that a file of this size can have"},
        Case{"m.geo", with(kGeo, "[1,0,0]", "[1,0]"),
             "m.geo: point attribute 'P': row 1 does not have 3 values"},
        Case{"m.geo", with(kGeo, "[1,0,0]", "[1,0,\"a\"]"),
             "m.geo: point attribute 'P': row 1: a value is no number"},
        Case{"m.geo", with(kGeo, "[1,0,0]", "[1,0,nan]"),
             "in 'P': 'nan' is no value that geometry can have"},
        Case{"m.geo", with(kGeo, "[1,0,0]", "[1,0,1e999]"), "in 'P': a number is too large"},
        Case{"m.geo", with(kGeo, "\"vertexcount\",4", "\"vertexcount\",8"),
             "m.geo: the topology has 4 vertices instead of 8"},
        Case{"m.geo", with(kGeo, "\"primitivecount\",1", "\"primitivecount\",2"),
             "m.geo: the file lists 1 primitives instead of 2"},
        Case{"m.geo", with(kGeo, "[0,1,2,3]", "[0,1,2,4]"),
             "m.geo: a vertex refers to point 4 of 4"},
        Case{"m.geo", with(kGeo, "[0,1,2,3]", "[0,1,2,-1]"),
             "m.geo: a vertex refers to point -1 of 4"},
        Case{"m.geo", with(kGeo, "[0,1,2,3]", "[0,1,2,3.5]"),
             "m.geo: the topology: a number is not whole"},
        Case{"m.geo", with(kGeo, "\"nprimitives\",1", "\"nprimitives\",2"),
             "('Tetrahedron_run'): they use more vertices than there are"},
        Case{"m.geo", with(kGeo, "\"nprimitives\",1", "\"nprimitives\",18446744073709551615"),
             "('Tetrahedron_run'): 'nprimitives' is missing or wrong"},
        Case{"m.geo", with(kGeo, "[4,true]", "[3,true]"),
             "m.geo: point group 'g': its runs do not add up to the number of elements"},
        Case{"m.geo", with(kGeo, "[4,true]", "[5,true]"),
             "m.geo: point group 'g': its runs do not"},
        Case{"m.geo", with(kGeo, "\"unordered\",[\"boolRLE\",[4,true]]", "\"ordered\",[4]"),
             "m.geo: point group 'g': a member does not exist"}));

TEST(MalformedFile, GroupsInAnUnknownSpellingAreKeptWithAWarning) {
  const TempFolder folder;
  const Geometry geometry =
      read_geometry_file(folder.write("m.geo", with(kGeo, "boolRLE", "bits")));
  EXPECT_THAT(geometry.warnings, testing::ElementsAre(HasSubstr("group 'g'")));
  EXPECT_EQ(geometry.groups.size(), 1u);
}

TEST(MalformedFile, GeometryWithoutPositionsIsReadButHasNone) {
  const TempFolder folder;
  for (const std::string& text : {std::string("[]"), with(kGeo, "\"P\"", "\"Q\"")}) {
    const Geometry geometry = read_geometry_file(folder.write("m.geo", text));
    EXPECT_THROW(positions(geometry), InputError) << text;
  }
}

TEST(MalformedFile, ThatIsMissingOrUnknownIsNamed) {
  const TempFolder folder;
  EXPECT_EQ(message(folder, "no.msh"),
            "no.msh: cannot be read (No such file or directory); check the name and its "
            "permissions");
  folder.write("lonely.node", kNode);
  EXPECT_THAT(message(folder, "lonely.node"), HasSubstr("lonely.ele: cannot be read"));
  folder.write("a.stl", "solid a\n");
  EXPECT_THAT(message(folder, "a.stl"), HasSubstr("a.stl: this is no Houdini geometry"));
  std::filesystem::create_directory(folder.path() / "d.msh");
  EXPECT_THAT(message(folder, "d.msh"), HasSubstr("d.msh: cannot be read (it is a directory)"));
}

TEST(MalformedFile, GoodOnesAreAcceptedSoThatTheTableMeansSomething) {
  const TempFolder folder;
  folder.write("m.node", kNode);
  const std::vector<std::pair<std::string, std::string>> files = {
      {"m.ele", kEle},  {"a.msh", kGmsh2},   {"b.msh", kGmsh4}, {"m.mesh", kMedit},
      {"m.veg", kVega}, {"m.t", kMeshFrame}, {"m.geo", kGeo}};
  for (const auto& [name, text] : files) {
    folder.write(name, text);
    EXPECT_EQ(message(folder, name), "accepted") << name;
  }
}

// Whatever is cut off or garbled, a reader returns geometry with valid indices or InputError.
TEST(MalformedFile, CutAnywhereOrGarbledNeverCrashes) {
  const TempFolder folder;
  folder.write("m.node", kNode);
  const std::vector<std::pair<std::string, std::string>> files = {
      {"m.ele", kEle},  {"m.msh", kGmsh2},   {"m.msh", kGmsh4}, {"m.mesh", kMedit},
      {"m.veg", kVega}, {"m.t", kMeshFrame}, {"m.geo", kGeo}};
  const auto check = [&](const std::string& name, const std::string& text) {
    folder.write(name, text);
    try {
      const Geometry geometry = read_geometry_file(folder.path() / name);
      for (const Tet& tet : tets(geometry).tets)
        for (const int p : tet) ASSERT_TRUE(p >= 0 && p < geometry.point_count) << text;
    } catch (const InputError&) {
    }
  };
  for (const auto& [name, text] : files)
    for (std::size_t at = 0; at < text.size(); at += 3) {
      check(name, text.substr(0, at));
      std::string garbled = text;
      garbled[at] = "9-x \n\xff"[at % 6];
      check(name, garbled);
    }
}

}  // namespace
}  // namespace dashpot
