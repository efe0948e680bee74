// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages that a task found by a probe and receives by a call of its own: another thread may receive them in between.
// Which messages and receives may match each other, and which probes were meant for a receive at all: others only look
// whether something has come.
#pragma once

#include "checker/finding.hpp"
#include "checker/memory/spin_lock.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace fletcher {

struct MpiMessage {
  static constexpr int any = -1;
  std::uint32_t communicator = 0; ///< its number
  int source = any, tag = any;

  bool may_be(const MpiMessage& other) const noexcept {
    const auto equal = [](int a, int b) { return a == any || b == any || a == b; };
    return communicator == other.communicator && equal(source, other.source) && equal(tag, other.tag);
  }
  friend bool operator==(const MpiMessage&, const MpiMessage&) = default;
};

namespace rules {

/// Thread-safe.
class ProbedMessages {
public:
  /// A probe, and a receive of another task that may have got its message.
  struct Stolen {
    Address probe = 0, receive = 0; ///< where the calls are
    Finding finding;
  };

  /// Numbers, from 0 on, of all that has been probed for or received and may be this, itself included.
  std::vector<std::uint32_t> alike(const MpiMessage& message);
  /// The number of this one, if it names both its source and its tag and is among those.
  std::optional<std::uint32_t> number_of(const MpiMessage& message);
  /// A task looked for such a message as is `sought`, and has found `message`.
  void found(TaskId task, Address probe, const MpiMessage& sought, const MpiMessage& message);
  /// The task receives such a message: what its probe might have found as well, if there was one, and what was kept of
  /// it, as it was meant for this.
  struct Received {
    MpiMessage sought;
    std::vector<Stolen> stolen;
  };
  Received received(TaskId task, const MpiMessage& message);
  /// False: nobody has received yet what this probe finds. Then `stolen` is kept, until someone does.
  bool matters(Stolen stolen);

private:
  struct Probe {
    Address at;
    MpiMessage sought, message;
  };
  // Programs that do more are not followed further.
  static constexpr std::size_t most_alike = 256, most_tasks = 4096, most_kept = 64;

  memory::SpinLock lock_;
  std::vector<MpiMessage> known_;
  std::unordered_map<std::uint32_t, std::vector<Probe>> open_; ///< by task
  std::unordered_set<Address> meant_;                          ///< probes that were followed by a receive
  std::vector<Stolen> kept_;
};

} // namespace rules
} // namespace fletcher
