// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers: every member's strand before it, and every explicit task of the team, come before every strand after it.
// The barriers of a team form a chain of their own; what ended is forwarded to it, so a barrier costs O(members), not
// O(members^2).
#include "checker/constructs/execution.hpp"
#include "checker/constructs/tasks/reduced.hpp"

namespace fletcher::constructs {

void Execution::arrive(const SyncBegin& e) {
  access::ThreadState& t = thread(e.thread);
  Task* member = task(e.task);
  if (member == nullptr || member->kind != TaskKind::implicit || member->team() == nullptr || member->now().waiting)
    return;
  Team& team = *member->team();
  Activation& now = member->now();
  const bool gathering = e.kind == SyncKind::gathering;
  if (t.task == member) leave_own(t);
  Ended mine;
  if (!gathering) {
    if (member->has_strands()) tables_.end_chain(now.chain, now.last);
    add(mine, *member);
  }
  end_unit(*member);
  forget_moved(*member);
  forget_given(t, *member);
  now.waiting = true;
  now.wait = {Wait::Kind::barrier, {}, e.pc};
  now.closing = e.kind == SyncKind::barrier_parallel || e.kind == SyncKind::barrier_teams;
  member->rare().at_internal = e.kind == SyncKind::barrier_internal || gathering;
  if (now.closing) forget_siblings(t, *member);
  if (t.task == member) close_block(t, *member);
  if (gathering) {
    if (t.task == member) set_idle(t, true);
    return give_copies(*member);
  }
  forget_when_number_was_drawn(*member);
  now.chain = ChainId::none;
  now.last = now.strand = StrandId::none;
  if (t.task == member) set_idle(t, true);
  const memory::SpinGuard guard(team.lock);
  ++team.arrived;
  add(team.gathering, mine);
}

// A cancelled construct's threads go on to its end, and not all by the same barriers.
void Execution::cancel(const Cancel& e) {
  const Task* t = task(e.task);
  if (t == nullptr || t->team() == nullptr || e.kind == CancelKind::taskgroup) return;
  const memory::SpinGuard guard(t->team()->lock);
  t->team()->cancelled = true;
}

void Execution::leave(const SyncEnd& e) {
  access::ThreadState& t = thread(e.thread);
  Task* member = task(e.task);
  if (member == nullptr || !member->active()) return;
  // Outside of every region the team is one thread. LLVM's runtime does not wait there for what its tasks left behind.
  if (member->team() == nullptr) return taskwait(t, *member);
  if (!member->now().waiting) return;
  if (e.kind == SyncKind::gathering) return leave_gathering(t, *member);
  Team& team = *member->team();
  Activation& now = member->now();
  {
    const memory::SpinGuard guard(team.lock);
    if (team.barriers == member->rare().barriers) complete_barrier(t, team);
    ++member->rare().barriers;
    now.known = team.result;
    now.last_tells_all = false;
    now.begin_past();
    member->learned = team.learned;
    member->rare().has_gathered = false;
    member->rare().combined.clear();
  }
  now.waiting = false;
  now.block_left = 0;
  forget_siblings(t, *member);
  t.forget_order();
  run(t, member);
  if (t.asked_thread_number) find_own(t);
}

// With the team's lock held, by the first member that leaves: all have arrived, and all tasks have ended.
void Execution::complete_barrier(access::ThreadState& thread, Team& team) {
  ++team.barriers;
  team.copies.clear();
  team.copied.clear();
  const bool all = team.arrived == team.size;
  team.arrived = 0;
  Ended ended;
  add(ended, team.gathering);
  for (Task* member : team.members) take_unwaited(*member, ended, true);
  if (team.alone && all && only_root() && unfinished_tasks() == 0) {
    team.forget_past();
    tables_.take(ended.chains, [](ChainId) {});
    const StrandId horizon = begin_horizon();
    give_back_tasks();
    reuse_tables(team);
    forget_accesses(races_, thread, team.members);
    thread.horizon = horizon;
    return;
  }
  if (!ended.knowledge.empty()) {
    team.result.join(ended.knowledge.take());
    team.learned = true;
  }
  if (ended.chains.empty()) return;
  if (team.chain == ChainId::none) team.chain = tables_.new_chain(thread.indices);
  const StrandId barrier = tables_.new_block(
      thread.indices,
      {.chain = team.chain, .task = record_of(thread, *team.encountering), .lockset = LocksetId::empty, .work = {}},
      team.result.get(team.chain));
  tables_.take(ended.chains, [&](ChainId c) { tables_.forward(c, {team.chain, barrier}); });
  tables_.end_chain(team.chain, barrier);
  team.result.raise(team.chain, barrier);
}

} // namespace fletcher::constructs
