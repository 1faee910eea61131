#include <algorithm>
#include <cstdio>

#include "solver/advice/scene_advice.h"
#include "solver/base/words.h"
#include "solver/host/presets.h"
#include "standalone/cli/geometry_info.h"
#include "standalone/cli/parameter_json.h"

namespace dashpot {
namespace {

int pinned_count(const Body& body, bool moving) {
  std::size_t count = 0;
  for (const Pin& pin : body.pins)
    if ((pin.motion != nullptr) == moving) count += pin.points.size();
  return static_cast<int>(count);
}

// The preset whose material and damping the body has; "" if there is none.
std::string preset_of(const Body& body) {
  const auto matches = [&](const Preset& preset) {
    for (const std::string& token : preset_parameters()) {
      if (parameter(token).type == ParameterType::kRamp) continue;
      const std::vector<double> values = body.fields.expand(token, body.mesh.tet_count());
      for (const double value : values)
        if (value != preset_value(preset, token)) return false;
    }
    return true;
  };
  for (const Preset& preset : presets())
    if (matches(preset)) return preset.token;
  return "";
}

Json body_json(const Body& body, const BodySource& source) {
  const Vec3 low = body.mesh.rest.rowwise().minCoeff(), high = body.mesh.rest.rowwise().maxCoeff();
  return {{"name", body.name},
          {"geometry", source.description},
          {"points", body.mesh.point_count()},
          {"embedded_points", source.embedded_points.size()},
          {"loose_points", source.loose_points.size()},
          {"tets", body.mesh.tet_count()},
          {"size", to_json(high - low)},
          {"pinned", pinned_count(body, false) + pinned_count(body, true)},
          {"pinned_moving", pinned_count(body, true)},
          {"preset", preset_of(body)},
          {"pieces", std::max<std::size_t>(1, body.pieces.size())},
          {"nocontact", body.no_contact},
          {"parameters", body_parameters_json(body)}};
}

Json changed_settings(const SceneFile& file) {
  Json values = solver_parameters_json(file);
  for (const Parameter& p : parameters())
    if (p.scope == ParameterScope::kSolver && values[p.token] == default_json(p))
      values.erase(p.token);
  return values;
}

std::string value_text(const Json& value) {
  if (value.is_string()) return "\"" + value.get<std::string>() + "\"";
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number()) return exact(value.get<double>());
  if (value.is_object()) return value_text(value["from"]) + " to " + value_text(value["to"]);
  std::vector<std::string> entries;
  for (const Json& entry : value) entries.push_back(value_text(entry));
  std::string text;
  for (const std::string& entry : entries) text += (text.empty() ? "[" : ", ") + entry;
  return text + "]";
}

// "youngsmodulus = 1e6 Pa", or the choice alone of a menu.
std::string parameter_text(const std::string& token, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  const std::string& unit = parameter(token).unit;
  return token + " = " + value_text(value) + (unit.empty() ? "" : " " + unit);
}

std::string joined_text(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string settings_text(const Json& settings) {
  std::vector<std::string> parts;
  for (const auto& [token, value] : settings.items())
    parts.push_back(token + " = " + value_text(value));
  return parts.empty() ? "all as by default" : joined_text(parts) + "; all others as by default";
}

std::string material_text(const Json& values) {
  std::vector<std::string> parts;
  for (const char* token : {"material", "youngsmodulus", "poissonratio", "massdensity"})
    parts.push_back(parameter_text(token, values[token]));
  return joined_text(parts);
}

// The parameters of damping that are not at their defaults.
std::string damping_text(const Json& values) {
  std::vector<std::string> parts = {parameter_text("dampingmodel", values["dampingmodel"])};
  for (const Parameter& p : parameters()) {
    const bool of_damping = p.token.rfind("damping", 0) == 0 || p.token == "massdamping";
    if (!of_damping || p.token == "dampingmodel" || !values.contains(p.token)) continue;
    if (values[p.token] != default_json(p))
      parts.push_back(p.type == ParameterType::kMenu ? p.token + " = " + value_text(values[p.token])
                                                     : parameter_text(p.token, values[p.token]));
  }
  return joined_text(parts);
}

// What is not as by default; "" if nothing is.
std::string contact_text(const Json& body) {
  std::vector<std::string> parts;
  const Json& values = body["parameters"];
  for (const Parameter& p : parameters())
    if (p.is_of_body_contact() && values[p.token] != default_json(p))
      parts.push_back(parameter_text(p.token, values[p.token]));
  if (const long pieces = body["pieces"]; pieces > 1)
    parts.push_back(std::to_string(pieces) + " pieces");
  if (!body["nocontact"].empty()) parts.push_back("nocontact = " + value_text(body["nocontact"]));
  return joined_text(parts);
}

std::string pins_text(const Json& body) {
  const int moving = body["pinned_moving"], still = body["pinned"].get<int>() - moving;
  std::vector<std::string> parts;
  if (still > 0) parts.push_back(counted(still, "point stays", "points stay"));
  if (moving > 0) parts.push_back(counted(moving, "point follows", "points follow") + " a motion");
  return parts.empty() ? "none" : joined_text(parts);
}

void print_body(const Json& body) {
  std::printf("body     %s: %s, %s, %s, %s x %s x %s m", body["name"].get<std::string>().c_str(),
              body["geometry"].get<std::string>().c_str(),
              counted(body["points"].get<long>(), "point").c_str(),
              counted(body["tets"].get<long>(), "tet").c_str(), exact(body["size"][0]).c_str(),
              exact(body["size"][1]).c_str(), exact(body["size"][2]).c_str());
  if (const long embedded = body["embedded_points"]; embedded > 0)
    std::printf(", %s", counted(embedded, "embedded point").c_str());
  const Json& values = body["parameters"];
  std::printf("\n  material %s\n  damping  %s\n  pinned   %s\n", material_text(values).c_str(),
              damping_text(values).c_str(), pins_text(body).c_str());
  if (const std::string preset = body["preset"]; !preset.empty())
    std::printf("  preset   %s\n", preset.c_str());
  if (const std::string contact = contact_text(body); !contact.empty())
    std::printf("  contact  %s\n", contact.c_str());
}

std::string shape_text(const Json& collider) {
  if (collider.contains("plane"))
    return "plane through " + value_text(collider["plane"]["point"]) + " with normal " +
           value_text(collider["plane"]["normal"]);
  if (collider.contains("vdb")) {
    const Json& files = collider["vdb"];
    const std::string first = files[0]["file"];
    return files.size() == 1 ? first
                             : counted(static_cast<long>(files.size()), "file") + " from " + first;
  }
  const Json& shape = collider["shape"];
  const std::string type = shape["type"];
  std::string text = type;
  const bool is_bowl = type == "bowl", is_round = type == "cylinder" || is_bowl;
  if (type == "sphere" || is_round) text += ", radius " + value_text(shape["radius"]);
  if (is_round) text += ", height " + value_text(shape["height"]);
  if (is_bowl) text += ", thickness " + value_text(shape["thickness"]);
  if (type == "box" || type == "terrain") text += ", size " + value_text(shape["size"]);
  return text + ", voxelsize " + value_text(shape["voxelsize"]) + ", at " +
         value_text(shape["translation"]);
}

void print_collider(const Json& collider) {
  const std::size_t motions = collider.contains("motion") ? collider["motion"].size() : 0;
  std::vector<std::string> facts = {motions == 0 ? "stays" : "moves"};
  for (const std::string& token : tokens(ParameterScope::kCollider))
    facts.push_back(token + " = " + value_text(collider[token]));
  std::printf("collider %s: %s\n  %s\n", collider["name"].get<std::string>().c_str(),
              shape_text(collider).c_str(), joined_text(facts).c_str());
}

}  // namespace

Json scene_info(const std::string& path) {
  const SceneFile file = load_scene_file(path);
  Json bodies = Json::array();
  for (std::size_t b = 0; b < file.scene.bodies.size(); ++b)
    bodies.push_back(body_json(file.scene.bodies[b], file.sources[b]));
  std::vector<std::string> warnings = file.warnings;
  for (std::string& sentence : scene_advice(file.scene, 1 / file.fps))
    warnings.push_back(std::move(sentence));
  return {{"file", path},
          {"format", "scene"},
          {"first_frame", file.first_frame},
          {"last_frame", file.last_frame},
          {"fps", file.fps},
          {"changed_settings", changed_settings(file)},
          {"bodies", bodies},
          {"colliders", colliders_json(file)},
          {"warnings", warnings}};
}

void print_scene_info(const Json& info) {
  const int first = info["first_frame"], last = info["last_frame"];
  std::printf("%s\nframes   %d to %d at %s per second: %s s\nsettings %s\n",
              info["file"].get<std::string>().c_str(), first, last, exact(info["fps"]).c_str(),
              rounded((last - first) / info["fps"].get<double>()).c_str(),
              settings_text(info["changed_settings"]).c_str());
  for (const Json& body : info["bodies"]) print_body(body);
  for (const Json& collider : info["colliders"]) print_collider(collider);
  for (const Json& warning : info["warnings"])
    std::printf("note     %s\n", warning.get<std::string>().c_str());
}

}  // namespace dashpot
