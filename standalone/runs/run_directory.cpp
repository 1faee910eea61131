#include "standalone/runs/run_directory.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <system_error>

#include "solver/base/error.h"
#include "standalone/files/file_ending.h"
#include "standalone/files/frame_name.h"
#include "standalone/files/read_file.h"
#include "standalone/geometry/container.h"

namespace dashpot {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

// More frames than this are not a run but a damaged number.
constexpr long kMostFrames = 1000000;

struct NumberedFile {
  std::string pattern;  // with $F for the number
  int frame;
};

// The last number in the name counts: shot12.0007.bgeo.sc is frame 7.
std::optional<NumberedFile> numbered_file(const fs::path& path) {
  const std::string name = path.filename().string();
  if (!known_form(path)) return {};
  std::size_t end = name.find(".bgeo");
  if (end == std::string::npos) end = name.find(".geo");
  std::size_t begin = end;
  while (begin > 0 && std::isdigit(static_cast<unsigned char>(name[begin - 1]))) --begin;
  const std::size_t digits = end - begin;
  if (digits == 0 || digits > 9) return {};
  const bool padded = digits > 1 && name[begin] == '0';
  return NumberedFile{
      name.substr(0, begin) + (padded ? "$F" + std::to_string(digits) : "$F") + name.substr(end),
      std::stoi(name.substr(begin, digits))};
}

// Without run.json: the frames are the most numerous files that differ in a number only.
void guess_frames(RunDirectory& run) {
  std::map<std::string, int> count;
  for (const fs::directory_entry& entry : fs::directory_iterator(run.path))
    if (const auto file = numbered_file(entry.path())) ++count[file->pattern];
  if (count.empty()) return;
  run.manifest.frames =
      std::max_element(count.begin(), count.end(), [](const auto& a, const auto& b) {
        return a.second < b.second;
      })->first;
  std::vector<int> numbers;
  for (const fs::directory_entry& entry : fs::directory_iterator(run.path)) {
    const auto file = numbered_file(entry.path());
    // 0099 and 100 belong together; whether the name fits is asked below.
    if (file && entry.path() == run.frame_path(file->frame)) numbers.push_back(file->frame);
  }
  run.manifest.first_frame = *std::min_element(numbers.begin(), numbers.end());
  run.manifest.last_frame = *std::max_element(numbers.begin(), numbers.end());
}

void read_record(RunDirectory& run) {
  const fs::path file = run.path / kManifestName;
  std::string trouble = "is missing";
  if (fs::exists(file)) {
    Json json = Json::parse(read_file(file), nullptr, false);
    try {
      if (!json.is_object()) throw InputError("it is not a JSON object.");
      run.manifest = manifest_from_json(json);
      if (static_cast<long>(run.manifest.last_frame) - run.manifest.first_frame > kMostFrames)
        throw InputError("it announces more than a million frames.");
      run.record = std::move(json);
      return;
    } catch (const InputError& error) {
      run.manifest = {};
      trouble = std::string("cannot be read (") + error.what() + ")";
    }
  }
  run.manifest.stats = "stats.jsonl";
  guess_frames(run);
  run.problems.push_back(std::string(kManifestName) + " " + trouble +
                         ": parameters and names of bodies are unknown, and 24 frames per second "
                         "are assumed.");
}

std::string frames_text(const std::vector<int>& frames) {
  return (frames.size() > 1 ? "Frames " : "Frame ") + frame_list(frames);
}

void find_frames(RunDirectory& run) {
  const RunManifest& manifest = run.manifest;
  std::vector<int> missing, without_stats;
  for (int frame = manifest.first_frame; frame <= manifest.last_frame; ++frame) {
    const bool there = !manifest.frames.empty() && fs::exists(run.frame_path(frame));
    (there ? run.frames : missing).push_back(frame);
    if (there && run.stats.lines.count(frame) == 0) without_stats.push_back(frame);
  }
  // Frames at the end were never simulated; those between others got lost.
  const int last = run.last_frame();
  if (last < manifest.last_frame) {
    run.problems.push_back("The run ended at frame " + std::to_string(last) + " of " +
                           std::to_string(manifest.last_frame) +
                           ": it was interrupted, failed, or is still going.");
    missing.erase(std::upper_bound(missing.begin(), missing.end(), last), missing.end());
  }
  if (run.frames.empty())
    run.problems.emplace_back("There are no frame files: nothing can be shown in 3D.");
  else if (!missing.empty())
    run.problems.push_back(frames_text(missing) +
                           (missing.size() > 1 ? " have no file." : " has no file."));
  if (!without_stats.empty() && !run.stats.lines.empty())
    run.problems.push_back(frames_text(without_stats) + (without_stats.size() > 1
                                                             ? " have no statistics."
                                                             : " has no statistics."));
}

}  // namespace

