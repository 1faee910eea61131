#include <gmock/gmock.h>

#include "tests/scene/scene_text.h"

namespace dashpot {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Lines added to a body that starts on line 1 of scene.toml; the first of them is line 4.
struct BadBody {
  const char* lines;
  const char* place;
  const char* culprit;
};

TEST_F(SceneFileTest, BadBodiesAreRefusedWithPlaceAndKey) {
  const BadBody cases[] = {
      {"yongsmodulus = 1e5", "scene.toml:4", "did you mean 'youngsmodulus'?"},
      {"\nsubsteps = 2", "scene.toml:5", "no key 'substeps'; it is a key of [simulation]."},
      {"substep = 2", "scene.toml:4", "did you mean 'substeps', a key of [simulation]?"},
      {"nu = 0.3", "scene.toml:4", "did you mean 'poissonratio', a key of [[body]]?"},
      {"youngs = 2", "scene.toml:4", "did you mean 'youngsmodulus'?"},
      {"Poisson_Ratio = 0.2", "scene.toml:4", "did you mean 'poissonratio'?"},
      {"material = \"neohookian\"", "scene.toml:4", "did you mean 'neohookean'?"},
      {"dampingramp = { keys = [[0, 1]], interp = \"monotone\" }", "scene.toml:4",
       "interp has no choice 'monotone'; did you mean 'monotonecubic'?"},
      {"scramble = { mode = \"colapse\" }", "scene.toml:4", "did you mean 'collapse'?"},
      {"youngsmodulus = \"stiff\"", "scene.toml:4", "youngsmodulus must be a number, not the text"},
      {"youngsmodulus = -1", "scene.toml:4", "youngsmodulus = -1"},
      {"youngsmodulus = nan", "scene.toml:4", "youngsmodulus must be a finite number"},
      {"poissonratio = 0.5", "scene.toml:4", "poissonratio = 0.5"},
      {"massdensity = 0", "scene.toml:4", "massdensity = 0"},
      {"material = \"rubber\"", "scene.toml:4", "material has no choice 'rubber'"},
      {"material = 2", "scene.toml:4", "material must be text in quotes, not a number"},
      {"translate = [1, 2]", "scene.toml:4", "translate must be three numbers"},
      {"translate = [1, 2, \"a\"]", "scene.toml:4", "translate must be three numbers"},
      {"velocity = [1, 2, inf]", "scene.toml:4", "velocity must be three numbers"},
      {"scale = 0", "scene.toml:4", "scale must be above 0"},
      {"scale = [1, -1, 1]", "scene.toml:4", "scale must be above 0"},
      {"scale = true", "scene.toml:4", "scale must be a number or three numbers"},
      {"deform = [[1, 0, 0], [0, 1, 0]]", "scene.toml:4", "deform must be three rows"},
      {"deform = [[1, 0, 0], [0, 1, 0], [0, 1]]", "scene.toml:4", "deform must be three rows"},
      {"pin = \"left\"", "scene.toml:4", "pin must be a table"},
      {"pin = { boxx = 1 }", "scene.toml:4", "did you mean 'box'?"},
      {"pin = {}", "scene.toml:4", "needs either box or group"},
      {"pin = { box = [[0, 0], [1, 1]] }", "scene.toml:4", "box must be two corners"},
      {"pin = { box = [[1, 0, 0], [0, 1, 1]] }", "scene.toml:4", "the wrong way round"},
      {"pin = { box = [[5, 5, 5], [6, 6, 6]] }", "scene.toml:4", "contains no point"},
      {"pin = { group = \"left\" }", "scene.toml:4", "point groups are none"},
      {"pin = [{ box = [[-1, -1, -1], [0, 1, 1]] }, { box = [[0, -1, -1], [1, 1, 1]] }]",
       "scene.toml:4", "twice"},
      {"pin = { box = [[-1, -1, -1], [0, 1, 1]], motion = { speed = 1 } }", "scene.toml:4",
       "no key 'speed'"},
      {"pin = { box = [[-1, -1, -1], [0, 1, 1]], motion = { start = 2, end = 1 } }", "scene.toml:4",
       "end must not be before start"},
      {"pin = { box = [[-1, -1, -1], [0, 1, 1]], motion = { amplitude = [1, 0, 0] } }",
       "scene.toml:4", "needs both amplitude and frequency"},
      {"scramble = { mode = \"melt\" }", "scene.toml:4",
       "mode has no choice 'melt'; use collapse or randomize."},
      {"scramble = { mode = \"collapse\", seed = 1 }", "scene.toml:4", "no key 'seed'"},
      {"scramble = { mode = \"randomize\", size = 0 }", "scene.toml:4", "size must be above 0"},
      {"twist = { axis = [0, 0, 0], degrees = 1 }", "scene.toml:4", "axis must not be zero"},
      {"twist = { axis = [0, 0, 1] }", "scene.toml:4", "needs the key 'degrees'"},
      {"dampingramp = 1", "scene.toml:4", "dampingramp must be a table"},
      {"dampingramp = { keys = [] }", "scene.toml:4", "the ramp has no keys"},
      {"dampingramp = { keys = [[1, 1], [0.5, 1]] }", "scene.toml:4", "sort the keys"},
      {"dampingramp = { keys = [[1, -1]] }", "scene.toml:4", "must not be negative"},
      {"dampingramp = { keys = [[1, nan]] }", "scene.toml:4", "not a finite number"},
      {"dampingramp = { keys = [1, 2] }", "scene.toml:4", "keys must be a list of"},
      {"dampingramp = { keys = [[1, 1]], interp = \"cubic\" }", "scene.toml:4",
       "interp has no choice 'cubic'; did you mean 'monotonecubic'?"},
      {"dampingramp = { keys = [[1, 1]], interp = [\"linear\", \"linear\"] }", "scene.toml:4",
       "as many entries as there are keys, 1."},
      {"dampingramprange = [0.5, 1.5]", "scene.toml:4",
       "dampingramprange is only of Houdini's nodes"},
      {"dampingrampmode = \"min\"", "scene.toml:4", "dampingrampmode has no choice 'min'"},
      {"pintoanimation = 2", "scene.toml:4", "pintoanimation = 2 is neither on nor off"},
      {"pintoanimation = nan", "scene.toml:4", "pintoanimation = nan is neither on nor off"},
      {"pintoanimation = \"yes\"", "scene.toml:4",
       "pintoanimation must be true or false, not the text 'yes'"},
      {"youngsmodulus = true", "scene.toml:4", "youngsmodulus must be a number, not true or false"},
      {"name = \"again\"", "scene.toml:4", "name"},
  };
  for (const BadBody& bad : cases) {
    const std::string message = error_of(cube(std::string(bad.lines) + "\n"));
    EXPECT_THAT(message, AllOf(HasSubstr(bad.place), HasSubstr(bad.culprit))) << bad.lines;
    EXPECT_EQ(message.find('\n'), std::string::npos) << bad.lines;
  }
}

struct BadScene {
  const char* text;
  const char* message;
};

TEST_F(SceneFileTest, BadScenesAreRefusedWithPlaceAndKey) {
  const BadScene cases[] = {
      {"", "the scene has no body"},
      {"[simulation\n", "scene.toml:1"},
      {"[simulation]\nfps = \n", "scene.toml:2: 'fps =' cannot be read from character"},
      {"[simulation]\nfps = 2\nfps = 3\n", "scene.toml:3: 'fps = 3' is there a second time"},
      {"[simulaton]\n", "did you mean 'simulation'?"},
      {"[simulation]\nsubstep = 1\n", "did you mean 'substeps'?"},
      {"[simulation]\nframes = [5, 1]\n", "scene.toml:2: [simulation]: frames must not end"},
      {"[simulation]\nframes = 5\n", "frames must be the first and last frame"},
      {"[simulation]\nframes = [1.5, 2]\n", "frames must be whole numbers"},
      {"[simulation]\nfps = 0\n", "fps must be above 0"},
      {"[simulation]\nsubsteps = 1.5\n", "substeps = 1.5 must be a whole number"},
      {"[simulation]\nsubsteps = true\n", "substeps must be a number, not true or false"},
      {"[simulation]\ngravity = 9.81\n", "gravity must be three numbers"},
      {"[simulation]\nintegrator = \"euler\"\n", "integrator has no choice 'euler'"},
      {"simulation = 1\n", "simulation must be a table"},
      {"[body]\ngeometry = { type = \"box\" }\n", "must be written as [[body]]"},
      {"[[body]]\nname = \"a\"\n", "body 'a' needs the key 'geometry'"},
      {"[[body]]\nname = 3\n", "the name of a body must be text"},
      {"[[body]]\ngeometry = 3\n", "geometry must be a file name or a shape"},
      {"[[body]]\ngeometry = {}\n", "geometry needs a type"},
      {"[[body]]\ngeometry = { type = \"cone\" }\n", "no type 'cone'"},
      {"[[body]]\ngeometry = { type = \"box\", radius = 1 }\n", "no key 'radius'"},
      {"[[body]]\ngeometry = { type = \"box\", cells = [1.5, 1, 1] }\n", "whole numbers"},
      {"[[body]]\ngeometry = { type = \"box\", cells = [0, 1, 1] }\n", "cells"},
      {"[[body]]\ngeometry = { type = \"sphere\", radius = -1 }\n", "radius"},
      {"[[body]]\ngeometry = \"missing.msh\"\n", "missing.msh', which does not exist"},
      {"[[body]]\ngeometry = { type = \"box\" }\n[[collider]]\nfriction = 0.4\n",
       "collider 'collider1' needs one of plane, vdb and shape"},
  };
  for (const BadScene& bad : cases) {
    const std::string message = error_of(bad.text);
    EXPECT_THAT(message, AllOf(HasSubstr("scene.toml"), HasSubstr(bad.message))) << bad.text;
    EXPECT_EQ(message.find('\n'), std::string::npos) << bad.text;
  }
}

TEST_F(SceneFileTest, TwoBodiesOfOneNameAreRefused) {
  EXPECT_THAT(error_of(cube("") + cube("")),
              AllOf(HasSubstr("scene.toml:4"), HasSubstr("two bodies are called 'cube'")));
}

TEST_F(SceneFileTest, AMissingSceneFileIsNamed) {
  EXPECT_THAT([&] { load_scene_file((folder_ / "none.toml").string()); },
              ::testing::ThrowsMessage<InputError>(HasSubstr("none.toml")));
}

TEST_F(SceneFileTest, BadOverridesAreRefusedAndQuoted) {
  const BadScene cases[] = {
      {"substeps", "write key=value"},
      {"substeps=2", "write simulation.key=value or body.name.key=value"},
      {"solver.substeps=2", "'solver' is not simulation, body or collider"},
      {"simulation.substep=2", "did you mean 'substeps'?"},
      {"simulation.substeps=2x", "'2x' is not a value"},
      {"simulation.substeps=", "'' is not a value"},
      {"simulation.substeps=1\nfps=2", "is not a value"},
      {"simulation.substeps=many", "substeps must be a number, not the text 'many'"},
      {"simulation.substeps.a=1", "substeps must be a number, not a table"},
      {"simulaton.fps=2", "did you mean 'simulation'?"},
      {"body.jelly.scale=2", "there is no body 'jelly' in the scene; use cube."},
      {"body.cube=2", "say which key of the body"},
      {"body.cube.scale=[1,2]", "scale must be a number or three numbers"},
      {"body.cube.name.first=2", "not a table"},
      {"body.cube.pin.7.box=2", "no key '7'"},
  };
  for (const BadScene& bad : cases)
    EXPECT_THAT(error_of(cube(""), {bad.text}),
                AllOf(HasSubstr(std::string("--set ") + bad.text), HasSubstr(bad.message)));
}

}  // namespace
}  // namespace dashpot
