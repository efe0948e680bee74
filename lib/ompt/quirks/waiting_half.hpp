// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The taskwait with depend, or the waiting half of an undeferred task with depend, that a thread is in: what its
// callbacks have to know of each other. The runtime's data for it stays empty (quirks::is_waiting_half).
#pragma once

#include "checker/events.hpp"

#include <omp-tools.h>

#include <array>
#include <span>
#include <utility>

namespace fletcher::ompt {

struct WaitingHalf {
  const ompt_data_t* data = nullptr;
  Address pc = 0;
  /// Of the waits that the thread is in, each in a task that it executes in the one before: the task that a taskwait
  /// with nowait is, none for others. As far as there is room.
  std::array<TaskId, 8> tasks{};
  std::uint32_t depth = 0;

  void begin(TaskId nowait) noexcept {
    if (depth < tasks.size()) tasks[depth] = nowait;
    ++depth;
  }
  /// An undeferred task of `creator` that follows excludes others by these items. As far as there is room.
  void exclude(TaskId creator, std::span<const Dependence> list) noexcept {
    excluder_ = creator;
    exclusions_ = 0;
    for (const Dependence& item : list)
      if (item.type == DependenceType::mutexinoutset && exclusions_ < items_.size()) items_[exclusions_++] = item;
  }
  std::span<const Dependence> take_exclusions(TaskId creator) noexcept {
    return {items_.data(), creator == excluder_ ? std::exchange(exclusions_, 0) : 0};
  }
  TaskId end() noexcept {
    if (depth == 0 || --depth >= tasks.size()) return TaskId::none;
    return std::exchange(tasks[depth], TaskId::none);
  }

private:
  std::array<Dependence, 4> items_{};
  std::size_t exclusions_ = 0;
  TaskId excluder_ = TaskId::none;
};
[[gnu::tls_model("initial-exec")]] inline constinit thread_local WaitingHalf waiting_half{};

} // namespace fletcher::ompt
