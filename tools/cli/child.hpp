// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that a command starts and waits for, with all that it prints in a file.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fletcher::cli {

struct Ended {
  int status = 0; ///< exit status, or 128 and the signal
  bool timed_out = false;
  std::chrono::duration<double> time{};
};

/// Kills the program when the time is over. It stays in the terminal's group of processes, so that an interrupt ends
/// it, too. Nothing: it could not be started.
std::optional<Ended> run_child(const std::vector<std::string>& words, const std::filesystem::path& output,
                               std::optional<std::chrono::seconds> limit = std::nullopt);

} // namespace fletcher::cli
