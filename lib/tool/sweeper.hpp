// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory follows what lives: when enough tasks have ended, stops the events for a moment and has the checker look for
// what nobody will ask about any more (Checker::sweep). For the watcher, whose thread does it.
#pragma once

#include "lib/tool/process/kernel_threads.hpp"

#include <cstdint>
#include <vector>

namespace fletcher::tool {

class Session;

class Sweeper {
public:
  explicit Sweeper(Session& the) : the_(the) {}

  /// To be called from time to time, and when the checker says that it may be worth it. After so many milliseconds it
  /// is to be called again at the latest.
  std::int64_t look();

private:
  /// A thread as it was at the last sweep.
  struct Seen {
    std::uint64_t count = 0; ///< of its slot of the gate
    pid_t thread = 0;
    kernel::Progress progress;
  };
  bool all_moved_on() const;
  void remember();

  Session& the_;
  std::vector<Seen> seen_;
  bool first_done_ = false;      ///< of two sweeps
  std::int64_t not_before_ = 0;  ///< microseconds
  std::int64_t soon_ = 0;        ///< the same, where it is urgent
  std::int64_t stood_still_ = 0; ///< microseconds, for these sweeps
  std::int64_t pause_ = 1;       ///< milliseconds until the next look
  std::int64_t patience_ = 10;   ///< milliseconds, with threads that are in the tool's code while others wait
};

} // namespace fletcher::tool
