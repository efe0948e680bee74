// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where ids come from: never reused within a process. Tasks are numbered in blocks that a thread takes for itself, so
// that creating a task touches no shared line.
#pragma once

#include "checker/constructs/tasks/task_table.hpp"
#include "checker/ids.hpp"

#include <atomic>

namespace fletcher::tool {

namespace serials {
inline constinit std::atomic<std::uint32_t> threads{0}, teams{0}, task_blocks{0};
inline constexpr std::uint32_t block = constructs::TaskTable::group;
struct Block {
  std::uint32_t next = 0, end = 0;
};
[[gnu::tls_model("initial-exec")]] inline constinit thread_local Block here{};
} // namespace serials

inline ThreadId next_thread_id() noexcept {
  return ThreadId{serials::threads.fetch_add(1, std::memory_order_relaxed) + 1};
}
inline TeamId next_team_id() noexcept { return TeamId{serials::teams.fetch_add(1, std::memory_order_relaxed) + 1}; }
inline TaskId next_task_id() noexcept {
  serials::Block& here = serials::here;
  if (here.next == here.end) [[unlikely]] {
    here.next = serials::task_blocks.fetch_add(1, std::memory_order_relaxed) * serials::block;
    here.end = here.next + serials::block;
    if (here.next == 0) here.next = 1; // 0 is no task
  }
  return TaskId{here.next++};
}

} // namespace fletcher::tool
