// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenMP's task scheduling constraint (5.1, section 2.12.6): a thread that waits in a tied task may start a tied task
// only if it descends from the one that waits. And whether a task can have begun before the wait.
#pragma once

#include "checker/constructs/execution.hpp"

namespace fletcher::rules {

/// What the task knows, its own past included.
inline order::Knowledge past_of(const constructs::Task& task) {
  order::Knowledge past = task.known();
  if (task.has_strands()) past.raise(task.chain(), task.last());
  return past;
}

/// The record of `task` among `record` and its ancestors; none where it is not among them. O(depth).
inline order::RecordId find_in_lineage(const order::StrandTables& tables, order::RecordId record, TaskId task) {
  while (record != order::RecordId::none && tables.task(record).id != task) record = tables.task(record).parent;
  return record;
}

/// What a thread has to start for something to be executed.
struct Startable {
  TaskId task = TaskId::none;                     ///< deferred; none where no thread starts it from a queue
  ChainId chain = ChainId::none;                  ///< of the task
  order::RecordId record = order::RecordId::none; ///< of the task or of an undeferred part of it
};

/// The constraint lets a thread that waits in `waiter` start it.
inline bool may_start(const order::StrandTables& tables, const Startable& what, TaskId waiter) {
  if (what.task == TaskId::none) return false;
  const order::RecordId started = find_in_lineage(tables, what.record, what.task);
  return started != order::RecordId::none &&
         find_in_lineage(tables, tables.task(started).parent, waiter) != order::RecordId::none;
}

/// Who has this past may know that it had begun elsewhere: more is known of its chain than its creation tells.
inline bool may_have_begun(const Startable& what, const order::Knowledge& past) {
  return what.chain != ChainId::none && past.get(what.chain) != StrandId::none;
}

} // namespace fletcher::rules
