#include <cstdio>
#include <memory>

#include "solver/simulation/frame_report.h"
#include "standalone/cli/commands.h"
#include "standalone/cli/shown_runs.h"
#include "standalone/cli/stats.h"
#include "standalone/cli/surface_option.h"
#include "standalone/cli/version.h"
#include "standalone/files/atomic_file.h"
#include "standalone/files/file_ending.h"
#include "standalone/report/report.h"
#include "standalone/runs/run_directory.h"

namespace dashpot {
namespace {

struct ReportArguments {
  ReportOptions report;
  std::vector<std::string> directories;
  std::string output = "report.html";
};

// The status bits in the words of stats files, with their remedies.
std::string explain_status(const std::string& word) {
  for (std::uint32_t shift = 0; shift < 32; ++shift) {
    const std::uint32_t status = 1U << shift;
    const std::vector<std::string> names = status_names(status);
    if (!names.empty() && names.front() == word) return remedy(static_cast<Status>(status));
  }
  return "";
}

int write_report(const ReportArguments& arguments) {
  require_ending(arguments.output, {".html", ".htm"}, "--output");
  const ShownRuns shown = find_shown_runs(arguments.directories);
  ReportOptions options = arguments.report;
  options.runs = shown.runs;
  options.problems = shown.problems;
  options.columns = shown.columns;
  if (options.title.empty()) options.title = shown.title;
  run_inputs(options.runs).refuse_output(arguments.output, "--output");
  const Report report = make_report(options);
  write_file_atomically(arguments.output, report.html);
  for (const std::string& sentence : report.problems)
    std::fprintf(stderr, "dashpot: %s\n", sentence.c_str());
  std::printf("report   %s, %.1f MB\n", arguments.output.c_str(),
              static_cast<double>(report.html.size()) / 1e6);
  return kExitDone;
}

}  // namespace

void add_report_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command =
      app.add_subcommand("report", "Make one page to look at a run, or several side by side");
  command
      ->add_option("runs", arguments->directories,
                   "Directories of frames and run.json, or of a wedge")
      ->required();
  command->add_option("-o,--output", arguments->output, "HTML file")->capture_default_str();
  command->add_option("--title", arguments->report.title, "Title; default: the names of the runs");
  add_surface_option(*command, arguments->report.surface);
  add_ground_option(*command, arguments->report.ground);
  command->callback([arguments, &action] {
    arguments->report.program = "dashpot " + std::string(version());
    arguments->report.explain_status = explain_status;
    action = [arguments] { return write_report(*arguments); };
  });
}

}  // namespace dashpot
