// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code whose accesses are not to be reported, in the format of clang's sanitizer special case lists (version 2), so
// that a file for -fsanitize-ignorelist serves without compiling again.
#pragma once

#include "reports/explanation/diagnostic.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fletcher::reports {

/// Lines `fun:glob` and `src:glob` before the first heading `[glob]`, or under one that matches "thread". Other kinds
/// and entries with a category (`=`) mean nothing here. # begins a comment line.
class IgnoreList {
public:
  /// `name` is for the error line only. Complexity: linear, with at most 1024 alternatives for each {…,…}.
  static Result<IgnoreList> parse(std::string_view text, const std::string& name);

  /// A race of which one access stands in a function or a file that the list names: the innermost frame counts.
  bool matches(const Diagnostic& diagnostic, const SourceText& sources) const;

private:
  struct Entry {
    bool source; ///< else a function
    std::vector<std::string> globs;
  };
  bool matches(const Frame& frame, const SourceText& sources) const;
  std::vector<Entry> entries_;
};

} // namespace fletcher::reports
