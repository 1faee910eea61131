// Editing geometries, containers, and what readers must refuse.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>

#include "solver/base/error.h"
#include "standalone/geometry/ascii_json.h"
#include "standalone/geometry/geometry_reader.h"
#include "standalone/geometry/geometry_writer.h"
#include "standalone/geometry/gzip.h"
#include "standalone/geometry/scf.h"
#include "tests/geometry/samples.h"

namespace dashpot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// A text file around what a test is about.
std::string file_with(const std::string& sections, int points = 2) {
  return "[\"pointcount\"," + std::to_string(points) + "," + sections + "]";
}

std::string point_attribute(const std::string& type, const std::string& body) {
  return "\"attributes\",[\"pointattributes\",[[[\"type\",\"" + type + "\",\"name\",\"a\"],[" +
         body + "]]]]";
}

const Attribute& only_attribute(const Geometry& geometry) {
  return geometry.attributes.at(0);
}

TEST(Geometry, KeepsWhatItWasGivenInEveryForm) {
  const Geometry geometry = varied_geometry();
  for (const char* name : {"a.geo", "a.bgeo", "a.bgeo.sc", "a.bgeo.gz"}) {
    const auto path =
        std::filesystem::temp_directory_path() / (std::to_string(::getpid()) + "_" + name);
    write_geometry(path, geometry);
    EXPECT_EQ(difference(geometry, read_geometry(path)), "") << name;
    std::filesystem::remove(path);
  }
}

TEST(Geometry, IsRecognisedByContentNotByName) {
  const Geometry geometry = varied_geometry();
  const auto path =
      std::filesystem::temp_directory_path() / (std::to_string(::getpid()) + "_misnamed.geo");
  write_geometry(path, geometry);
  const auto renamed = std::filesystem::path(path).replace_extension(".bgeo");
  std::filesystem::rename(path, renamed);
  EXPECT_EQ(difference(geometry, read_geometry(renamed)), "");
  std::filesystem::remove(renamed);
}

TEST(Geometry, UnknownExtensionsAreRefusedForWriting) {
  EXPECT_THAT([] { write_geometry("mesh.obj", Geometry()); },
              ThrowsMessage<InputError>(HasSubstr("mesh.obj")));
}

TEST(Geometry, ReplacedPositionsKeepTheRest) {
  Geometry geometry = decode_geometry(encode_payload(varied_geometry(), true));
  const Points moved = positions(geometry).array() + 1;
  set_positions(geometry, moved);
  const Geometry again = decode_geometry(encode_payload(geometry, true));
  EXPECT_EQ(positions(again), moved.cast<float>().cast<double>());
  EXPECT_EQ(tets(again).tets, tets(geometry).tets);
  EXPECT_EQ(members(*find_group(again, Group::Class::kPoint, "pins")).size(), 5U);
  const JsonValue* bounds = find_key(*find_section(again, "info"), "bounds");
  EXPECT_FLOAT_EQ(std::get<std::vector<float>>(*bounds->uniform())[0], 1.0F);
}

TEST(Geometry, APositionOfFourComponentsKeepsThem) {
  Geometry geometry = decode_geometry(file_with(point_attribute(
      "numeric",
      "\"size\",4,\"storage\",\"fpreal32\",\"values\",[\"size\",4,\"storage\",\"fpreal32\","
      "\"tuples\",[[0,0,0,1],[1,0,0,1]]]")));
  geometry.attributes[0].name = "P";
  set_positions(geometry, Points::Constant(3, 2, 7.0));
  EXPECT_EQ(geometry.attributes[0].data.tuple_size(), 4);
  EXPECT_EQ(geometry.attributes[0].data.number(3), 1);
  EXPECT_EQ(geometry.attributes[0].data.number(4), 7);
}

TEST(Geometry, WrongCountsOfValuesAreRefused) {
  Geometry geometry = varied_geometry();
  EXPECT_THAT([&] { set_positions(geometry, Points::Zero(3, 7)); },
              ThrowsMessage<InputError>(HasSubstr("1500 points")));
  EXPECT_THROW(set_numeric(geometry, ElementClass::kDetail, "x", std::vector<float>{1, 2, 3}, 2),
               InputError);
  EXPECT_THROW(set_group(geometry, Group::Class::kPoint, "g", {1500}), InputError);
}

