#include "standalone/bench/benchmark_output.h"

#include <cstdarg>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace dashpot {
namespace {

using BenchJson = nlohmann::ordered_json;

__attribute__((format(printf, 2, 3))) void append(std::string& text, const char* format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  text += line;
}

std::string told(double ms) {
  char text[32];
  std::snprintf(text, sizeof text, ms > 0 ? "%.3g" : "-", ms);
  return text;
}

void append_scenes(const std::vector<SceneResult>& scenes, std::string& text) {
  text +=
      "Published tables. Theirs: the authors' machines. Ours: this one, a bar of as many points "
      "and "
      "tets, without\ncolliders. ms: local and global step of an iteration, and a frame.\n\n";
  append(text, "%-21s %6s %6s %5s | %7s %7s %7s | %7s %7s %7s | %s\n", "", "", "", "", "", "ours",
         "", "", "theirs", "", "frame");
  append(text, "%-21s %6s %6s %5s | %7s %7s %7s | %7s %7s %7s | %s\n", "scene", "points", "tets",
         "its", "local", "global", "frame", "local", "global", "frame", "ratio");
  std::string table;
  for (const SceneResult& s : scenes) {
    const PublishedScene& p = s.published;
    if (p.table != table) append(text, "%s\n", (table = p.table).c_str());
    append(text, "  %-19s %6d %6d %5d | ", p.name.c_str(), p.nodes, s.was_run ? s.tets : p.elements,
           p.iterations);
    if (s.was_run)
      append(text, "%7.3f %7.3f %7.2f", s.local, s.global, s.frame);
    else
      append(text, "%23s", "no solid body");
    append(text, " | %7s %7s %7s | ", told(p.local).c_str(), told(p.global).c_str(),
           told(p.frame).c_str());
    if (s.was_run) append(text, "%.1f", p.frame / s.frame);
    text += "\n";
  }
  text += "\n";
}

void append_sizes(const std::vector<SizeResult>& sizes, std::string& text) {
  text +=
      "One iteration of a neo-Hookean beam, ms. Textbook: ADMM with Eigen's JacobiSVD and "
      "SimplicialLLT, local step on\nall threads. ADMM: ours with stagesolver = admm. MiB: at "
      "most, "
      "of scene and solver. Factor: precision of its entries.\n\n";
  append(text, "%8s %8s %7s %6s %6s %7s | %8s %8s %8s %7s | %8s %6s | %8s %6s\n", "tets", "points",
         "set-up", "MiB", "factor", "threads", "local", "global", "total", "faster", "textbook",
         "ratio", "ADMM", "ratio");
  for (const SizeResult& s : sizes) {
    for (const ThreadResult& t : s.ours) {
      append(text, "%8d %8d %5.2f s %6.0f %6s %7d | %8.3f %8.3f %8.3f %6.2fx | ", s.tets, s.points,
             s.setup, s.memory, s.single_precision ? "single" : "double", t.threads, t.ours.local,
             t.ours.global, t.ours.total, s.ours.front().ours.total / t.ours.total);
      if (&t == &s.ours.back()) {
        if (s.has_textbook)
          append(text, "%8.2f %5.1fx | %8.3f %5.1fx", s.textbook.total,
                 s.textbook.total / t.ours.total, s.admm.total, s.textbook.total / s.admm.total);
        else
          append(text, "%15s | %8.3f", "", s.admm.total);
      }
      text += "\n";
    }
  }
  const Growth growth = growth_of(sizes);
  if (growth.local != 0)
    append(text, "\nFrom 10k tets on, cost grows as n^%.2f (local) and n^%.2f (global).\n",
           growth.local, growth.global);
}

BenchJson to_json(const IterationTimes& t) {
  return {{"local", t.local}, {"global", t.global}, {"total", t.total}};
}

BenchJson to_json(const SceneResult& s) {
  const PublishedScene& p = s.published;
  BenchJson json = {{"table", p.table},
                    {"scene", p.name},
                    {"published",
                     {{"points", p.nodes},
                      {"elements", p.elements},
                      {"iterations", p.iterations},
                      {"dt", p.dt}}}};
  for (const auto& [key, ms] : {std::pair{"local_ms", p.local}, std::pair{"global_ms", p.global},
                                std::pair{"frame_ms", p.frame}})
    if (ms > 0) json["published"][key] = ms;
  if (s.was_run)
    json["ours"] = {{"points", s.points},  {"tets", s.tets},        {"solves_per_frame", s.solves},
                    {"local_ms", s.local}, {"global_ms", s.global}, {"frame_ms", s.frame}};
  return json;
}

BenchJson to_json(const SizeResult& s) {
  BenchJson threads = BenchJson::array();
  for (const ThreadResult& t : s.ours)
    threads.push_back({{"threads", t.threads}, {"ms", to_json(t.ours)}});
  BenchJson json = {{"tets", s.tets},
                    {"points", s.points},
                    {"setup_s", s.setup},
                    {"memory_mib", s.memory},
                    {"factor", s.single_precision ? "single" : "double"},
                    {"ours", threads},
                    {"admm", {{"threads", s.ours.back().threads}, {"ms", to_json(s.admm)}}}};
  if (s.has_textbook) {
    json["textbook"] = {{"threads", s.ours.back().threads}, {"ms", to_json(s.textbook)}};
    json["ratio"] = s.textbook.total / s.ours.back().ours.total;
    json["admm_ratio"] = s.textbook.total / s.admm.total;
  }
  return json;
}

}  // namespace

std::string benchmark_text(const BenchmarkResult& result) {
  std::string text;
  append(text, "%s, %d threads\n\n", result.processor.c_str(), result.processors);
  if (!result.scenes.empty()) append_scenes(result.scenes, text);
  if (!result.sizes.empty()) append_sizes(result.sizes, text);
  return text;
}

std::string benchmark_json(const BenchmarkResult& result) {
  BenchJson json = {{"processor", result.processor}, {"processors", result.processors}};
  json["published"] = BenchJson::array();
  for (const SceneResult& scene : result.scenes) json["published"].push_back(to_json(scene));
  json["sizes"] = BenchJson::array();
  for (const SizeResult& size : result.sizes) json["sizes"].push_back(to_json(size));
  const Growth growth = growth_of(result.sizes);
  if (growth.local != 0) json["exponents"] = {{"local", growth.local}, {"global", growth.global}};
  return json.dump(2) + "\n";
}

}  // namespace dashpot
