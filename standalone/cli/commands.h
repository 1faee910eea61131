#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace dashpot {

constexpr int kExitDone = 0;
constexpr int kExitBadInput = 2;
constexpr int kExitFailed = 3;
constexpr int kExitBusy = 75;  // "try again later" of sysexits.h
constexpr int kExitInterrupted = 130;

// What the command line asks for; returns the exit code.
using Action = std::function<int()>;

// Each declares its command and options, and sets `action` when the command is given.
void add_simulate_command(CLI::App& app, const std::string& command_line, Action& action);
void add_info_command(CLI::App& app, Action& action);
void add_convert_command(CLI::App& app, Action& action);
void add_params_command(CLI::App& app, Action& action);
void add_presets_command(CLI::App& app, Action& action);
void add_wedge_command(CLI::App& app, Action& action);
void add_render_command(CLI::App& app, Action& action);
void add_report_command(CLI::App& app, Action& action);
void add_bench_command(CLI::App& app, Action& action);
void add_make_collider_commands(CLI::App& app, Action& action);

}  // namespace dashpot
