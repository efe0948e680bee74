// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In which order the members of a team execute a loop for the first time. ThreadSanitizer reports a race only while it
// still knows how the earlier access came about, some 60,000 accesses long. Where the iterations of a long loop depend
// on their neighbours, the end of one member's part meets the beginning of the next one's: two threads that begin at
// the same time are never that near. So in a loop with a static schedule the members take turns. They leave it in the
// opposite order: what comes without a barrier is done by others than those whose data it uses. In other loops each
// member takes a chunk before one takes the next: a short one would be over before the second thread has woken up.
#pragma once

#include "checker/events.hpp"
#include "checker/memory/spin_lock.hpp"

#include <atomic>
#include <chrono>
#include <map>
#include <memory>

namespace fletcher::annotate {

/// A loop's first execution.
struct Execution {
  TeamId team = TeamId::none;
  unsigned number = 0;                            ///< among the team's loops: all members come to the same ones
  std::chrono::steady_clock::time_point until{};  ///< nobody waits any more
  std::atomic<std::uint32_t> through{0}, gone{0}; ///< members
  std::atomic<std::uint32_t> taken{0};            ///< chunks
};

/// An implicit task in the loops of its team.
struct Member {
  std::uint32_t index = 0, size = 0;
  unsigned loops = 0;                   ///< that it has come to
  std::uint32_t chunks = 0;             ///< that it may still wait before
  std::shared_ptr<Execution> execution; ///< that it is in
};

class Turns {
public:
  void on(const Work& work, Member& member) {
    if (member.size > 1) work.begin ? come(work, member) : leave(member);
  }

  /// Some member waits for chunks.
  bool count_chunks() const noexcept { return members_.load(std::memory_order_relaxed) != 0; }
  void take_chunk(Member& member);

private:
  void come(const Work& loop, Member& member);
  void leave(Member& member);
  std::shared_ptr<Execution> first_execution(const Work& loop, unsigned number);

  memory::SpinLock lock_;
  std::map<Address, std::shared_ptr<Execution>> executions_; ///< by where the loop's call goes on
  std::atomic<unsigned> members_{0};                         ///< in first executions
  std::atomic<std::int64_t> waited_{0};                      ///< nanoseconds
};

} // namespace fletcher::annotate
