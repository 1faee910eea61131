#include "standalone/cli/stats.h"
#include "standalone/cli/json.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <utility>

#include "solver/base/error.h"
#include "standalone/files/atomic_file.h"
#include "standalone/files/file_lock.h"
#include "standalone/files/read_file.h"

namespace dashpot {
namespace {

Json bounds_of(const Points& points, int first, int count) {
  const auto block = points.middleCols(first, count);
  return {to_json(block.rowwise().minCoeff()), to_json(block.rowwise().maxCoeff())};
}

Json body_stats(const Measurement& body, const Json& bounds) {
  return {{"kinetic", body.kinetic},
          {"elastic", body.elastic},
          {"gravitational", body.gravitational},
          {"total", body.kinetic + body.elastic + body.gravitational},
          {"linear_momentum", to_json(body.linear_momentum)},
          {"angular_momentum", to_json(body.angular_momentum)},
          {"center_of_mass", to_json(body.center_of_mass)},
          {"inverted", body.inverted},
          {"max_stretch", body.max_stretch},
          {"min_stretch", body.min_stretch},
          {"bounds", bounds}};
}

[[noreturn]] void fail(const std::string& path) {
  throw InputError("the stats file '" + path + "' cannot be written: " + std::strerror(errno) +
                   ".");
}

bool is_regular(int file) {
  struct stat status = {};
  return ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

int open_locked(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) fail(path);
  // A device is anybody's.
  if (!is_regular(file) || try_lock(file)) return file;
  ::close(file);
  throw BusyError("another dashpot simulate writes the stats file '" + path +
                  "'; wait until it ends, or give --stats another name.");
}

}  // namespace

std::vector<std::string> status_names(std::uint32_t status) {
  std::vector<std::string> names;
  if (status & bit(Status::kBudgetExhausted)) names.emplace_back("budgetexhausted");
  if (status & bit(Status::kInvertedElements)) names.emplace_back("invertedelements");
  if (status & bit(Status::kTakenAgain)) names.emplace_back("takenagain");
  if (status & bit(Status::kTangled)) names.emplace_back("tangled");
  if (status & bit(Status::kCancelled)) names.emplace_back("cancelled");
  return names;
}

Json frame_stats(int frame, const Simulation& simulation, const State& state,
                 const FrameReport& report, double io_ms, const FileDigest& file) {
  const std::vector<Body>& bodies = simulation.scene().bodies;
  Json line = {{"frame", frame},
               {"time", state.time},
               {"kinetic", report.energy.kinetic},
               {"elastic", report.energy.elastic},
               {"gravitational", report.energy.gravitational},
               {"total", report.energy.total},
               {"dissipated", report.energy.dissipated},
               {"work", report.energy.work},
               {"lost", report.energy.lost},
               {"linear_momentum", to_json(report.all.linear_momentum)},
               {"angular_momentum", to_json(report.all.angular_momentum)},
               {"center_of_mass", to_json(report.all.center_of_mass)},
               {"iterations", report.iterations},
               {"primal_residual", report.primal_residual},
               {"dual_residual", report.dual_residual},
               {"contacts", report.contact.contacts},
               {"contact_pairs", report.contact.pairs},
               {"ignored_pairs", report.contact.ignored},
               {"penetration", report.contact.penetration},
               {"normal_impulse", report.contact.normal_impulse},
               {"contact_impulse", to_json(report.contact.impulse)},
               {"friction_use", report.contact.friction_use},
               {"inverted", report.all.inverted},
               {"max_stretch", report.all.max_stretch},
               {"min_stretch", report.all.min_stretch},
               {"ms",
                {{"total", report.ms.total},
                 {"local", report.ms.local},
                 {"global", report.ms.global},
                 {"contact", report.ms.contact},
                 {"io", io_ms}}},
               {"status", status_names(report.status)},
               {"bounds", bounds_of(state.x, 0, static_cast<int>(state.x.cols()))},
               {"hash", hex_digits(state.hash())},
               {"file", {{"bytes", file.bytes}, {"hash", hex_digits(file.hash)}}}};
  if (bodies.size() > 1) {
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const int first = simulation.point_offset(static_cast<int>(b));
      line["bodies"][bodies[b].name] =
          body_stats(report.bodies[b], bounds_of(state.x, first, bodies[b].mesh.point_count()));
    }
  }
  return line;
}

std::map<int, StatsLine> read_stats_lines(const std::string& path, int first, int last) {
  std::map<int, StatsLine> lines;
  if (!std::filesystem::exists(path)) return lines;
  std::istringstream text(read_file(path));
  for (std::string line; std::getline(text, line);) {
    const auto json = Json::parse(line, nullptr, false);
    try {
      const int frame = json.at("frame");
      const Json& file = json.at("file");
      const FileDigest digest{file.at("bytes"),
                              std::stoull(file.at("hash").get<std::string>(), nullptr, 16)};
      if (frame >= first && frame <= last) lines[frame] = {line, digest};
    } catch (const std::exception&) {
      continue;  // cut short, or of a program that did not write this
    }
  }
  return lines;
}

StatsFile::StatsFile(std::string path, int file) : path_(std::move(path)), file_(file) {}

StatsFile::StatsFile(StatsFile&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}

StatsFile::~StatsFile() {
  if (file_ >= 0) ::close(file_);
}

StatsFile StatsFile::create(const std::string& path) {
  StatsFile stats(path, open_locked(path));
  if (is_regular(stats.file_) && ::ftruncate(stats.file_, 0) != 0) fail(path);
  return stats;
}

StatsFile StatsFile::resume(const std::string& path, const std::map<int, StatsLine>& lines) {
  const StatsFile old(path, open_locked(path));
  std::string kept;
  for (const auto& [frame, line] : lines) kept += line.text + "\n";
  write_file_atomically(path, kept);
  return {path, open_locked(path)};
}

void StatsFile::append(const Json& line) {
  const std::string text = line.dump() + "\n";
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(file_, text.data() + done, text.size() - done);
    if (count < 0 && errno != EINTR) fail(path_);
    if (count > 0) done += static_cast<std::size_t>(count);
  }
}

}  // namespace dashpot
