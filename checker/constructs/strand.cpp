// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/constructs/strand.hpp"

namespace fletcher::constructs {

order::RecordId record_of(access::ThreadState& thread, Task& task) {
  if (const order::RecordId known = task.record.load(std::memory_order_acquire); known != order::RecordId::none)
    return known;
  order::StrandTables& tables = *thread.tables;
  const order::RecordId parent = task.parent != nullptr ? record_of(thread, *task.parent) : order::RecordId::none;
  const order::RecordId made =
      tables.new_task(thread.indices, {.parent = parent,
                                       .creation = task.creation,
                                       .id = task.id,
                                       .team = task.team != nullptr ? task.team->id : TeamId::none,
                                       .thread = task.thread,
                                       .first_dependence = 0,
                                       .dependences = 0,
                                       .index = task.index,
                                       .kind = task.kind,
                                       .asked_thread_number = {},
                                       .knows_thread = {}});
  order::TaskRecord& record = tables.task(made);
  if (!task.declared.empty()) tables.log_dependences(record, task.declared);
  // Children on two threads may need their parent's record at the same moment.
  order::RecordId first = order::RecordId::none;
  if (!task.record.compare_exchange_strong(first, made)) return first;
  if (task.asked_thread_number.load()) record.asked_thread_number.store(true, std::memory_order_relaxed);
  if (task.knows_thread.load()) record.knows_thread.store(true, std::memory_order_relaxed);
  return made;
}

StrandId next_strand_of(access::ThreadState& thread, Task& task) {
  order::StrandTables& tables = *thread.tables;
  if (task.block_left > 0) {
    --task.block_left;
    task.last = StrandId{number(task.last) + 1};
    return task.last;
  }
  if (task.chain == ChainId::none) task.chain = tables.new_chain(thread.indices);
  const StrandId first = tables.new_block(
      thread.indices,
      {.chain = task.chain, .task = record_of(thread, task), .lockset = task.lockset, .work = task.work}, task.last);
  if (first == StrandId::none || task.chain == ChainId::none) {
    thread.off += 1; // the ids are used up (StrandTables::used_up)
    return StrandId::none;
  }
  task.block_left = order::StrandTables::strands_per_block - 1;
  return task.last = first;
}

void identify(access::ThreadState& thread) noexcept {
  Task* const task = thread.task;
  if (task == nullptr || task->knows_thread) return;
  task->knows_thread = true;
  if (task->record != order::RecordId::none)
    thread.tables->task(task->record).knows_thread.store(true, std::memory_order_relaxed);
}

bool open_strand(access::ThreadState& thread) {
  thread.strand = next_strand_of(thread, *thread.task);
  ++thread.strands;
  thread.careful = access::ThreadState::careful_accesses;
  return thread.strand != StrandId::none;
}

} // namespace fletcher::constructs
