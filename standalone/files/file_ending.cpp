#include "standalone/files/file_ending.h"

#include <algorithm>
#include <cctype>

#include "solver/base/error.h"

namespace dashpot {

std::string extension_of(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

void require_ending(const std::filesystem::path& path, const std::vector<std::string>& endings,
                    const std::string& option) {
  if (std::find(endings.begin(), endings.end(), extension_of(path)) != endings.end()) return;
  std::string list;
  for (std::size_t i = 0; i < endings.size(); ++i)
    list += (i == 0 ? "" : i + 1 < endings.size() ? ", " : " or ") + endings[i];
  throw InputError(option + " " + path.string() +
                   ": such a file cannot be written; end the name in " + list + ".");
}

}  // namespace dashpot
