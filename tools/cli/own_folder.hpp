// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A temporary folder of a command's own, removed at its end.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace fletcher::cli {

class OwnFolder {
public:
  /// `name` begins its name.
  explicit OwnFolder(const std::string& name) {
    std::string path = (std::filesystem::temp_directory_path() / (name + ".XXXXXX")).string();
    if (::mkdtemp(path.data()) != nullptr) path_ = path;
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  ~OwnFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  /// Empty: it could not be made.
  const std::filesystem::path& path() const noexcept { return path_; }

private:
  std::filesystem::path path_;
};

} // namespace fletcher::cli
