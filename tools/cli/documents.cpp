// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cli/documents.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

namespace fletcher::cli {

namespace fs = std::filesystem;

std::vector<std::string> documents_in(const std::vector<std::string>& paths) {
  std::vector<std::string> out;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path)) {
      out.push_back(path);
      continue;
    }
    const std::size_t before = out.size();
    for (const auto& entry : fs::directory_iterator(path))
      if (entry.is_regular_file() && entry.path().extension() == ".json") out.push_back(entry.path().string());
    if (out.size() == before) throw std::runtime_error("no process left a document in the folder '" + path + "'");
    std::sort(out.begin() + static_cast<std::ptrdiff_t>(before), out.end());
  }
  return out;
}

} // namespace fletcher::cli
