// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What remains of a task until the horizon passes, in tables that are indexed by a number (order/strands.hpp). There is
// a record for each task, so it is kept small: what only some tasks have is apart.
#pragma once

#include "checker/events.hpp"
#include "checker/ids.hpp"

#include <atomic>
#include <cstdint>

namespace fletcher::order {

/// Index of a TaskRecord. 0 is none.
enum class RecordId : std::uint32_t { none = 0 };

/// What a task was found to do; the first three decide what counts as its thread's own.
enum class Trait : std::uint8_t {
  asked_thread_number = 1, ///< it called omp_get_thread_num(): may address per-thread data
  knows_thread = 2,        ///< it may know its thread by other means
  reduces = 4,             ///< it asked for its copy for a reduction
  parental = 8,            ///< it created tasks
};

/// For reports, and to tell what belongs to threads.
struct TaskRecord {
  RecordId parent;
  ContextId creation; ///< the construct that created it, in its creator's calling context
  TaskId id;
  std::uint16_t thread; ///< the low bits of the ThreadId, which tell living threads apart
  TaskKind kind : 5;
  bool taskloop : 1;  ///< of a taskloop construct
  bool of_league : 1; ///< the initial task of a team of a league; `index` is the team's number
  bool detailed : 1;  ///< it has TaskDetails
  std::atomic<std::uint8_t> traits;

  bool is_of(ThreadId by) const noexcept { return thread == static_cast<std::uint16_t>(by); }
  bool has(Trait trait) const noexcept {
    return (traits.load(std::memory_order_relaxed) & static_cast<std::uint8_t>(trait)) != 0;
  }
  void set(Trait trait) noexcept { traits.fetch_or(static_cast<std::uint8_t>(trait), std::memory_order_relaxed); }
};
static_assert(sizeof(TaskRecord) == 16);

struct TaskDetails {
  std::uint32_t first_dependence; ///< index in the table of dependences
  std::uint16_t dependences;
  std::uint16_t index; ///< of an implicit task
};
static_assert(sizeof(TaskDetails) == 8);

} // namespace fletcher::order
