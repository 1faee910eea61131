#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "solver/playback/frame_cache.h"
#include "solver/playback/interrupted.h"
#include "solver/simulation/simulation.h"

namespace dashpot {

struct PlaybackSettings {
  int start_frame = 1;
  double fps = 24.0;
  bool cache_enabled = true;
  std::size_t cache_bytes = 0;
  bool auto_reset = true;  // start again when inputs or parameters were edited
};

// What the frame logic asks of its host. Everything may throw InputError or Interrupted.
class PlaybackHost {
 public:
  virtual ~PlaybackHost() = default;
  // Of all that the motion depends on and that does not change from frame to frame: the input at
  // the start frame, parameters. Called once per cook.
  virtual std::uint64_t identity() = 0;
  // What to simulate, at the start frame.
  virtual Scene scene() = 0;
  // The animated inputs that there are, such as targets and colliders, by numbers of the host's.
  virtual std::vector<int> animated_inputs() = 0;
  // Another number than before: the input may have been edited. The same one: it was not, at any
  // frame. To look at an input is expensive, to ask for this is not.
  virtual std::uint64_t version(int input) = 0;
  // The same at all frames; asked after a look at it.
  virtual bool is_still(int input) = 0;
  // Looks at an input at a frame: a hash of it.
  virtual std::uint64_t input_at(int input, int frame) = 0;
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
  // Frames that were simulated since the last start, those that were simulated again included.
  int simulated_frames() const { return simulated_frames_; }
  std::size_t bytes() const { return cache_.bytes(); }
  std::size_t cached_frames() const { return cache_.count(); }

 private:
  void forget_frames();
  void start(std::uint64_t identity, const PlaybackSettings& settings, PlaybackHost& host);
  // What was seen of an animated input.
  struct SeenInput {
    std::uint64_t version = 0;
    bool edited = false;                    // it is not what the frames were simulated with
    std::map<int, std::uint64_t> by_frame;  // that were simulated
  };

  ShownFrame try_cook(double frame, const PlaybackSettings& settings, PlaybackHost& host);
  // Whether animated inputs are what they were when the frames were simulated. Looks only at those
  // that may have been edited, first at the frame that is asked for.
  bool inputs_unchanged(int frame, PlaybackHost& host);
  static bool is_as_seen(int input, int frame, const SeenInput& seen, PlaybackHost& host);
  // nullptr if interrupted.
  FrameCache::Entry advance_to(int frame, PlaybackHost& host);
  // False if interrupted.
  bool step_to(int frame, double done, PlaybackHost& host);
  void go_to(int frame, const FrameCache::Entry& entry);
  void remember(const FrameReport& report);

  std::unique_ptr<Simulation> simulation_;
  // Of the last simulation, while there is none because its successor could not be made.
  std::shared_ptr<const PreparedMatrices> former_;
  std::uint64_t identity_ = 0;
  int start_frame_ = 0;
  double fps_ = 24.0;
  int current_ = 0;  // frame of simulation_
  int simulated_frames_ = 0;
  FrameCache cache_;
  FrameCache::Entry shown_entry_;
  int shown_frame_ = 0;
  std::map<int, SeenInput> inputs_;
};

}  // namespace dashpot