TEST(Geometry, StringsComeFromTheirTableAndMinusOneIsEmpty) {
  const Geometry geometry = decode_geometry(file_with(point_attribute(
      "string",
      "\"size\",1,\"storage\",\"int32\",\"strings\",[\"soft\",\"hard\"],\"indices\",[\"size\",1,"
      "\"storage\",\"int32\",\"arrays\",[[1,-1]]]")));
  EXPECT_EQ(string_of(only_attribute(geometry), 0), "hard");
  EXPECT_EQ(string_of(only_attribute(geometry), 1), "");
  EXPECT_THAT(strings(only_attribute(geometry)), ElementsAre("soft", "hard"));
}

TEST(Geometry, PagesMayBeSplitAndConstant) {
  const Geometry geometry = decode_geometry(
      file_with(point_attribute("numeric",
                                "\"size\",3,\"storage\",\"fpreal32\",\"values\",[\"size\",3,"
                                "\"storage\",\"fpreal32\",\"pagesize\",2,\"packing\",[2,1],"
                                "\"constantpageflags\",[[],[true,false]],"
                                "\"rawpagedata\",[1,2,3,4,9,5,6,7]]"),
                3));
  std::vector<double> values;
  for (std::size_t i = 0; i < 9; ++i) values.push_back(only_attribute(geometry).data.number(i));
  EXPECT_THAT(values, ElementsAre(1, 2, 9, 3, 4, 9, 5, 6, 7));
}

TEST(Geometry, UnknownThingsAreKeptAndReported) {
  const std::string text = file_with(
      point_attribute("capture", "\"anything\",{\"x\":1}") +
      ",\"primitivecount\",2,\"vertexcount\",1,\"topology\",[\"pointref\",[\"indices\",[1]]],"
      "\"primitives\",[[[\"type\",\"VDB\"],[\"vertex\",0]],[[\"type\",\"Blob\"],[\"x\",2.5]]],"
      "\"surprise\",[1,{\"a\":null}]");
  const Geometry geometry = decode_geometry(text);
  EXPECT_EQ(geometry.warnings.size(), 3U);
  for (const bool binary : {false, true}) {
    const Geometry again = decode_geometry(encode_payload(geometry, binary));
    EXPECT_EQ(difference(geometry, again), "");
    EXPECT_TRUE(same_value(only_attribute(again).body, only_attribute(geometry).body));
    EXPECT_TRUE(same_value(*find_section(again, "surprise"), *find_section(geometry, "surprise")));
  }
}

TEST(Geometry, PolygonsOfAllSpellingsAreTheSame) {
  const std::string start =
      "\"vertexcount\",7,\"topology\",[\"pointref\",[\"indices\",[0,1,0,1,0,1,0]]],"
      "\"primitivecount\",2,\"primitives\",";
  const auto polygons_of = [&](const std::string& primitives) {
    return polygons(decode_geometry(file_with(start + primitives)));
  };
  for (const char* spelling :
       {"[[[\"type\",\"p_r\"],[\"s_v\",0,\"n_p\",2,\"n_v\",[3,4]]]]",
        "[[[\"type\",\"Polygon_run\"],[\"startvertex\",0,\"nprimitives\",2,\"nvertices_rle\","
        "[3,1,4,1]]]]",
        "[[[\"type\",\"run\",\"runtype\",\"Poly\",\"varyingfields\",[\"vertex\"],"
        "\"uniformfields\",{\"closed\":true}],[[[0,1,2]],[[3,4,5,6]]]]]",
        "[[[\"type\",\"Poly\"],[\"vertex\",[0,1,2],\"closed\",true]],"
        "[[\"type\",\"Poly\"],[\"vertex\",[3,4,5,6],\"closed\",true]]]"}) {
    const PolygonList list = polygons_of(spelling);
    EXPECT_THAT(list.starts, ElementsAre(0, 3, 7)) << spelling;
    EXPECT_THAT(list.vertices, ElementsAre(0, 1, 2, 3, 4, 5, 6)) << spelling;
    EXPECT_THAT(list.primitives, ElementsAre(0, 1)) << spelling;
    EXPECT_THAT(list.closed, ElementsAre(true, true)) << spelling;
  }
}

