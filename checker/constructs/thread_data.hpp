// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the execution keeps for each thread, besides what accesses need.
#pragma once

#include "checker/access/thread_state.hpp"
#include "checker/constructs/locks/lone_locks.hpp"
#include "checker/constructs/tasks/task_memory.hpp"
#include "checker/constructs/tasks/task_table.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

namespace fletcher::constructs {

struct Team;

/// The member of a team of one that has not been set apart from the task that encountered the region (lone_teams.cpp).
struct LoneMember {
  Team* team = nullptr;
  TaskId id = TaskId::none;
  access::Frame* base = nullptr; ///< its first frame on the call stack
};

struct ThreadData final : access::ThreadState {
  memory::ReservedArray<access::Frame> frames;
  TaskMemory::Slots slots;
  TaskTable::Tally tally;
  // Counted per thread, by that thread: a shared counter would be the most contended word of a task program.
  std::atomic<std::int64_t> created{0}, completed{0};
  // Taken from strands_for_rules_, since which horizon; and how often it has not to ask for more.
  std::uint32_t rule_strands = 0, rule_generation = 0, rule_refusals = 0;
  std::uint32_t pasts = 0;  ///< the last number of a past that it gave; it takes them in ranges
  std::uint64_t let_go = 0; ///< the key of a lock whose release was reported before; the runtime reports it once more
  /// The carrier of the lock that it took last, which may be gone: it is only brought near.
  std::uint64_t last_key = 0;
  const void* last_carrier = nullptr;
  LoneLocks::Latest past_of_locks;
  bool idle = true;             ///< its part of ThreadState::off
  std::vector<LoneMember> lone; ///< the innermost last
  Task* member = nullptr; ///< a worker's implicit task, referenced: its region may be over before the worker wakes
};

/// All threads have been made as such.
inline ThreadData& data(access::ThreadState& thread) noexcept { return static_cast<ThreadData&>(thread); }
/// By the one thread that does.
inline void count(std::atomic<std::int64_t>& own) noexcept {
  own.store(own.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

} // namespace fletcher::constructs
