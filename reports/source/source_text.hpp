// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of source files, for excerpts and fingerprints, and names of files as a report shows them. Files are read once;
// an unreadable one has no lines.
#pragma once

#include "reports/symbols/symbols.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fletcher::reports {

class SourceText {
public:
  /// Relative names are looked up in `root`, and names below it are shown relative to it. Empty: the current directory.
  explicit SourceText(std::string root);

  /// A line without its newline; nothing where the file or the line is missing.
  std::optional<std::string_view> line(const std::string& file, std::uint32_t number);
  /// Stands for the file's text from now on.
  void put(const std::string& file, std::string_view text);
  /// The name to show: relative to the root if the file lies below it.
  std::string shown(const std::string& file) const;
  const std::string& root() const noexcept { return root_; }

private:
  const std::vector<std::string>& lines(const std::string& file);

  std::string root_; ///< absolute, without a slash at the end
  std::map<std::string, std::vector<std::string>> files_;
};

} // namespace fletcher::reports