TEST(Geometry, GroupsOfAllSpellingsAreRead) {
  const auto members_of = [](const std::string& body) {
    const Geometry geometry = decode_geometry(
        file_with("\"pointgroups\",[[[\"name\",\"g\"],[\"selection\"," + body + "]]]", 4));
    return members(geometry.groups.at(0));
  };
  EXPECT_THAT(members_of("[\"unordered\",[\"boolRLE\",[1,false,2,true,1,false]]]"),
              ElementsAre(1, 2));
  EXPECT_THAT(members_of("[\"unordered\",[\"i8\",[0,1,1,0]]]"), ElementsAre(1, 2));
  EXPECT_THAT(members_of("[\"ordered\",[2,1]]"), ElementsAre(2, 1));
}

TEST(Geometry, ContradictionsAreRefusedWithTheirName) {
  const auto refuses = [](const std::string& sections, const char* words) {
    EXPECT_THAT([&] { decode_geometry(file_with(sections)); },
                ThrowsMessage<InputError>(HasSubstr(words)))
        << sections;
  };
  const std::string numeric =
      "\"size\",1,\"storage\",\"fpreal32\",\"values\",[\"size\",1,"
      "\"storage\",\"fpreal32\",";
  refuses(point_attribute("numeric", numeric + "\"arrays\",[[1]]]"), "point attribute 'a'");
  refuses(point_attribute("numeric", numeric + "\"pagesize\",1024,\"rawpagedata\",[1,2,3]]"),
          "too few or too many");
  refuses(point_attribute("numeric", numeric + "\"pagesize\",0,\"rawpagedata\",[1,2]]"), "pages");
  refuses("\"vertexcount\",3", "vertices");
  refuses("\"vertexcount\",1,\"topology\",[\"pointref\",[\"indices\",[2]]]", "point 2 of 2");
  refuses("\"primitivecount\",1", "primitives");
  refuses("\"primitivecount\",1,\"primitives\",[[[\"type\",\"t_r\"],[\"s_v\",0,\"n_p\",1]]]",
          "more vertices than there are");
  refuses(
      "\"pointgroups\",[[[\"name\",\"g\"],[\"selection\",[\"unordered\",[\"boolRLE\","
      "[3,true]]]]]]",
      "point group 'g'");
  refuses("\"primitivecount\",99999999999", "'primitivecount'");
  refuses("\"info\",1,\"info\",2", "appears twice");
}

TEST(Containers, SayWhatAFileIsThatTheyDoNotRead) {
  const auto refuses = [](const std::string& bytes, const char* words) {
    EXPECT_THAT([&] { decode_geometry(bytes); }, ThrowsMessage<InputError>(HasSubstr(words)));
  };
  refuses("PGEOMETRY V5\nNPoints 1", "classic geometry format of Houdini 11");
  refuses(std::string("BgeoV\0\0\0\5", 9), "classic geometry format of Houdini 11");
  refuses("version https://git-lfs.github.com/spec/v1\n", "Git LFS pointer");
  refuses(
      "\x7f"
      "bJSN",
      "big-endian");
  refuses("", "empty");
  refuses("hello", "no Houdini geometry");
  refuses(pack_gzip(pack_gzip("[]")), "more than once");
}

TEST(Containers, UnpackWhatTheyPackWhateverItsSize) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{5}, std::size_t{1} << 20,
                                 (std::size_t{1} << 20) + 1, std::size_t{5} << 19}) {
    std::string payload(size, '\0');
    for (std::size_t i = 0; i < size; ++i)
      payload[i] = static_cast<char>(i * i >> 7 ^ i * 2654435761U >> 13);
    EXPECT_EQ(unpack_scf(pack_scf(payload)), payload) << size;
    EXPECT_EQ(unpack_gzip(pack_gzip(payload)), payload) << size;
  }
}

TEST(Containers, AChunkThatClaimsAnImpossibleSizeIsRefused) {
  std::string packed = pack_scf(std::string(1000, 'x'));
  packed[12 + 7] = 0x7f;  // of the chunk's unpacked size
  EXPECT_THROW(unpack_scf(packed), InputError);
}

}  // namespace
}  // namespace dashpot
