// Writes a seed corpus for each fuzz target, without the first bytes that the target adds.
//   make_seeds FOLDER

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "standalone/geometry/geometry_reader.h"
#include "standalone/geometry/geometry_writer.h"
#include "tests/geometry/samples.h"

namespace dashpot {
namespace {

struct Target {
  const char* name;
  std::size_t magic_size;
  FileForm form;
};
constexpr Target kTargets[] = {{"ascii", 1, {false, Compression::kNone}},
                               {"binary", 5, {true, Compression::kNone}},
                               {"scf", 4, {true, Compression::kScf}},
                               {"gzip", 2, {true, Compression::kGzip}}};

// Constructs that the editing functions do not make.
constexpr const char* kTexts[] = {
    R"(["fileversion","19.5.493","hasindex",true,"pointcount",3,"vertexcount",7,"primitivecount",3,
       "info",{"artist":"a","summary":"line\nline"},"topology",["pointref",["indices",[0,1,2,0,1,2,0]]],
       "attributes",["pointattributes",[[["scope","public","type","string","name","n","options",{}],
       ["size",1,"storage","int32","strings",["x","y"],"indices",["size",1,"storage","int32",
       "arrays",[[0,1,-1]]]]],[["type","numeric","name","q"],["size",3,"storage","fpreal32","values",
       ["size",3,"storage","fpreal32","pagesize",2,"packing",[2,1],"constantpageflags",[[],[true,false]],
       "rawpagedata",[1,2,3,4,9,5,6,7]]]]],"globalattributes",[[["type","arraydata","name","l"],
       ["size",1,"storage","int32","values",[[1,2,3]]]],[["type","dict","name","d"],["size",1,"storage",
       "int32","dicts",[{"a":1.5}],"indices",["size",1,"storage","int32","arrays",[[0]]]]]]],
       "primitives",[[["type","Polygon_run"],["startvertex",0,"nprimitives",2,"nvertices_rle",[3,2]]],
       [["type","Sphere"],["vertex",6]]],"pointgroups",[[["name","g"],["selection",["ordered",[2,0]]]],
       [["name","h"],["selection",["unordered",["i8",[0,1,1]]]]]],"edgegroups",[[["name","e"],
       ["points",[0,1]]]],"index",["stringentries",{}],"indexposition",102])",
    R"(["pointcount",2,"vertexcount",6,"primitivecount",3,"topology",["pointref",["indices",
       [0,1,0,1,0,1]]],"attributes",["primitiveattributes",[[["type","stringarray","name","s"],
       ["strings",["a"],"indices",[[0],[],[0,0]]]]]],"primitives",[[["type","run","runtype","Poly",
       "varyingfields",["vertex","closed"],"uniformfields",{"k":1}],[[[0,1,2],true],[[3,4],false]]],
       [["type","c_r"],["s_v",4,"n_p",1,"n_v",[2]]]]])"};

void write_seeds(const std::filesystem::path& folder) {
  std::vector<Geometry> geometries = {Geometry(), varied_geometry(16)};
  for (const char* text : kTexts) geometries.push_back(decode_geometry(text));
  for (const Target& target : kTargets) {
    std::filesystem::create_directories(folder / target.name);
    int number = 0;
    for (const Geometry& geometry : geometries)
      std::ofstream(folder / target.name / ("seed" + std::to_string(number++)), std::ios::binary)
          << encode_geometry(geometry, target.form).substr(target.magic_size);
  }
}

}  // namespace
}  // namespace dashpot

int main(int argc, char** argv) {
  dashpot::write_seeds(argc > 1 ? argv[1] : "corpus");
  return 0;
}
