#include "standalone/scene/scene_file.h"

#include <toml++/toml.h>
#include <filesystem>
#include <sstream>
#include <utility>

#include "solver/base/error.h"
#include "solver/host/geometry_advice.h"
#include "solver/simulation/contact_parties.h"
#include "standalone/files/read_file.h"
#include "standalone/scene/body_reader.h"
#include "standalone/scene/collider_reader.h"
#include "standalone/scene/file_geometry_view.h"
#include "standalone/scene/overrides.h"
#include "standalone/scene/parameter_reader.h"
#include "standalone/scene/preset_option.h"
#include "standalone/scene/table_reader.h"

namespace dashpot {
namespace {

// The line of a text that holds a position, counted from 1, without its indent.
std::string line_of(const std::string& text, std::size_t number) {
  std::istringstream lines(text);
  std::string line;
  for (std::size_t i = 0; i < number && std::getline(lines, line);) ++i;
  constexpr std::size_t kShown = 60;
  line.erase(0, line.find_first_not_of(" \t"));
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
  return line.size() > kShown ? line.substr(0, kShown) + "…" : line;
}

toml::table parse(const std::string& path) {
  constexpr std::uintmax_t kLargestScene = 64000000;  // bytes; what is large are its geometry files
  const std::string text = read_file(path, kLargestScene);
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    const std::string line = line_of(text, error.source().begin.line);
    const bool twice = std::string_view(error.description()).find("redefin") != std::string::npos;
    throw InputError(
        place_of(error.source()) + ": '" + line + "' " +
        (twice ? "is there a second time; delete one of them."
               : "cannot be read from character " + std::to_string(error.source().begin.column) +
                     " on; write key = value, with words in quotes and what was opened "
                     "closed again."));
  }
}

void read_frame_range(const TableReader& reader, SceneFile& file) {
  const auto frames = reader.numbers("frames", 2, "the first and last frame, [1, 48]");
  if (frames) {
    file.first_frame = static_cast<int>((*frames)[0]);
    file.last_frame = static_cast<int>((*frames)[1]);
    if ((*frames)[0] != file.first_frame || (*frames)[1] != file.last_frame)
      reader.fail("frames", "must be whole numbers");
    if (file.last_frame < file.first_frame) reader.fail("frames", "must not end before it begins");
  }
  file.fps = reader.positive_number("fps").value_or(file.fps);
}

void read_simulation(const TableReader& root, SceneFile& file) {
  static const toml::table kEmpty;
  const toml::table* table = root.table("simulation", "a table, [simulation]");
  std::vector<std::string> keys = tokens(ParameterScope::kSolver);
  keys.insert(keys.end(), {"frames", "fps"});
  const TableReader reader(table ? *table : kEmpty, "[simulation]", keys);
  read_frame_range(reader, file);
  file.scene.settings = read_solver_settings(reader);
}

std::string name_of(const toml::table& table, const std::string& kind, std::size_t index) {
  const toml::node* node = table.get("name");
  if (!node) return kind + std::to_string(index + 1);
  const std::string place = place_of(node->source());
  if (!node->is_string())
    throw InputError(place + ": the name of a " + kind + " must be text in quotes.");
  if (node->as_string()->get().empty())
    throw InputError(place + ": the name of a " + kind + " must not be empty.");
  return node->as_string()->get();
}

void read_bodies(const TableReader& root, const std::string& path, SceneFile& file) {
  const toml::node* node = root.find("body");
  if (!node) throw InputError(path + ": the scene has no body; add a [[body]] with a geometry.");
  const toml::array* bodies = node->as_array();
  if (!bodies || bodies->empty() || !bodies->is_homogeneous(toml::node_type::table))
    root.fail("body", "must be written as [[body]], once for each body");
  for (std::size_t i = 0; i < bodies->size(); ++i) {
    const toml::table& table = *(*bodies)[i].as_table();
    const std::string name = name_of(table, "body", i);
    for (const Body& other : file.scene.bodies)
      if (other.name == name)
        throw InputError(place_of(table.source()) + ": two bodies are called '" + name +
                         "'; give each a name of its own.");
    BodySource source;
    file.scene.bodies.push_back(read_body(table, name, file, source));
    for (const std::string& warning : source.geometry.warnings)
      file.warnings.push_back(source.description + ": " + warning);
    file.inputs.add(source.inputs);
    const FileGeometryView geometry(source.geometry, source.description);
    for (std::string& sentence : geometry_advice(geometry, source, file.scene.bodies.back().mesh))
      file.warnings.push_back(std::move(sentence));
    file.sources.push_back(std::move(source));
  }
  for (std::size_t i = 0; i < bodies->size(); ++i) {
    const toml::node* names = (*bodies)[i].as_table()->get("nocontact");
    const Body& body = file.scene.bodies[i];
    check_no_contact(file.scene, body,
                     (names ? place_of(names->source()) : path) + ": body '" + body.name + "'");
  }
}

void read_colliders(const TableReader& root, SceneFile& file) {
  const toml::node* node = root.find("collider");
  if (!node) return;
  const toml::array* colliders = node->as_array();
  if (!colliders || colliders->empty() || !colliders->is_homogeneous(toml::node_type::table))
    root.fail("collider", "must be written as [[collider]], once for each collider");
  for (std::size_t i = 0; i < colliders->size(); ++i) {
    const toml::table& table = *(*colliders)[i].as_table();
    const std::string name = name_of(table, "collider", i);
    for (const SceneCollider& other : file.scene.colliders)
      if (other.collider.name == name)
        throw InputError(place_of(table.source()) + ": two colliders are called '" + name +
                         "'; give each a name of its own.");
    ColliderSource source;
    file.scene.colliders.push_back(read_collider(table, name, file, source));
    file.inputs.add(source.inputs);
    file.collider_sources.push_back(std::move(source));
  }
}

}  // namespace

SceneFile load_scene_file(const std::string& path, const std::vector<std::string>& overrides,
                          const std::vector<std::string>& presets) {
  toml::table table = parse(path);
  apply_presets(table, presets);
  apply_overrides(table, overrides);
  const TableReader root(table, "the scene", {"simulation", "body", "collider"});
  SceneFile file;
  file.path = path;
  file.inputs.add(path);
  read_simulation(root, file);
  read_bodies(root, path, file);
  read_colliders(root, file);
  check_scene(file.scene);
  return file;
}

}  // namespace dashpot
