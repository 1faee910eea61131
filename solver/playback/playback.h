#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "solver/playback/frame_cache.h"
#include "solver/simulation/simulation.h"

namespace dashpot {

struct PlaybackSettings {
  int start_frame = 1;
  double fps = 24.0;
  bool cache_enabled = true;
  std::size_t cache_bytes = 0;
  bool auto_reset = true;  // start again when inputs or parameters were edited
};

// What the frame logic asks of its host. Everything may throw InputError.
class PlaybackHost {
 public:
  virtual ~PlaybackHost() = default;
  // Of all that the motion depends on and that does not change from frame to frame: the input at
  // the start frame, parameters. Called once per cook.
  virtual std::uint64_t identity() = 0;
  // What to simulate, at the start frame.
  virtual Scene scene() = 0;
  // Of animated inputs at a frame, such as targets and colliders.
  virtual bool has_animated_inputs() = 0;
  virtual std::uint64_t inputs_at(int frame) = 0;
  // Lets the simulation know the animated inputs at a frame, before it advances there.
  virtual void use_inputs_at(int frame) = 0;
  // Polled often, with the part of the cook that is done (0 to 1); true asks to stop.
  virtual bool interrupted(double done) = 0;
};

struct ShownFrame {
  enum class Kind {
    kPassThrough,  // before the start: the input is the output
    kFrame,
    kInterrupted,  // nothing new to show; the next cook goes on from the last complete frame
  };
  Kind kind = Kind::kPassThrough;
  Points x, v;  // of the mesh
  FrameCache::Entry frame;
  bool stale = false;  // an edit was not followed, because auto_reset is off
};

// Shows any frame of a simulation in any order, as Houdini's solver nodes do: the start frame
// initialises, later frames step, jumps forward catch up frame by frame, jumps back use the cache
// or simulate again from the nearest cached frame, frames between whole ones are interpolated.
// Whatever the order, a frame has the same bits as in a straight run. After an edit, the new
// simulation takes over from the last one what the edit did not touch of its matrix.
class Playback {
 public:
  // Throws what the host throws, and SimulationError with the number of the frame. The frames
  // before it remain.
  ShownFrame cook(double frame, const PlaybackSettings& settings, PlaybackHost& host);

  // Of the frame that was shown last (the whole frame before it, if it was between two).
  std::vector<std::vector<double>> evaluate(const std::vector<const ElementDiagnostic*>& wanted);

  // Forgets everything; the next cook starts again.
  void reset();

  const Simulation* simulation() const { return simulation_.get(); }
  std::size_t bytes() const { return cache_.bytes(); }
  std::size_t cached_frames() const { return cache_.count(); }

 private:
  void forget_frames();
  void start(std::uint64_t identity, const PlaybackSettings& settings, PlaybackHost& host);
  // Whether animated inputs are what they were when the frames were simulated.
  bool inputs_unchanged(int frame, bool check_all, PlaybackHost& host);
  // nullptr if interrupted.
  FrameCache::Entry advance_to(int frame, PlaybackHost& host);
  // False if interrupted.
  bool step_to(int frame, double done, PlaybackHost& host);
  void go_to(int frame, const FrameCache::Entry& entry);
  void remember(const FrameReport& report);

  std::unique_ptr<Simulation> simulation_;
  // Of the last simulation, while there is none because its successor could not be made.
  std::shared_ptr<const PreparedMatrix> former_;
  std::uint64_t identity_ = 0;
  int start_frame_ = 0;
  double fps_ = 24.0;
  int current_ = 0;   // frame of simulation_
  double shown_ = 0;  // last frame that was asked for
  bool has_shown_ = false;
  FrameCache cache_;
  FrameCache::Entry shown_entry_;
  int shown_frame_ = 0;
  std::map<int, std::uint64_t> inputs_;  // animated inputs that were used, by frame
};

}  // namespace dashpot
