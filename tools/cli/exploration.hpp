// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program in one way after the other (variation.hpp) until nothing new is found for some runs, and puts together
// what they found.
#pragma once

#include "reports/render.hpp"
#include "tools/cli/child.hpp"
#include "tools/cli/variation.hpp"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fletcher::cli {

struct ExplorationOptions {
  std::vector<std::string> command; ///< the program, with its arguments
  std::string options;              ///< for FLETCHER_OPTIONS
  Ranges ranges;
  std::size_t most_runs = 0;
  std::size_t patience = 0;                  ///< runs without anything new
  std::chrono::seconds time{0};              ///< after which no run begins
  std::optional<std::chrono::seconds> limit; ///< of each run; nothing: by how long the first one took
  std::filesystem::path folder;              ///< for documents, and for what the program prints
  const std::atomic<bool>* interrupted = nullptr;
};

/// Runs that ended in the same way, other than the first one.
struct OtherEnd {
  int status = 0;
  bool timed_out = false;
  std::size_t runs = 0;
  std::string command; ///< of the first of them
};

class Exploration {
public:
  enum class Stop { nothing_new, runs, time, interrupted, nothing_checked };

  Exploration(ExplorationOptions options, reports::Accumulation& found) : options_(std::move(options)), found_(found) {}

  /// A line about what goes on is shown on a terminal.
  Stop explore();

  std::size_t runs() const noexcept { return runs_; }
  int first_status() const noexcept { return first_.status; }
  const std::vector<OtherEnd>& other_ends() const noexcept { return ends_; }
  /// Where the program's output of the run is.
  std::filesystem::path output(std::size_t run) const { return folder(run) / "output"; }

private:
  std::filesystem::path folder(std::size_t run) const { return options_.folder / std::to_string(run + 1); }
  /// The run that has `variation`. Nothing: it could not be started.
  std::optional<Ended> run(const Variation& variation) const;
  std::string shown_command(const Variation& variation) const;
  struct Learned {
    bool fresh = false;    ///< something that no earlier run found
    bool deadlock = false; ///< by which a checked program ends with a status of its own
  };
  /// From the run's documents. Nothing: there is none.
  std::optional<Learned> learn(const std::string& command);
  void remember(const Ended& ended, const std::string& command);
  void show(const Variation& variation) const;

  ExplorationOptions options_;
  reports::Accumulation& found_;
  std::set<std::string> known_; ///< fingerprints
  std::size_t runs_ = 0, without_news_ = 0, documents_ = 0;
  Ended first_;
  std::vector<OtherEnd> ends_;
};

} // namespace fletcher::cli
