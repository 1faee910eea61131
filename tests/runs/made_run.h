#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "standalone/files/frame_name.h"
#include "standalone/geometry/geometry_reader.h"
#include "standalone/geometry/geometry_writer.h"
#include "tests/formats/temp_folder.h"

namespace dashpot {

// A run without a simulation: frames that are made by hand, with run.json and statistics.
class MadeRun {
 public:
  // Two tets on five points, in Houdini's orientation.
  static Geometry two_tets() {
    Points points(3, 5);
    points << 0, 1, 0, 0, 1,  //
        0, 0, 1, 0, 1,        //
        0, 0, 0, 1, 1;
    return make_tet_geometry(points, {{0, 2, 1, 3}, {1, 2, 4, 3}});
  }

  explicit MadeRun(int frames = 4) : last_(frames) {
    for (int frame = 1; frame <= last_; ++frame) {
      write_frame(frame, two_tets());
      stats_.push_back({{"frame", frame},
                        {"time", (frame - 1) / 24.0},
                        {"kinetic", 0.1 * frame},
                        {"total", 1.0 / frame},
                        {"max_stretch", 1.0},
                        {"min_stretch", 1.0},
                        {"linear_momentum", {1, 2, frame}},
                        {"ms", {{"total", 2.5 * frame}}},
                        {"status", nlohmann::json::array()},
                        {"bounds", {{0, 0, 0}, {1, 1, 1}}}});
    }
    write_stats();
    write_record(5, 2);
  }

  std::string path() const { return folder_.path().string(); }
  std::filesystem::path frame_path(int frame) const {
    return folder_.path() / frame_name("f.$F4.bgeo.sc", frame);
  }

  void write_frame(int frame, const Geometry& geometry) const {
    write_geometry(frame_path(frame), geometry);
  }
  void remove_frame(int frame) const { std::filesystem::remove(frame_path(frame)); }

  std::vector<nlohmann::ordered_json>& stats() { return stats_; }
  // Also after changing stats().
  void write_stats() const {
    std::string text;
    for (const auto& line : stats_) text += line.dump() + "\n";
    folder_.write("stats.jsonl", text);
  }
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }

  // run.json, of one body with so many points and tets.
  void write_record(
      int points, int tets,
      const nlohmann::ordered_json& colliders = nlohmann::ordered_json::array()) const {
    const nlohmann::ordered_json record = {{"dashpot", "0"},
                                           {"frames", "f.$F4.bgeo.sc"},
                                           {"stats", "stats.jsonl"},
                                           {"first_frame", 1},
                                           {"last_frame", last_},
                                           {"fps", 24.0},
                                           {"gravity", {0, -9.81, 0}},
                                           {"simulation", {{"substeps", 1}}},
                                           {"bodies",
                                            {{{"name", "jelly"},
                                              {"geometry", "made"},
                                              {"points", points},
                                              {"tets", tets},
                                              {"point_offset", 0},
                                              {"tet_offset", 0},
                                              {"flipped", true},
                                              {"parameters", {{"youngsmodulus", 1e5}}}}}},
                                           {"colliders", colliders}};
    folder_.write("run.json", record.dump(2));
  }

 private:
  TempFolder folder_;
  int last_;
  std::vector<nlohmann::ordered_json> stats_;
};

}  // namespace dashpot
