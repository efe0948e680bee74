// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/constructs/strand.hpp"

namespace fletcher::constructs {

order::RecordId record_of(order::StrandTables& tables, Task& task) {
  if (task.record != order::RecordId::none) return task.record;
  const order::RecordId parent = task.parent != nullptr ? record_of(tables, *task.parent) : order::RecordId::none;
  task.record = tables.new_task({.parent = parent,
                                 .creation = task.creation,
                                 .id = task.id,
                                 .team = task.team != nullptr ? task.team->id : TeamId::none,
                                 .thread = task.thread,
                                 .first_dependence = 0,
                                 .dependences = 0,
                                 .index = static_cast<std::uint16_t>(task.index),
                                 .kind = task.kind,
                                 .asked_thread_number = {}});
  order::TaskRecord& record = tables.task(task.record);
  record.asked_thread_number.store(task.asked_thread_number, std::memory_order_relaxed);
  if (!task.declared.empty()) tables.log_dependences(record, task.declared);
  return task.record;
}

StrandId next_strand_of(access::ThreadState& thread, Task& task) {
  order::StrandTables& tables = *thread.tables;
  if (task.block_left > 0) {
    --task.block_left;
    task.last = StrandId{number(task.last) + 1};
    return task.last;
  }
  if (task.chain == ChainId::none) task.chain = tables.new_chain();
  const StrandId first = tables.new_block(
      {.chain = task.chain, .task = record_of(tables, task), .lockset = task.lockset, .work = task.work});
  if (first == StrandId::none || task.chain == ChainId::none) {
    thread.off += 1; // the ids are used up (StrandTables::used_up)
    return StrandId::none;
  }
  task.block_left = order::StrandTables::strands_per_block - 1;
  return task.last = first;
}

bool open_strand(access::ThreadState& thread) {
  thread.strand = next_strand_of(thread, *thread.task);
  thread.careful = access::ThreadState::careful_accesses;
  return thread.strand != StrandId::none;
}

} // namespace fletcher::constructs
