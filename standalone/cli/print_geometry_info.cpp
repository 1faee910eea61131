#include <algorithm>
#include <cstdio>

#include "standalone/cli/geometry_info.h"

namespace dashpot {
namespace {

std::string word(const Json& json, const char* key) {
  return json.value(key, std::string());
}

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

std::string tuple_text(const Json& values) {
  if (values.size() == 1) return number_text(values[0]);
  std::string text;
  for (const Json& value : values) text += (text.empty() ? "[" : ", ") + number_text(value);
  return text + "]";
}

std::string range_text(const Json& attribute) {
  constexpr std::size_t kWidest = 4;
  std::string text;
  if (const Json& low = attribute["min"]; low.is_null()) {
    text = "no finite numbers";
  } else if (const Json& high = attribute["max"]; low.size() <= kWidest) {
    text = tuple_text(low) + (low == high ? "" : " to " + tuple_text(high));
  } else {
    text = number_text(*std::min_element(low.begin(), low.end())) + " to " +
           number_text(*std::max_element(high.begin(), high.end()));
  }
  if (const long bad = attribute["not_finite"]; bad > 0)
    text += ", " + std::to_string(bad) + " not finite";
  return text;
}

std::string strings_text(const Json& attribute) {
  constexpr std::size_t kShown = 3;
  const long count = attribute["distinct"];
  std::string text = std::to_string(count) + (count == 1 ? " string: " : " strings: ");
  const Json& examples = attribute["examples"];
  for (std::size_t i = 0; i < std::min(kShown, examples.size()); ++i)
    text += (i ? ", '" : "'") + examples[i].get<std::string>() + "'";
  return text + (static_cast<std::size_t>(count) > kShown ? ", …" : "");
}

std::string type_text(const Json& attribute) {
  std::string text =
      attribute.contains("storage") ? word(attribute, "storage") : word(attribute, "type");
  if (attribute.contains("numbers")) return text + " arrays";
  if (attribute.value("size", 1) != 1)
    text += "[" + std::to_string(attribute["size"].get<long>()) + "]";
  return text;
}

std::string content_text(const Json& attribute) {
  if (attribute.contains("distinct")) return strings_text(attribute);
  if (attribute.contains("numbers"))
    return std::to_string(attribute["numbers"].get<long>()) + " numbers, " + range_text(attribute);
  return attribute.contains("min") ? range_text(attribute) : "";
}

int longest_name(const Json& list) {
  std::size_t longest = 0;
  for (const Json& item : list) longest = std::max(longest, word(item, "name").size());
  return static_cast<int>(std::min<std::size_t>(longest, 32));
}

void print_attributes(const Json& attributes) {
  const int width = longest_name(attributes);
  if (!attributes.empty()) std::printf("attributes\n");
  for (const Json& attribute : attributes)
    std::printf("  %-9s  %-*s  %-11s %s\n", word(attribute, "class").c_str(), width,
                word(attribute, "name").c_str(), type_text(attribute).c_str(),
                content_text(attribute).c_str());
}

void print_groups(const Json& groups) {
  const int width = longest_name(groups);
  if (!groups.empty()) std::printf("groups\n");
  for (const Json& group : groups)
    std::printf("  %-9s  %-*s  %ld%s\n", word(group, "class").c_str(), width,
                word(group, "name").c_str(), group["size"].get<long>(),
                group["ordered"].get<bool>() ? ", ordered" : "");
}

void print_primitives(const Json& info) {
  for (const auto& [type, count] : info["primitive_types"].items()) {
    std::printf("%-8s %ld", type.c_str(), count.get<long>());
    if (type == "tets")
      std::printf(", with %ld triangles on the surface", info["boundary_triangles"].get<long>());
    std::printf("\n");
  }
}

void print_points(const Json& info) {
  std::printf("points   %ld", info["points"].get<long>());
  if (const long embedded = info.value("embedded_points", 0L); embedded > 0)
    std::printf(", of which %ld are not of tets and will be embedded", embedded);
  if (const long loose = info.value("loose_points", 0L); loose > 0)
    std::printf(", of which %ld are of no primitive", loose);
  if (const long bad = info["not_finite_points"]; bad > 0)
    std::printf(", of which %ld are not at a finite position", bad);
  std::printf("\nvertices %ld\n", info["vertices"].get<long>());
}

}  // namespace

void print_geometry_info(const Json& info) {
  const std::string version = word(info, "houdini_version");
  std::printf("%s\nformat   %s%s\n", word(info, "file").c_str(), word(info, "format").c_str(),
              version.empty() ? "" : (", written by " + version).c_str());
  print_points(info);
  print_primitives(info);
  if (const Json& bounds = info["bounds"]; !bounds.is_null())
    std::printf("bounds   %s to %s m\n", tuple_text(bounds[0]).c_str(),
                tuple_text(bounds[1]).c_str());
  print_attributes(info["attributes"]);
  print_groups(info["groups"]);
  if (info.contains("used_attributes"))
    for (const Json& used : info["used_attributes"])
      std::printf("uses     %s attribute %s: %s\n", word(used, "class").c_str(),
                  word(used, "name").c_str(), word(used, "as").c_str());
  if (info.contains("quality")) std::printf("%s", word(info["quality"], "text").c_str());
  for (const Json& warning : info["warnings"])
    std::printf("note     %s\n", warning.get<std::string>().c_str());
}

}  // namespace dashpot