fs::path RunDirectory::frame_path(int frame) const {
  return path / frame_name(manifest.frames, frame);
}

int RunDirectory::first_frame() const {
  return manifest.first_frame;
}

int RunDirectory::last_frame() const {
  int last = frames.empty() ? manifest.first_frame : frames.back();
  if (!stats.lines.empty()) last = std::max(last, stats.lines.rbegin()->first);
  return std::min(last, manifest.last_frame);
}

double RunDirectory::time_of(int frame) const {
  double timescale = 1;
  if (record.is_object() && record.contains("simulation")) {
    const Json& simulation = record["simulation"];
    if (simulation.is_object() && simulation.contains("timescale") &&
        simulation["timescale"].is_number())
      timescale = simulation["timescale"];
  }
  return (frame - manifest.first_frame) / manifest.fps * timescale;
}

FrameBoxes RunDirectory::bounds() const {
  FrameBoxes boxes;
  for (const auto& [frame, line] : stats.lines) {
    try {
      Vec3 low, high;
      for (int axis = 0; axis < 3; ++axis) {
        low[axis] = line.at("bounds").at(0).at(static_cast<std::size_t>(axis));
        high[axis] = line.at("bounds").at(1).at(static_cast<std::size_t>(axis));
      }
      boxes[frame] = {low, high};
    } catch (const Json::exception&) {
      continue;  // a line without them does not help, and does no harm
    }
  }
  return boxes;
}

InputFiles run_inputs(const std::vector<ShownRun>& runs) {
  InputFiles inputs;
  std::error_code ignored;
  for (const ShownRun& run : runs)
    for (const fs::directory_entry& entry : fs::directory_iterator(run.directory, ignored)) {
      const std::string ending = extension_of(entry.path());
      if (known_form(entry.path()) || ending == ".json" || ending == ".jsonl" || ending == ".bin")
        inputs.add(entry.path());
    }
  return inputs;
}

RunDirectory open_run(const fs::path& directory) {
  std::error_code error;
  if (!fs::is_directory(directory, error))
    throw InputError("'" + directory.string() +
                     "' holds no run: there is no such directory; give the one that dashpot "
                     "simulate wrote its frames to.");
  RunDirectory run;
  run.path = directory;
  const fs::path absolute = fs::absolute(directory).lexically_normal();
  run.name = (absolute.has_filename() ? absolute : absolute.parent_path()).filename().string();
  read_record(run);
  run.stats = read_run_stats(run.path / run.manifest.stats);
  if (run.record.is_null() && run.manifest.frames.empty()) {
    if (run.stats.lines.empty())
      throw InputError("'" + directory.string() + "' holds no run: there is no " + kManifestName +
                       " in it; give the directory that dashpot simulate wrote its frames to.");
    run.manifest.first_frame = run.stats.lines.begin()->first;
    run.manifest.last_frame = run.stats.lines.rbegin()->first;
  }
  find_frames(run);
  run.problems.insert(run.problems.end(), run.stats.problems.begin(), run.stats.problems.end());
  return run;
}

}  // namespace dashpot
