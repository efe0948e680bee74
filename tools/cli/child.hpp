// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that a command starts and waits for, with all that it prints in a file.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fletcher::cli {

struct Launch {
  std::vector<std::string> words;
  std::filesystem::path output;                     ///< file for what it prints
  std::filesystem::path input = "/dev/null";        ///< file that it reads
  std::map<std::string, std::string> environment{}; ///< set for it, beside what this process has
  std::optional<std::chrono::seconds> limit{};      ///< then it is ended
  /// Between SIGTERM, at which a checked program reports what it found, and SIGKILL; 0: SIGKILL at once.
  std::chrono::seconds grace{0};
  /// Where there is one, the program and all that it starts are a group of processes of their own, and are ended when
  /// this becomes true. Else an interrupt of the terminal's ends the program, too.
  const std::atomic<bool>* interrupted = nullptr;
};

struct Ended {
  int status = 0; ///< exit status, or 128 and the signal
  bool timed_out = false;
  std::chrono::duration<double> time{};
};

/// Nothing: it could not be started.
std::optional<Ended> run_child(const Launch& launch);

} // namespace fletcher::cli
