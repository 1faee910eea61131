#include "standalone/cli/kept_frames.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "solver/base/parallel.h"
#include "standalone/files/frame_name.h"
#include "standalone/files/read_file.h"

namespace dashpot {
namespace {

enum class FileState { kWhole, kMissing, kAltered };

FileState look_at(const std::string& path, const std::optional<FileDigest>& written) {
  if (!std::filesystem::exists(path)) return FileState::kMissing;
  try {
    if (!written) return FileState::kWhole;
    // The size first: most damage shows in it, and it costs nothing.
    if (std::filesystem::file_size(path) != written->bytes) return FileState::kAltered;
    return digest_of(read_file(path)) == *written ? FileState::kWhole : FileState::kAltered;
  } catch (const std::exception&) {
    return FileState::kAltered;  // what cannot be read is of no use to anybody
  }
}

std::string are(const std::vector<int>& frames, const char* one, const char* several) {
  if (frames.empty()) return "";
  return (frames.size() > 1 ? "frames " : "frame ") + frame_list(frames) +
         (frames.size() > 1 ? several : one);
}

}  // namespace

std::set<int> KeptFrames::lost() const {
  std::set<int> all;
  for (const auto* list : {&without_file, &altered, &without_stats})
    all.insert(list->begin(), list->end());
  return all;
}

std::string KeptFrames::complaint() const {
  std::string text;
  for (const std::string& part :
       {are(without_file, " is missing", " are missing"),
        are(altered, " is not as it was written", " are not as they were written"),
        are(without_stats, " has no statistics", " have no statistics")})
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  return text;
}

KeptFrames check_frames(const RunFolder& folder, int first, int last) {
  std::map<int, StatsLine> lines = read_stats_lines(folder.stats(), first, last);
  const std::ptrdiff_t count = std::ptrdiff_t{last} - first + 1;
  std::vector<FileState> states(static_cast<std::size_t>(std::max<std::ptrdiff_t>(count, 0)));
  parallel_each(count, 1, [&](std::ptrdiff_t i) {
    const int frame = first + static_cast<int>(i);
    const auto line = lines.find(frame);
    states[static_cast<std::size_t>(i)] =
        look_at(folder.frames().path(frame),
                line == lines.end() ? std::nullopt : std::optional(line->second.file));
  });
  KeptFrames kept;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const int frame = first + static_cast<int>(i);
    const auto line = lines.find(frame);
    const FileState state = states[static_cast<std::size_t>(i)];
    if (state == FileState::kMissing)
      kept.without_file.push_back(frame);
    else if (state == FileState::kAltered)
      kept.altered.push_back(frame);
    else if (line == lines.end())
      kept.without_stats.push_back(frame);
    else
      kept.lines[frame] = std::move(line->second);
  }
  return kept;
}

}  // namespace dashpot
