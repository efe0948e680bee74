// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of source files, for excerpts and fingerprints, and names of files as a report shows them. Files are read once;
// an unreadable one has no lines.
#pragma once

#include "reports/symbols.hpp"

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
  /// The name to show: relative to the root if the file lies below it.
  std::string shown(const std::string& file) const;
  const std::string& root() const noexcept { return root_; }

private:
  const std::vector<std::string>& lines(const std::string& file);

  std::string root_; ///< absolute, without a slash at the end
  std::map<std::string, std::vector<std::string>> files_;
};

enum class SourceForm : std::uint8_t { c, fortran, fixed_fortran };
/// By the name's ending, as compilers do.
SourceForm source_form(const std::string& file);
/// The line of the construct that a compiler says is at the place. GCC gives constructs without a function of their own
/// the line of the statement before: then nothing but the ends of blocks may stand in between. Nothing: it is not sure.
std::optional<std::uint32_t> line_of_construct(const SourcePlace& place, SourceText& sources);
/// The line of the construct whose body begins at the place: the same one, or above it and nothing but the beginnings
/// of blocks in between.
std::optional<std::uint32_t> line_of_construct_around(const SourcePlace& body, SourceText& sources);
/// Fortran needs another sentinel than C: "!$omp taskwait", "#pragma omp taskwait".
std::string directive(const std::string& file, std::string_view text);

} // namespace fletcher::reports
