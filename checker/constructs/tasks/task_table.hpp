// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a task's serial number, as events have it, to the task. Serials are never used again, so the table grows with
// them and gives back the pages of serials whose tasks are all over: 4 bytes for each. Relies on memory/arena.hpp.
#pragma once

#include "checker/ids.hpp"
#include "checker/memory/arena.hpp"

#include <atomic>

namespace fletcher::constructs {

struct Task;

/// find(): thread-safe, O(1). A thread takes its serials in growing order, in blocks of `group` that it shares with no
/// other thread (or no page of a shared block is given back while others still take from it).
class TaskTable {
public:
  static constexpr std::uint32_t group = 4096;

  /// The tasks live in `arena`.
  explicit TaskTable(const memory::Arena& arena)
      : base_(arena.base()), tasks_(std::size_t{1} << 32), states_((std::size_t{1} << 32) / group) {}
  explicit operator bool() const noexcept { return static_cast<bool>(tasks_) && static_cast<bool>(states_); }

  Task* find(TaskId id) const noexcept {
    return memory::Arena::at<Task>(base_, tasks_[number(id)].load(std::memory_order_acquire));
  }

  /// What one thread has entered and removed and not yet made known to the others.
  class Tally {
    friend class TaskTable;
    std::uint32_t entering = none, entered = 0;
    std::uint32_t removing = none, removed = 0;
    static constexpr std::uint32_t none = ~0u;
  };

  void enter(Tally& tally, TaskId id, Task* task) noexcept {
    if (const std::uint32_t g = number(id) / group; g != tally.entering) [[unlikely]]
      enter_group(tally, g);
    ++tally.entered;
    tasks_[number(id)].store(memory::Arena::offset_of(task), std::memory_order_release);
  }
  void remove(Tally& tally, TaskId id) noexcept {
    tasks_[number(id)].store(0, std::memory_order_release);
    if (const std::uint32_t g = number(id) / group; g != tally.removing) [[unlikely]]
      remove_from_group(tally, g);
    ++tally.removed;
  }

  /// Every task. Only while none is entered or removed. O(groups so far), and that of a group that has tasks.
  template <class F> void each(F f) const {
    for (std::uint32_t g = 0, end = groups_.load(std::memory_order_acquire); g < end; ++g) {
      if (states_[g].load(std::memory_order_acquire) == 0) continue;
      for (std::size_t i = std::size_t{g} * group; i < (std::size_t{g} + 1) * group; ++i)
        if (const std::uint32_t at = tasks_[i].load(std::memory_order_acquire)) f(*memory::Arena::at<Task>(base_, at));
    }
  }

private:
  // A group's state: its tasks that are not removed, plus this for each thread that still enters tasks.
  static constexpr std::int64_t taker = std::int64_t{1} << 32;
  [[gnu::noinline]] void enter_group(Tally& tally, std::uint32_t g) noexcept {
    if (tally.entering != Tally::none) settle(tally.entering, std::int64_t{tally.entered} - taker);
    tally.entering = g;
    tally.entered = 0;
    settle(g, taker);
    for (std::uint32_t known = groups_.load(std::memory_order_relaxed);
         known <= g && !groups_.compare_exchange_weak(known, g + 1, std::memory_order_acq_rel);) {
    }
  }
  [[gnu::noinline]] void remove_from_group(Tally& tally, std::uint32_t g) noexcept {
    if (tally.removing != Tally::none) settle(tally.removing, -std::int64_t{tally.removed});
    tally.removing = g;
    tally.removed = 0;
  }
  void settle(std::uint32_t g, std::int64_t change) noexcept {
    if (states_[g].fetch_add(change, std::memory_order_acq_rel) + change == 0)
      tasks_.discard(std::size_t{g} * group, (std::size_t{g} + 1) * group);
  }

  const std::byte* base_;
  memory::ReservedArray<std::atomic<std::uint32_t>> tasks_;
  memory::ReservedArray<std::atomic<std::int64_t>> states_;
  std::atomic<std::uint32_t> groups_{0}; ///< one more than the last that was in use
};

} // namespace fletcher::constructs
