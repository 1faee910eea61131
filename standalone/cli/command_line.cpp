#include "standalone/cli/command_line.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <vector>

#include "solver/base/error.h"
#include "solver/base/words.h"
#include "standalone/cli/commands.h"
#include "standalone/cli/option_checks.h"
#include "standalone/cli/version.h"
#include "standalone/files/file_lock.h"

namespace dashpot {
namespace {

constexpr std::size_t kShownPath = 200;

// One sentence is one line, wherever its parts came from.
int fail(int exit_code, std::string sentence) {
  std::replace(sentence.begin(), sentence.end(), '\n', ' ');
  if (!sentence.empty() && std::string(".?!").find(sentence.back()) == std::string::npos)
    sentence += '.';
  std::fprintf(stderr, "dashpot: %s\n", sentence.c_str());
  return exit_code;
}

bool machine_can_run_this() {
#if defined(__AVX2__) && (defined(__x86_64__) || defined(__i386__))
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return true;
#endif
}

std::string join(int argc, char** argv) {
  std::string line;
  for (int i = 0; i < argc; ++i) line += (i ? " " : "") + std::string(argv[i]);
  return line;
}

// CLI11 would only say that a command is missing.
void refuse_unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == word) return;
    names.push_back(command->get_name());
  }
  if (word.empty() || word.front() == '-') return;
  throw InputError("there is no command '" + word + "'" +
                   (nearest_word(word, names).empty() ? "; dashpot --help lists them."
                                                      : did_you_mean(word, names)));
}

// An empty name or list, as from an unset variable of a shell, would silently mean the default.
void refuse_empty_values(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands())
    for (const CLI::Option* option : command->get_options())
      for (const std::string& value : option->results())
        if (value.empty())
          throw InputError(option->get_name() + " is empty; give it a value, or leave it out.");
}

int parse_and_run(int argc, char** argv) {
  CLI::App app("Dashpot simulates elastic bodies with damping that behaves.", "dashpot");
  app.set_version_flag("--version", version());
  app.require_subcommand(1);
  Action action;
  add_simulate_command(app, join(argc, argv), action);
  add_info_command(app, action);
  add_convert_command(app, action);
  add_params_command(app, action);
  add_presets_command(app, action);
  add_wedge_command(app, action);
  add_render_command(app, action);
  add_report_command(app, action);
  add_bench_command(app, action);
  add_make_collider_commands(app, action);
  refuse_unknown_command(app, argc > 1 ? argv[1] : "-");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    return fail(kExitBadInput, parse_complaint(app, error));
  }
  refuse_empty_values(app);
  return action();
}

}  // namespace

int run_command_line(int argc, char** argv) {
  if (!machine_can_run_this())
    return fail(kExitBadInput,
                "this build needs a processor with AVX2 and FMA; build it with "
                "-DDASHPOT_SIMD=baseline on this machine.");
  try {
    return parse_and_run(argc, argv);
  } catch (const BusyError& error) {
    return fail(kExitBusy, error.what());
  } catch (const InputError& error) {
    return fail(kExitBadInput, error.what());
  } catch (const std::bad_alloc&) {
    return fail(kExitBadInput, "the scene does not fit into the memory of this machine.");
  } catch (const SimulationError& error) {
    return fail(kExitFailed, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(kExitBadInput, "'" + error.path1().string().substr(0, kShownPath) +
                                   "' cannot be used: " + error.code().message() +
                                   "; check the name and its permissions.");
  } catch (const std::exception& error) {
    return fail(kExitFailed, std::string("an error that should not happen: ") + error.what());
  }
}

}  // namespace dashpot
