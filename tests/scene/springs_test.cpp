// Polylines of two points with springstiffness are springs, by attribute or for the whole body.
#include <gmock/gmock.h>

#include <cmath>

#include "solver/simulation/simulation.h"
#include "tests/scene/scene_text.h"

namespace dashpot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A pinned tet, a spring from its first point to a mass of 2 kg, stretched by 0.1 m, and a line
// that is none. SPRINGS and MASS stand for attributes.
constexpr char kTied[] = R"(["fileversion","19.5.493","hasindex",false,"pointcount",7,
"vertexcount",8,"primitivecount",3,"info",{},
"topology",["pointref",["indices",[0,1,3,2, 0,4, 5,6]]],
"attributes",["pointattributes",[[["scope","public","type","numeric","name","P","options",{}],
["size",3,"storage","fpreal32","values",["size",3,"storage","fpreal32","tuples",
[[0,0,0],[1,0,0],[0,1,0],[0,0,1],[-0.6,0,0],[0.1,0.1,0.1],[0.2,0.1,0.1]]]]],
[["scope","public","type","numeric","name","rest","options",{}],
["size",3,"storage","fpreal32","values",["size",3,"storage","fpreal32","tuples",
[[0,0,0],[1,0,0],[0,1,0],[0,0,1],[-0.5,0,0],[0.1,0.1,0.1],[0.2,0.1,0.1]]]]],
[["scope","public","type","numeric","name","pintoanimation","options",{}],
["size",1,"storage","int32","values",["size",1,"storage","int32","arrays",[[1,1,1,1,0,0,0]]]]]
MASS],
"primitiveattributes",[SPRINGS]],
"primitives",[[["type","Tetrahedron_run"],["startvertex",0,"nprimitives",1]],
[["type","PolygonCurve_run"],["startvertex",4,"nprimitives",2,"nvertices_rle",[2,2]]]]])";

std::string number_attribute(const std::string& name, const std::string& values) {
  return R"([["scope","public","type","numeric","name",")" + name +
         R"(","options",{}],["size",1,"storage","fpreal32","values",["size",1,"storage",)" +
         R"("fpreal32","arrays",[[)" + values + "]]]]]";
}

class SpringFile : public SceneFileTest {
 protected:
  std::string write_scene(const std::string& springs, const std::string& mass,
                          const std::string& lines = "") const {
    std::string text = kTied;
    text.replace(text.find("MASS"), 4, mass);
    text.replace(text.find("SPRINGS"), 7, springs);
    write("tied.geo", text);
    return "[simulation]\nframes = [1, 100]\nfps = 200\ngravity = [0, 0, 0]\ntolerance = 1e-9\n"
           "[[body]]\nname = \"tied\"\ngeometry = \"tied.geo\"\n" +
           lines;
  }
  const std::string kMass = "," + number_attribute("mass", "0,0,0,0,2,0,0");
};

TEST_F(SpringFile, SwingsLikeTheAnalyticOscillator) {
  const std::string springs = number_attribute("springstiffness", "0,300,0") + "," +
                              number_attribute("springdamping", "7,5,7");
  const SceneFile file = load(write_scene(springs, kMass));
  const Body& body = file.scene.bodies.at(0);
  ASSERT_EQ(body.springs.edges.size(), 1u);
  EXPECT_THAT(body.springs.stiffness, ElementsAre(300));
  EXPECT_THAT(body.springs.damping, ElementsAre(5));
  EXPECT_THAT(file.sources.at(0).embedded_points, ElementsAre(5, 6)) << "no spring: it rides";
  Simulation simulation(file.scene);
  const double decay = 5.0 / 4, frequency = std::sqrt(150 - decay * decay);
  for (int f = 1; f <= 200; ++f) {
    simulation.advance(1.0 / 200);
    const double t = f / 200.0;
    const double exact = 0.1 * std::exp(-decay * t) *
                         (std::cos(frequency * t) + decay / frequency * std::sin(frequency * t));
    EXPECT_NEAR(-simulation.state().x(0, 4) - 0.5, exact, 2e-4) << t;
  }
}

TEST_F(SpringFile, TheScenesValueHoldsForAllLines) {
  const std::string masses = "," + number_attribute("mass", "9,9,9,9,2,1,1");
  const SceneFile file = load(write_scene("", masses, "springstiffness = 40\nspringdamping = 3\n"));
  const Body& body = file.scene.bodies.at(0);
  EXPECT_THAT(body.springs.stiffness, ElementsAre(40, 40));
  EXPECT_THAT(body.springs.damping, ElementsAre(3, 3));
  EXPECT_THAT(body.point_mass, ElementsAre(0, 0, 0, 0, 2, 1, 1)) << "tets have their own mass";
  EXPECT_TRUE(load(write_scene("", masses)).scene.bodies.at(0).springs.edges.empty());
}

TEST_F(SpringFile, BadSpringsAreNamed) {
  const std::string springs = number_attribute("springstiffness", "0,300,0");
  EXPECT_THAT(error_of(write_scene(number_attribute("springstiffness", "0,-1,0"), kMass)),
              HasSubstr("tied.geo, primitive 1: springstiffness = -1 is out of range"));
  EXPECT_THAT(error_of(write_scene(springs, "")),
              HasSubstr("point 4 has no mass; give it a point attribute mass"));
}

}  // namespace
}  // namespace dashpot
