// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a strand begins and ends: ids are given only when an access, a join or a lock makes them matter, so that a task
// that touches nothing costs nothing in clocks and tables.
#pragma once

#include "checker/access/thread_state.hpp"
#include "checker/constructs/task.hpp"
#include "checker/order/happens_before.hpp"

namespace fletcher::constructs {

inline order::Position position(const Task& task) noexcept { return {task.known, task.chain}; }

/// Gives the running task an open strand. False when the id space is used up: checking of this thread stops.
bool open_strand(access::ThreadState& thread);
/// Gives `task`, which runs on `thread`, an id of its own chain that nothing has been recorded for yet: what a forward
/// or a join points to.
StrandId next_strand_of(access::ThreadState& thread, Task& task);
/// Ends the running strand: what follows is not what was released, or holds other locks.
inline void close_strand(access::ThreadState& thread) noexcept { thread.strand = StrandId::none; }
/// After this the next strand needs a new table entry (other locks, another worksharing construct).
inline void close_block(access::ThreadState& thread, Task& task) noexcept {
  thread.strand = StrandId::none;
  task.block_left = 0;
}
/// What whoever comes after the present point of `task`, which this thread runs or nobody, knows.
inline order::Knowledge released(Task& task) { return task.known.with(task.chain, task.last); }
/// The record that reports will read; made at the task's first strand.
order::RecordId record_of(access::ThreadState& thread, Task& task);

} // namespace fletcher::constructs
