// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands in for the checker beneath the instrumentation's entry points: a thread state that finds nothing recorded, and
// a list of what the entry points passed on.
#pragma once

#include "checker/access/thread_state.hpp"
#include "checker/constructs/locks/atomic_order.hpp"

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace fletcher::test {

struct Access {
  Address address = 0;
  std::size_t size = 0;
  access::Kind kind = access::Kind::read;
  Address pc = 0;
  bool range = false; ///< by check_range
};

struct Recorder {
  std::vector<Access> accesses;
  std::atomic<bool> locks_taken{false}; ///< reported to prediction
  std::optional<StrandId> seen_writer;  ///< of any atomic variable; nothing: somebody has its lock
  std::vector<std::string> order;       ///< of atomics: "acquire", "release", in the order of the calls, and "access"
};

/// While it lives, the calling thread is checked; every access is recorded as if nothing had been accessed before.
class WatchedThread {
public:
  explicit WatchedThread(bool checking = true);
  ~WatchedThread();
  WatchedThread(const WatchedThread&) = delete;
  WatchedThread& operator=(const WatchedThread&) = delete;

  Recorder& recorder() noexcept { return recorder_; }
  access::ThreadState& state() noexcept { return state_; }
  /// The only access so far; fails the test where there is another number of them.
  Access only_access() const;

private:
  Recorder recorder_;
  access::ThreadState state_;
  std::uint64_t shadow_[3]{};
  access::Frame frames_[64]{};
};

} // namespace fletcher::test
