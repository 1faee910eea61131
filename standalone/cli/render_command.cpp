#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "solver/base/error.h"
#include "standalone/cli/commands.h"
#include "standalone/cli/option_checks.h"
#include "standalone/cli/progress.h"
#include "standalone/cli/run_pictures.h"
#include "standalone/cli/shown_runs.h"
#include "standalone/cli/surface_option.h"
#include "standalone/files/file_ending.h"
#include "standalone/files/frame_name.h"
#include "standalone/render/montage.h"
#include "standalone/render/movie.h"
#include "standalone/render/png.h"

namespace dashpot {
namespace {

struct RenderOptions {
  PictureOptions pictures;
  std::vector<std::string> directories;
  std::string output = "still.png", frames;
  std::string range;  // "low,high"
  double top = 0;     // short for a range from zero
  int frame = 0;
  bool one_frame = false;
  int sheet = 0;  // pictures on a contact sheet; 0 makes none
  double fps = 0;
};

// frame.%04d.png and frame.$F4.png mean the same.
std::string with_dollar_f(std::string name) {
  const std::size_t percent = name.find('%');
  if (percent == std::string::npos) return name;
  int digits = 0, end = 0;
  const char* at = name.c_str() + percent;
  if (std::sscanf(at, "%%0%1dd%n", &digits, &end) == 1 && end > 0)
    return name.replace(percent, static_cast<std::size_t>(end), "$F" + std::to_string(digits));
  if (name.compare(percent, 2, "%d") == 0) return name.replace(percent, 2, "$F");
  throw InputError("--output " + name +
                   " has a % that stands for no frame number; write %04d, %d or $F4.");
}

// "1-48", or "1-48x2" for every second one.
std::vector<int> chosen_frames(const RenderOptions& options, const std::vector<int>& there) {
  if (options.one_frame) return {options.frame};
  if (options.frames.empty()) return there;
  int first = 0, last = 0, step = 1, end = 0, whole = 0;
  const int count =
      std::sscanf(options.frames.c_str(), "%d-%d%nx%d%n", &first, &last, &end, &step, &whole);
  const auto read = static_cast<std::size_t>(count == 3 ? whole : end);
  if (count < 2 || read != options.frames.size() || last < first || step < 1)
    throw InputError("--frames " + options.frames +
                     " is not a range of frames; write it as 1-48, or 1-48x2 for every second.");
  std::vector<int> chosen;
  for (const int frame : there)
    if (frame >= first && frame <= last && (frame - first) % step == 0) chosen.push_back(frame);
  if (chosen.empty())
    throw InputError("--frames " + options.frames + ": the run has none of them; it has frames " +
                     std::to_string(there.front()) + " to " + std::to_string(there.back()) + ".");
  return chosen;
}

std::optional<ColourRange> read_range(const RenderOptions& options) {
  if (options.top > 0) return ColourRange{0, options.top};
  if (options.range.empty()) return {};
  ColourRange range;
  int end = 0;
  if (std::sscanf(options.range.c_str(), "%lf,%lf%n", &range.low, &range.high, &end) != 2 ||
      static_cast<std::size_t>(end) != options.range.size() || !std::isfinite(range.low) ||
      !std::isfinite(range.high) || range.high <= range.low)
    throw InputError("--range " + options.range +
                     " is not two values, the smaller one first; write it as 0,0.3.");
  return range;
}

// Calls body(frame) for each and shows how far it has come.
template <class Body>
void each_frame(const std::vector<int>& frames, const Body& body) {
  Progress progress(Progress::Style::kAuto, 0, static_cast<int>(frames.size()));
  progress.start(0);
  int done = 0;
  for (const int frame : frames) {
    body(frame);
    progress.frame_done(++done);
  }
  progress.finish();
}

// One run: frames row by row. Several: a row for each run.
int render_sheet(const RenderOptions& options, const RunPictures& pictures,
                 const std::vector<int>& frames) {
  const auto wanted = static_cast<std::size_t>(options.sheet);
  std::vector<int> chosen;
  const std::size_t count = std::min(wanted, frames.size());
  chosen.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    chosen.push_back(count > 1 ? frames[i * (frames.size() - 1) / (count - 1)] : frames.back());
  std::vector<std::vector<Image>> rows(pictures.run_count());
  each_frame(chosen, [&](int frame) {
    for (std::size_t run = 0; run < rows.size(); ++run) {
      rows[run].push_back(pictures.run_at(run, frame, run == 0 && frame == chosen.front(),
                                          "frame " + std::to_string(frame)));
    }
  });
  std::vector<Image> cells;
  for (std::vector<Image>& row : rows)
    for (Image& image : row) cells.push_back(std::move(image));
  const int columns =
      rows.size() > 1 ? static_cast<int>(count) : sheet_columns(static_cast<int>(count));
  write_png(options.output, montage(cells, columns, 6, true));
  std::printf("sheet    %s, %zu frames\n", options.output.c_str(), count);
  return kExitDone;
}

int render_movie(const RenderOptions& options, const RunPictures& pictures,
                 const std::vector<int>& frames) {
  MovieWriter movie(options.output, options.fps > 0 ? options.fps : pictures.fps());
  each_frame(frames, [&](int frame) { movie.add(pictures.at(frame)); });
  movie.finish();
  std::printf("movie    %s, %zu frames\n", options.output.c_str(), frames.size());
  return kExitDone;
}

int render_runs(const RenderOptions& options) {
  const std::string output = with_dollar_f(options.output);
  require_ending(output, {".png", ".mp4", ".gif"}, "--output");
  const bool sequence = has_frame_number(output), movie = is_movie(output);
  if (options.sheet > 0 && (sequence || movie))
    throw InputError("--sheet makes one picture; give --output a name such as sheet.png.");
  if (options.sheet == 0 && !sequence && !movie && !options.one_frame)
    throw InputError("--output " + options.output +
                     " is one picture; say which --frame, or write frame.%04d.png, movie.mp4 or "
                     "--sheet.");
  if (movie) require_ffmpeg(output);
  const ShownRuns shown = find_shown_runs(options.directories);
  PictureOptions chosen = options.pictures;
  chosen.runs = shown.runs;
  chosen.columns = shown.columns;
  chosen.range = read_range(options);
  const RunPictures pictures(chosen);
  for (const auto* list : {&shown.problems, &pictures.problems()})
    for (const std::string& sentence : *list)
      std::fprintf(stderr, "dashpot: %s\n", sentence.c_str());
  const std::vector<int> frames = chosen_frames(options, pictures.frames());
  const InputFiles inputs = run_inputs(chosen.runs);
  for (const int frame : frames) inputs.refuse_output(frame_name(output, frame), "--output");
  if (options.sheet > 0) return render_sheet(options, pictures, frames);
  if (movie) return render_movie(options, pictures, frames);
  if (!sequence) {
    write_png(output, pictures.at(frames.front()));
    std::printf("still    %s\n", output.c_str());
    return kExitDone;
  }
  each_frame(frames, [&](int frame) { write_png(frame_name(output, frame), pictures.at(frame)); });
  std::printf("stills   %s, %zu frames\n", output.c_str(), frames.size());
  return kExitDone;
}

void add_colour_options(CLI::App& command, RenderOptions& options) {
  std::string shades;
  for (const Shading& shading : shadings())
    shades += std::string(shades.empty() ? "" : ", ") + shading.token + " (" + shading.help + ")";
  CLI::Option* shade = command.add_option("--shade", options.pictures.shade, "Colour by " + shades);
  CLI::Option* range = command.add_option(
      "--range", options.range,
      "Values of the darkest and the brightest colour, as in 0,0.3; default: the runs' own");
  range->needs(shade);
  command
      .add_option("--top", options.top, "The brightest colour alone: --top 0.3 is --range 0,0.3")
      ->check(number_above_zero())
      ->needs(shade)
      ->excludes(range);
}

void add_contact_option(CLI::App& command, RenderOptions& options) {
  command.add_flag("--contacts", options.pictures.contacts,
                   "Dots and arrows of force where bodies touch something: blue sticks, orange "
                   "slips");
}

void add_picture_options(CLI::App& command, PictureOptions& options) {
  const CLI::Validator pixels = number_between(1, 16384);
  command.add_option("--width", options.settings.width, "Pixels of each run's picture")
      ->capture_default_str()
      ->check(pixels);
  command.add_option("--height", options.settings.height, "Pixels")
      ->capture_default_str()
      ->check(pixels);
  command.add_option("--samples", options.settings.samples, "Paths per pixel")
      ->capture_default_str()
      ->check(number_between(1, 65536));
  CLI::Option* view =
      command.add_option("--view", options.view, "Direction to look along, as in -0.5,-0.4,-0.8");
  command
      .add_option("--camera", options.camera,
                  "eye:target or eye:target:degrees, as in 2,1,3:0,0.5,0:30; "
                  "default: fitted to all frames")
      ->excludes(view);
  add_ground_option(command, options.ground);
  add_surface_option(command, options.surface);
  command.add_flag("!--no-labels", options.labels, "No text in the pictures");
}

}  // namespace

void add_render_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<RenderOptions>();
  CLI::App* command =
      app.add_subcommand("render", "Render stills, a movie or a contact sheet of runs");
  command
      ->add_option("runs", options->directories,
                   "Directories of frames and run.json, or of a wedge; several runs are shown side "
                   "by side")
      ->required();
  CLI::Option* frame = command->add_option("--frame", options->frame, "One frame");
  command->add_option("--frames", options->frames, "As in 1-48, or 1-48x2; default: all there are")
      ->excludes(frame);
  command
      ->add_option("-o,--output", options->output,
                   "still.png, frame.%04d.png, movie.mp4 or movie.gif")
      ->capture_default_str();
  command
      ->add_flag("--sheet{12}", options->sheet,
                 "A contact sheet of twelve frames, or of so many: --sheet=20")
      ->check(number_between(1, 1000))
      ->excludes(frame);
  command->add_option("--fps", options->fps, "Of a movie; default: that of the run")
      ->check(number_above_zero());
  add_colour_options(*command, *options);
  add_contact_option(*command, *options);
  add_picture_options(*command, options->pictures);
  command->callback([options, frame, &action] {
    options->one_frame = frame->count() > 0;
    action = [options] { return render_runs(*options); };
  });
}

}  // namespace dashpot
