#pragma once

#include <memory>
#include <string>
#include <vector>

#include "standalone/cli/frame_pattern.h"
#include "standalone/files/file_lock.h"
#include "standalone/files/input_files.h"

namespace dashpot {

// The files that a run writes, and the right to write them: as long as this exists, no other run
// gets the folder.
class RunFolder {
 public:
  // `out` is the frame pattern; frames from `first` to `last` are going to be written. Throws
  // InputError, before anything is written, if one of the files is read by the scene or is another
  // one of them; and BusyError if another run has the folder. Then makes the folder and removes
  // what runs that were killed left half written.
  RunFolder(const std::string& out, std::string stats, int first, int last,
            const InputFiles& inputs);

  const FramePattern& frames() const { return frames_; }
  std::string directory() const { return frames_.directory(); }
  const std::string& stats() const { return stats_; }
  std::string manifest() const;
  // Of the last frame up to which all are done.
  std::string checkpoint() const;
  // Of earlier frames that are simulated again.
  std::string repair_checkpoint() const;
  // Those of an earlier run must not be taken for ones of the next.
  void forget_checkpoints() const;

 private:
  std::string lock_path() const;
  // All that the folder may hold besides frames.
  std::vector<std::string> single_files() const;
  void refuse_overwrites(int first, int last, const InputFiles& inputs) const;
  void refuse_stats_among_others() const;
  void make_directory() const;
  void take_lock();
  void remove_leftovers(const InputFiles& inputs) const;

  FramePattern frames_;
  std::string stats_;
  std::unique_ptr<FileLock> lock_;
};

}  // namespace dashpot
