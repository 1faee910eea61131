#include "standalone/cli/checkpoint.h"

#include <cstring>
#include <filesystem>
#include <sstream>

#include "solver/base/error.h"
#include "standalone/files/atomic_file.h"
#include "standalone/files/read_file.h"

namespace dashpot {
namespace {

struct Header {
  char magic[8] = {'D', 'A', 'S', 'H', 'P', 'O', 'T', 'C'};
  std::uint32_t version = 1;
  std::int32_t frame = 0;
  std::uint64_t run = 0;
};
static_assert(sizeof(Header) == 24, "the header is written as it is in memory");

}  // namespace

void write_checkpoint(const std::string& path, std::uint64_t run, int frame, const State& state) {
  Header header;
  header.frame = frame;
  header.run = run;
  std::ostringstream out;
  out.write(reinterpret_cast<const char*>(&header), sizeof(header));
  state.save(out);
  write_file_atomically(path, out.str());
}

std::optional<Checkpoint> read_checkpoint(const std::string& path, std::uint64_t run) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  std::istringstream in(read_file(path));
  Header header;
  const Header expected;
  in.read(reinterpret_cast<char*>(&header), sizeof(header));
  if (!in || std::memcmp(header.magic, expected.magic, sizeof(header.magic)) != 0 ||
      header.version != expected.version)
    throw InputError("'" + path +
                     "' is not a checkpoint of this version of dashpot; delete it, or run without "
                     "--resume.");
  if (header.run != run)
    throw InputError("'" + path +
                     "' was made by another scene or other parameters; resume with the same ones, "
                     "or run without --resume.");
  try {
    return Checkpoint{header.frame, State::load(in)};
  } catch (const InputError& error) {
    throw InputError("'" + path + "' is damaged (" + error.what() +
                     "); delete it, or run without --resume.");
  }
}

}  // namespace dashpot
