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

/// A race that must be found. Pair: between two lines (or one line and itself). Group: between any of its lines.
struct ExpectedRace {
  std::string name;
  bool group = false;
  std::vector<unsigned> lines; ///< of a pair: exactly two, equal if a line races with itself
};

struct Expectation {
  std::filesystem::path file;
  std::vector<unsigned> threads{1, 2, 8};
  std::vector<std::string> compilers{"clang", "gcc"};
  std::vector<std::string> flags;
  std::vector<std::string> environment; ///< NAME=value
  bool graph_level = false;             ///< also run without instrumentation, where only rules can be found
  bool silent = false;

  std::vector<ExpectedRace> races;
  std::map<std::string, std::set<unsigned>> allowed_races;        ///< by group: lines that may race among themselves
  std::vector<std::pair<std::string, unsigned>> findings;         ///< rule and line: must be found
  std::vector<std::pair<std::string, unsigned>> allowed_findings; ///< rule and line: may be found
  std::vector<std::string> mistakes;                              ///< of the annotation itself

  bool expects_findings() const { return !races.empty() || !findings.empty(); }
};

/// Reads the annotations of `text`, the contents of `file`.
Expectation read_expectation(const std::filesystem::path& file, std::string_view text);
Expectation read_expectation(const std::filesystem::path& file);

} // namespace fletcher::programs
