// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether data belongs to one thread: its static TLS block, and what tasks find by its number. Part of race_check.cpp,
// which asks where two strands are concurrent. Relies on the records of tasks (order/task_record.hpp).
#include "checker/access/race_check.hpp"
#include "checker/constructs/strand.hpp"
#include "checker/constructs/teams/team.hpp"

namespace fletcher::access {

namespace {
constexpr unsigned most_ancestors = 64; ///< that are looked at

/// The task that encountered the region in whose team the task is; none where that is too far away, or there is none.
order::RecordId encountered_by(const order::StrandTables& tables, order::RecordId task) noexcept {
  for (unsigned i = 0; i < most_ancestors && task != order::RecordId::none; ++i) {
    const order::TaskRecord& record = tables.task(task);
    if (record.kind == TaskKind::implicit) return record.parent;
    task = record.parent;
  }
  return order::RecordId::none;
}

/// One of the tasks around a region has one of these traits.
template <class... Traits>
bool any_around(const order::StrandTables& tables, order::RecordId encountering, Traits... traits) noexcept {
  unsigned left = most_ancestors;
  for (order::RecordId at = encountering; at != order::RecordId::none; at = tables.task(at).parent)
    if (const order::TaskRecord& record = tables.task(at); left-- == 0 || (record.has(traits) || ...)) return true;
  return false;
}

/// Besides the number in its team it may know what tells its thread: by other means, or from a task around the region.
bool knows_more(const order::StrandTables& tables, order::RecordId task, order::RecordId encountering) noexcept {
  return tables.task(task).has(order::Trait::knows_thread) ||
         any_around(tables, encountering, order::Trait::asked_thread_number, order::Trait::knows_thread);
}

/// Tasks of one thread that both asked for its number. In different teams it need not be the same number, and the same
/// number would be another thread's, too, had that encountered the region.
bool number_tells_thread(const order::StrandTables& tables, order::RecordId one, order::RecordId other) noexcept {
  if (one == other || one == order::RecordId::none) return true;
  const order::RecordId around_one = encountered_by(tables, one), around_other = encountered_by(tables, other);
  if (around_one == around_other || around_one == order::RecordId::none || around_other == order::RecordId::none)
    return true;
  return knows_more(tables, one, around_one) && knows_more(tables, other, around_other);
}

bool is_nested(const constructs::Task& task) noexcept {
  const constructs::Team* const team = task.team();
  return team != nullptr && team->encountering != nullptr && team->encountering->team() != nullptr;
}

/// Members of inner teams, of regions that one outer thread encountered in different tasks that asked for its number.
/// It executes one after the other, and memory that a task found by its number is for all of its region.
bool of_one_outer_thread(const order::StrandTables& tables, order::RecordId one, order::RecordId other) noexcept {
  for (unsigned i = 0; i < most_ancestors && one != order::RecordId::none; ++i) {
    const order::RecordId around_one = encountered_by(tables, one), around_other = encountered_by(tables, other);
    if (around_one == around_other || around_one == order::RecordId::none || around_other == order::RecordId::none)
      return false;
    if (tables.task(around_one).thread == tables.task(around_other).thread &&
        any_around(tables, around_one, order::Trait::asked_thread_number) &&
        any_around(tables, around_other, order::Trait::asked_thread_number))
      return true;
    one = around_one;
    other = around_other;
  }
  return false;
}
} // namespace

// Data that only one thread touches is never raced for, whatever its tasks: tied tasks do not change threads.
bool RaceCheck::per_thread_data(const ThreadState& thread, StrandId past, Address address) const {
  const constructs::Task& task = *thread.task;
  const bool in_tls = thread.in_tls(address), asked = task.now().asked_thread_number && !constructs::combines(task),
             nested = is_nested(task) && !constructs::combines(task);
  if (!in_tls && !asked && !nested) return false;
  const order::RecordId record = tables_.block_of(past).task, own = task.now().record.load(std::memory_order_relaxed);
  const order::TaskRecord& other = tables_.task(record);
  if (other.is_of(thread.id) &&
      (in_tls || (asked && other.has(order::Trait::asked_thread_number) && number_tells_thread(tables_, own, record))))
    return true;
  return nested && of_one_outer_thread(tables_, own, record);
}

} // namespace fletcher::access
