// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a test program says about itself in its comments: how it is built and run, and which findings belong to which
// lines. The notation is described in ../README.md.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fletcher::programs {

/// A race that must be found, between any line of one end and any line of the other. Of a pair, each end is one line
/// (the same, if a line races with itself); of a group, both ends are all its lines.
struct ExpectedRace {
  enum class Form { pair, sides, group };
  std::string name;
  Form form = Form::pair;
  std::vector<unsigned> first, second;
};

/// A finding that must name one of these lines.
struct ExpectedFinding {
  std::string rule;
  std::string name; ///< of the marks that belong together; empty if it is one mark
  std::vector<unsigned> lines;
};

struct Expectation {
  std::filesystem::path file;
  std::vector<unsigned> threads{1, 2, 8};
  std::vector<std::string> compilers{"clang", "gcc"};
  std::vector<std::string> flags;
  std::vector<std::string> environment;     ///< NAME=value
  std::vector<std::filesystem::path> needs; ///< files without which it is not built
  bool needs_driver = false;                ///< what stock clang makes of it for ThreadSanitizer tells less
  bool always_stock = false;                ///< that is what it is for
  bool graph_level = false;                 ///< also run without instrumentation, where only rules can be found
  bool silent = false;

  std::vector<ExpectedRace> races;
  std::map<std::string, std::set<unsigned>> allowed_races; ///< by group: lines that may race among themselves
  std::vector<ExpectedFinding> findings;
  std::vector<std::pair<std::string, unsigned>> allowed_findings; ///< rule and line: may be found
  std::vector<std::pair<std::string, unsigned>> names;            ///< that findings at the line have to say
  std::vector<std::string> mistakes;                              ///< of the annotation itself

  bool expects_findings() const { return !races.empty() || !findings.empty(); }
};

/// Reads the annotations of `text`, the contents of `file`.
Expectation read_expectation(const std::filesystem::path& file, std::string_view text);
Expectation read_expectation(const std::filesystem::path& file);

/// Only what the comment at the top of `file` says: how it is built and run.
Expectation read_directives(const std::filesystem::path& file);

} // namespace fletcher::programs
