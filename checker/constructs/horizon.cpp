// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The horizon: a moment at which all that was recorded comes before all that is to come, so that ids and tables begin
// anew. Tried at waits and at the end of barriers, where one task is all that is left.
#include "checker/constructs/execution.hpp"
#include "checker/constructs/tasks/reduced.hpp"

#include <array>

namespace fletcher::constructs {

void Execution::restart_ids() noexcept {
  if (!tables_.nearly_exhausted() || races_ == nullptr) return;
  races_->at_restart();
  tables_.restart_strands();
}

StrandId Execution::begin_horizon() {
  restart_ids();
  const StrandId horizon = tables_.next_strand();
  horizon_.store(number(horizon), std::memory_order_release);
  generation_.fetch_add(1, std::memory_order_acq_rel);
  tables_.pass_horizon(horizon);
  forget_carriers();
  return horizon;
}

void Execution::pass_horizon(access::ThreadState& thread, Task& task) {
  const StrandId horizon = begin_horizon();
  forget_given(thread, task);
  give_back_tasks();
  forget_accesses(races_, thread, std::array{&task});
  Activation& now = task.now();
  now.known.clear();
  now.chain = ChainId::none;
  now.last = StrandId::none;
  now.block_left = 0;
  now.spawned = false;
  now.strand = StrandId::none;
  if (now.rare_ != nullptr) {
    now.rare_->combined.clear();
    forget_moved(task);
  }
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
  Team* const team = task.team();
  if (team == nullptr ? task.parent() != nullptr : !team->alone || !may_be_last(*team, task)) return;
  const Activation& now = task.now();
  // In a unit of work its own past still counts as concurrent.
  if (now.rare_ != nullptr && now.rare_->unit_since != StrandId::none) return;
  forget_when_number_was_drawn(task);
  // The tasks of all threads are counted last: that reads what other threads write.
  const std::int64_t itself = task.kind == TaskKind::explicit_ ? 1 : 0;
  if (!only_root() || !now.ended.empty() || now.ended_here != ChainId::none || now.orphans ||
      unfinished_tasks() != itself)
    return;
  for (const Taskgroup* g = now.open_group.get(); g != nullptr; g = g->outer.get())
    if (!g->direct.empty() || !g->deep.empty()) return;
  if (team == nullptr) {
    pass_horizon(thread, task);
    run(thread, &task);
    return;
  }
  const memory::SpinGuard guard(team->lock);
  if (!waits_for_nothing_else(*team, task)) return;
  team->forget_past();
  tables_.take(team->gathering.chains, [](ChainId) {});
  team->gathering.knowledge.clear();
  pass_horizon(thread, task);
  if (task.kind == TaskKind::implicit) reuse_tables(*team);
}

// An implicit task, or one that such a task created while all of the team waits at a barrier now: the first task of a
// recursion, say.
bool Execution::may_be_last(Team& team, const Task& task) noexcept {
  if (task.kind != TaskKind::explicit_) return task.kind == TaskKind::implicit;
  const Origin& origin = task.origin();
  if (origin.parent->kind != TaskKind::implicit || origin.group != nullptr || origin.unit != order::WorkUnit{})
    return false;
  const memory::SpinGuard guard(team.lock);
  return team.arrived == team.size;
}

// The other members wait at a barrier, and what they and their tasks did since the last one comes before the task.
bool Execution::waits_for_nothing_else(const Team& team, const Task& task) const noexcept {
  const unsigned others = task.kind == TaskKind::implicit ? team.size - 1 : team.size;
  if (team.arrived != others) return false;
  for (const Task* member : team.members) {
    const Activation& now = member->now();
    if (!now.ended.empty() || (member != &task && (now.ended_here != ChainId::none || now.open_group != nullptr)))
      return false;
  }
  if (task.kind == TaskKind::implicit) return team.gathering.empty();
  return tables_.all_ends(team.gathering.chains, [&](StrandId last) {
    return last != StrandId::none &&
           (number(last) < number(horizon()) || order::happens_before(tables_, last, position(task)));
  });
}

} // namespace fletcher::constructs
