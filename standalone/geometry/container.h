#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "standalone/geometry/binary_json.h"

namespace dashpot {

enum class Compression { kNone, kScf, kGzip };

// How a geometry file is spelled and packed.
struct FileForm {
  bool binary = true;
  Compression compression = Compression::kNone;
};

// By name: .geo and .bgeo, each also with .sc or .gz behind. Nothing for other names.
std::optional<FileForm> known_form(const std::filesystem::path& path);
// As known_form(); throws InputError for other names.
FileForm form_for(const std::filesystem::path& path);

struct OpenedFile {
  ParsedJson json;
  FileForm form;
  std::size_t payload_bytes;  // before parsing, after unpacking
};

// Recognises the file by its first bytes, never by its name; takes them, to free what it has
// unpacked. Throws InputError, saying what the file is if it is something else that is known.
OpenedFile open_container(std::string bytes);

// Gives the payload its wrapping.
std::string pack(std::string payload, Compression compression);

}  // namespace dashpot
