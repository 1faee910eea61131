#include "standalone/geometry/container.h"

#include "solver/base/error.h"
#include "standalone/geometry/ascii_json.h"
#include "standalone/geometry/binary_tokens.h"
#include "standalone/geometry/gzip.h"
#include "standalone/geometry/scf.h"

namespace dashpot {
namespace {

bool starts_with(std::string_view bytes, std::string_view magic) {
  return bytes.substr(0, magic.size()) == magic;
}

bool ends_with(std::string_view name, std::string_view end) {
  return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
}

[[noreturn]] void refuse(const std::string& bytes) {
  if (starts_with(bytes, "PGEOMETRY") || starts_with(bytes, "Bgeo"))
    throw InputError(
        "this is the classic geometry format of Houdini 11 and before, which is not supported; "
        "load it in Houdini 12 or later and save it again");
  if (starts_with(bytes, "version https://git-lfs"))
    throw InputError(
        "this is a Git LFS pointer, not the geometry itself; run 'git lfs pull' to get the file");
  if (starts_with(bytes,
                  "\x7f"
                  "bJSN"))
    throw InputError(
        "this binary geometry was written on a big-endian machine, which is not supported; load "
        "it in Houdini and save it again");
  if (starts_with(bytes, "\x1f\x8b") || starts_with(bytes, kScfMagic))
    throw InputError("this file is compressed more than once; unpack it first");
  if (starts_with(bytes, std::string_view(" BDV\0\0\0\0", 8)))
    throw InputError("this is an OpenVDB volume, which holds no tets; give a geometry file");
  if (bytes.empty()) throw InputError("this file is empty; write it again");
  throw InputError(
      "this is no Houdini geometry (neither text, binary, .sc nor .gz); check which file it is");
}

}  // namespace

std::optional<FileForm> known_form(const std::filesystem::path& path) {
  std::string name = path.filename().string();
  FileForm form;
  if (ends_with(name, ".sc")) form.compression = Compression::kScf;
  if (ends_with(name, ".gz")) form.compression = Compression::kGzip;
  if (form.compression != Compression::kNone) name.resize(name.size() - 3);
  form.binary = ends_with(name, ".bgeo");
  if (!form.binary && !ends_with(name, ".geo")) return std::nullopt;
  return form;
}

FileForm form_for(const std::filesystem::path& path) {
  if (const auto form = known_form(path)) return *form;
  throw InputError(path.string() +
                   ": cannot tell the geometry format from this name; end it in .geo, .bgeo, "
                   ".bgeo.sc or .bgeo.gz");
}

OpenedFile open_container(std::string bytes) {
  FileForm form;
  if (starts_with(bytes, "\x1f\x8b")) {
    form.compression = Compression::kGzip;
    bytes = unpack_gzip(bytes);
  }
  if (starts_with(bytes, kScfMagic)) {
    if (form.compression == Compression::kNone) form.compression = Compression::kScf;
    bytes = unpack_scf(bytes);
  }
  const std::size_t size = bytes.size();
  if (starts_with(bytes, binary_token::kMagic)) return {read_binary_json(bytes), form, size};
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || bytes[first] != '[') refuse(bytes);
  form.binary = false;
  return {read_ascii_json(bytes), form, size};
}

std::string pack(std::string payload, Compression compression) {
  if (compression == Compression::kScf) return pack_scf(payload);
  if (compression == Compression::kGzip) return pack_gzip(payload);
  return payload;
}

}  // namespace dashpot
