#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "solver/simulation/state.h"

namespace dashpot {

// The state at the end of a frame, with which a run that was stopped goes on bit for bit.
struct Checkpoint {
  int frame = 0;
  State state;
};

// `run` identifies the scene and its initial state. The file appears complete or not at all.
void write_checkpoint(const std::string& path, std::uint64_t run, int frame, const State& state);

// Nothing if there is no such file. Throws InputError if it is damaged or of another run.
std::optional<Checkpoint> read_checkpoint(const std::string& path, std::uint64_t run);

}  // namespace dashpot
