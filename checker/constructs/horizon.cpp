// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The horizon: a moment at which all that was recorded comes before all that is to come, so that ids and tables begin
// anew. Tried at waits and at the end of barriers, where one task is all that is left.
#include "checker/constructs/execution.hpp"

namespace fletcher::constructs {

void Execution::restart_ids() noexcept {
  if (!tables_.nearly_exhausted() || races_ == nullptr) return;
  races_->shadow().clear_all();
  tables_.restart_strands();
}

void Execution::pass_horizon(access::ThreadState& thread, Task& task) {
  restart_ids();
  const StrandId horizon = tables_.next_strand();
  horizon_.store(number(horizon), std::memory_order_release);
  generation_.fetch_add(1, std::memory_order_acq_rel);
  tables_.pass_horizon(horizon);
  forget_carriers();
  forget_given(thread, task);
  give_back_tasks();
  if (races_ != nullptr) races_->at_horizon();
  Activation& now = task.now();
  now.known.clear();
  now.chain = ChainId::none;
  now.last = StrandId::none;
  now.block_left = 0;
  now.spawned = false;
  now.strand = StrandId::none;
  if (now.rare_ != nullptr) now.rare_->combined.clear();
  task.learned = false;
  if (thread.task == &task) thread.set_strand(StrandId::none);
  thread.horizon = horizon;
}

void Execution::reuse_tables(Team& team) {
  if (!tables_.worth_rewinding(team.mark)) return;
  for (Task* member : team.members) member->now().record.store(order::RecordId::none, std::memory_order_relaxed);
  tables_.rewind(team.mark);
}

// Only where nothing that ended is still concurrent with what comes, and nothing runs but `task`.
void Execution::try_horizon(access::ThreadState& thread, Task& task) {
  // The tasks of all threads are counted last: that reads what other threads write.
  Team* const team_of_task = task.team();
  if (team_of_task != nullptr ? task.kind != TaskKind::implicit || !team_of_task->alone : task.parent() != nullptr)
    return;
  const Activation& now = task.now();
  // In a unit of work its own past still counts as concurrent.
  if (now.rare_ != nullptr && now.rare_->unit_since != StrandId::none) return;
  forget_when_number_was_drawn(task);
  if (!only_root() || !now.ended.empty() || now.orphans || unfinished_tasks() != 0) return;
  for (const Taskgroup* g = now.open_group.get(); g != nullptr; g = g->outer.get())
    if (!g->direct.empty() || !g->deep.empty()) return;
  if (team_of_task != nullptr) {
    Team& team = *team_of_task;
    const memory::SpinGuard guard(team.lock);
    // The other members wait at a barrier, and since the last one neither they nor their tasks left a trace.
    if (team.arrived + 1 != team.size || !team.gathering.empty()) return;
    for (Task* member : team.members)
      if (!member->now().ended.empty() || (member != &task && member->now().open_group != nullptr)) return;
    team.result.clear();
    team.fork.clear();
    team.learned = false;
    team.chain = ChainId::none;
    pass_horizon(thread, task);
    reuse_tables(team);
  } else {
    pass_horizon(thread, task);
    run(thread, &task);
  }
}

} // namespace fletcher::constructs
