#include "solver/simulation/state.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <sstream>

#include "solver/base/error.h"
#include "tests/support/random_numbers.h"

namespace dashpot {
namespace {

State sample_state() {
  RandomNumbers random(1);
  State state;
  state.time = 1.25;
  state.steps = 30;
  state.x = random.points(4);
  state.v = random.points(4);
  state.a = random.points(4);
  state.x_previous = random.points(4);
  state.v_previous = random.points(4);
  state.previous_dt = 1.0 / 24;
  for (int k = 0; k < 9; ++k) state.dual.push_back(random.next());
  state.work = 1.5;
  state.dissipated = 0.25;
  state.initial_energy = -3;
  return state;
}

std::string bytes_of(const State& state) {
  std::ostringstream out;
  state.save(out);
  return out.str();
}

State load(const std::string& bytes) {
  std::istringstream in(bytes);
  return State::load(in);
}

TEST(State, SurvivesSavingAndLoading) {
  const State state = sample_state(), copy = load(bytes_of(state));
  EXPECT_EQ(copy.time, state.time);
  EXPECT_EQ(copy.steps, state.steps);
  EXPECT_EQ(copy.x, state.x);
  EXPECT_EQ(copy.v, state.v);
  EXPECT_EQ(copy.a, state.a);
  EXPECT_EQ(copy.x_previous, state.x_previous);
  EXPECT_EQ(copy.v_previous, state.v_previous);
  EXPECT_EQ(copy.previous_dt, state.previous_dt);
  EXPECT_EQ(copy.dual, state.dual);
  EXPECT_EQ(copy.work, state.work);
  EXPECT_EQ(copy.dissipated, state.dissipated);
  EXPECT_EQ(copy.initial_energy, state.initial_energy);
  EXPECT_EQ(copy.hash(), state.hash());
}

TEST(State, SurvivesSavingAndLoadingBeforeTheFirstStep) {
  State state = sample_state();
  state.x_previous.resize(3, 0);
  state.v_previous.resize(3, 0);
  const State copy = load(bytes_of(state));
  EXPECT_EQ(copy.x_previous.size(), 0);
  EXPECT_EQ(copy.hash(), state.hash());
}

TEST(State, HashChangesWithEveryMember) {
  const std::function<void(State&)> edits[] = {[](State& s) { s.time = 2; },
                                               [](State& s) { ++s.steps; },
                                               [](State& s) { s.x(2, 3) += 1e-15; },
                                               [](State& s) { s.v(0, 0) += 1e-15; },
                                               [](State& s) { s.a(1, 1) += 1e-15; },
                                               [](State& s) { s.x_previous(2, 2) += 1e-15; },
                                               [](State& s) { s.v_previous(0, 3) += 1e-15; },
                                               [](State& s) { s.previous_dt = 1; },
                                               [](State& s) { s.dual[8] += 1e-15; },
                                               [](State& s) { s.work += 1; },
                                               [](State& s) { s.dissipated += 1; },
                                               [](State& s) { s.initial_energy += 1; },
                                               [](State& s) { std::swap(s.x, s.v); },
                                               [](State& s) { s.dual.push_back(0); },
                                               [](State& s) { s.x_previous.resize(3, 0); }};
  std::set<std::uint64_t> hashes = {sample_state().hash()};
  for (const auto& edit : edits) {
    State state = sample_state();
    edit(state);
    EXPECT_TRUE(hashes.insert(state.hash()).second) << "edit " << hashes.size();
  }
}

TEST(State, BytesThatWereCutShortAreRefused) {
  const std::string bytes = bytes_of(sample_state());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(load(bytes.substr(0, size)), InputError) << size << " of " << bytes.size();
}

TEST(State, EveryDamagedByteIsNoticed) {
  const std::string bytes = bytes_of(sample_state());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    EXPECT_THROW(load(damaged), InputError) << "byte " << at;
  }
}

TEST(State, OtherFilesAreRefused) {
  EXPECT_THROW(load("this is not a state, but it is long enough to be one, almost"), InputError);
}

}  // namespace
}  // namespace dashpot
