// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a command to its end or to a time limit, and keeps what it wrote.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace fletcher::programs {

struct Command {
  std::vector<std::string> arguments;
  std::vector<std::string> environment; ///< NAME=value, added to this process's environment

  /// As a person would type it.
  std::string text() const;
};

struct Outcome {
  int status = 0;         ///< exit status, or 128 + signal
  bool timed_out = false; ///< it was ended, with all processes that it started
  std::string output;
  std::string errors;
};

/// Runs `command` in `folder`. What decides about OpenMP tools and about the checker is taken out of the environment
/// first.
Outcome run(const Command& command, const std::filesystem::path& folder, std::chrono::seconds limit);

} // namespace fletcher::programs
