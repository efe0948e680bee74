// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parallel and teams: the encountering strand comes before every member of the team; every member's end comes before
// the strand after the region.
#include "checker/constructs/execution.hpp"

#include <algorithm>
#include <utility>

namespace fletcher::constructs {

void Execution::begin_parallel(const ParallelBegin& e) {
  access::ThreadState& t = thread(e.thread);
  Task* encountering = is_lone(t) ? t.task : active_task(e.thread, e.encountering);
  if (encountering == nullptr) return;
  shares_kept(t);
  regions_.fetch_add(1, std::memory_order_relaxed);
  auto* team = new Team;
  team->id = e.team;
  team->league = e.league;
  team->own_values_are_told = e.own_values_are_told;
  if (e.league) {
    leagues_.store(true, std::memory_order_relaxed);
    if (races_ != nullptr) races_->league_begins();
  }
  team->encountering = encountering;
  retain(*encountering);
  team->creation = place(t, e.pc);
  team->alone = encountering->team() == nullptr && encountering->parent() == nullptr && !encountering->now().spawned &&
                only_root();
  if (team->alone) pass_horizon(t, *encountering);
  record_of(t, *encountering);
  team->mark = tables_.mark();
  if (t.in_stack(e.stack_pointer)) {
    team->stack_low = e.stack_pointer;
    team->stack_high = t.stack_high;
    team->call = e.call;
    team->walk = e.walk;
  }
  team->unit = unit_to_create_in(*encountering);
  team->fork = released(*encountering);
  team->result = team->fork;
  const memory::SpinGuard guard(teams_lock_);
  teams_[number(e.team)] = team;
}

void Execution::begin_implicit(const ImplicitTaskBegin& e) {
  access::ThreadState& t = thread(e.thread);
  Team* owner = team(e.team);
  if (owner == nullptr) return;
  if (t.task == owner->encountering) {
    if (may_be_lone(*owner, e)) return data(t).lone.push_back({owner, e.task, t.stack.top()});
    close_strand(t);
  }
  begin_member(t, *owner, e, t.stack.top());
}

void Execution::begin_member(access::ThreadState& t, Team& team, const ImplicitTaskBegin& e, access::Frame* base) {
  Team* const owner = &team;
  const bool primary = t.task == owner->encountering;
  if (!primary) {
    // A worker starts from its stack's beginning; what an earlier member left there is dead.
    run(t, nullptr);
    t.stack.unwind_to(t.stack.begin());
    forget_stack(t, t.in_stack(t.tls_low) ? t.tls_low : t.stack_high);
  }
  Origin* const origin = new_origin(t, false, owner->encountering, owner);
  origin->known = owner->fork;
  origin->unit = owner->unit;
  hold_around(*owner->encountering, *origin, true);
  Task* member = new_task(t, e.task, TaskKind::implicit, origin);
  if (member == nullptr) return;
  activate(t, *member);
  owner->references.fetch_add(1, std::memory_order_relaxed);
  member->creation = owner->creation;
  member->started = true;
  Activation& now = member->now();
  now.index = static_cast<std::uint16_t>(e.index);
  now.base = base;
  if (primary) now.below = t.task;
  {
    const memory::SpinGuard guard(owner->lock);
    owner->size = std::max(owner->size, e.size);
    owner->members.push_back(member);
  }
  if (e.open) {
    owner->open = true;
    if (races_ != nullptr && watcher_.load(std::memory_order_relaxed) == nullptr) {
      owner->of_all = &every_member_;
      t.watcher.store(&every_member_);
    }
  }
  if (!primary) {
    retain(*member);
    if (Task* earlier = std::exchange(data(t).member, member)) drop(t, earlier);
  }
  run(t, member);
}

void Execution::end_implicit(const ImplicitTaskEnd& e) {
  access::ThreadState& t = thread(e.thread);
  if (end_lone(t, e.task)) return;
  Task* member = task(e.task);
  if (member == nullptr || member->team() == nullptr) return;
  if (!member->now().closing)
    arrive({.thread = e.thread, .task = e.task, .team = e.team, .kind = SyncKind::barrier_parallel});
  if (t.task != member) return;
  goes_alone(t);
  t.stack.unwind_to(member->now().base);
  Task* encountering = member->team()->encountering;
  const bool primary = encountering->thread() == t.id;
  run(t, primary ? encountering : nullptr);
  if (primary) set_idle(t, true); // until the region's end
}

void Execution::end_parallel(const ParallelEnd& e) {
  access::ThreadState& t = thread(e.thread);
  Team* over = team(e.team);
  if (over == nullptr) return;
  Task* encountering = over->encountering;
  std::erase_if(data(t).lone, [over](const LoneMember& member) { return member.team == over; });
  run(t, encountering);
  {
    const memory::SpinGuard guard(over->lock);
    if (over->arrived != 0) complete_barrier(t, *over);
  }
  const bool all_over = over->alone && only_root() && unfinished_tasks() == 0;
  if (all_over) {
    pass_horizon(t, *encountering);
  } else if (!over->gathering.empty() || over->chain != ChainId::none || over->learned) {
    if (over->chain != ChainId::none) tables_.append(over->gathering.chains, over->chain);
    if (over->learned) over->gathering.knowledge.add(over->result);
    join(t, *encountering, over->gathering);
  }
  for (Task* member : over->members) drop(t, member);
  over->members.clear();
  {
    const memory::SpinGuard guard(teams_lock_);
    teams_.erase(number(e.team));
  }
  if (all_over) tables_.rewind(over->mark);
  drop(t, over);
  run(t, encountering);
}

} // namespace fletcher::constructs
