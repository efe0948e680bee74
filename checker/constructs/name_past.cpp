// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which strands of the past somebody may still ask about, as far as tasks, teams, threads and synchronising objects
// name them (order/sweep.hpp).
#include "checker/constructs/dependences/dependences.hpp"
#include "checker/constructs/execution.hpp"

#include <unordered_set>

namespace fletcher::constructs {

namespace {

void name_past(order::Sweep& sweep, const order::WorkUnit& unit) {
  sweep.needs(unit.chain);
  sweep.needs(unit.since);
  sweep.needs(unit.floor);
}

void name_past(order::Sweep& sweep, Ended& ended) {
  sweep.waits_for(ended.chains);
  ended.knowledge.each([&](order::Knowledge& known) { sweep.knows(known); });
}

void name_past(order::Sweep& sweep, Origin& origin) {
  sweep.knows(origin.known);
  name_past(sweep, origin.unit);
}

void name_past(order::Sweep& sweep, Rare& rare) {
  for (const StrandId of_unit :
       {rare.unit_since, rare.unit_floor, rare.loop_floor, rare.drew_number, rare.moved_after, rare.moved_until,
        rare.told_in_turn.upto, rare.told_in_turn.counts, rare.told_in_turn.outside})
    sweep.needs(of_unit);
  sweep.needs(rare.before_combination);
  sweep.knows(rare.combined);
}

void name_past(order::Sweep& sweep, Team& team) {
  name_past(sweep, team.unit);
  for (order::Knowledge* known : {&team.fork, &team.result, &team.copies}) sweep.knows(*known);
  sweep.needs(team.chain);
  name_past(sweep, team.gathering);
  for (const auto& [chain, strand] : team.copied) {
    sweep.needs(chain);
    sweep.needs(strand);
  }
}

} // namespace

void Execution::name_past(order::Sweep& sweep, Task& task) {
  constructs::name_past(sweep, task.origin());
  Activation* const now = task.activation();
  if (now == nullptr) return;
  sweep.knows(now->known);
  for (const Past& past : now->past) sweep.needs(past.chain);
  sweep.needs(now->chain);
  for (const StrandId own : {now->strand, now->last}) sweep.needs(own);
  sweep.needs(now->record.load(std::memory_order_acquire));
  constructs::name_past(sweep, now->ended);
  sweep.waits_for(now->ended_here);
  if (now->given != nullptr) constructs::name_past(sweep, *now->given);
  for (Taskgroup* group = now->open_group.get(); group != nullptr; group = group->outer.get()) {
    constructs::name_past(sweep, group->direct);
    constructs::name_past(sweep, group->deep);
  }
  if (now->rare_ != nullptr) constructs::name_past(sweep, *now->rare_);
  if (now->siblings != nullptr) now->siblings->each_ended([&](order::Knowledge& known) { sweep.knows(known); });
}

void Execution::name_past(order::Sweep& sweep) {
  std::unordered_set<Team*> teams;
  for (const auto& [id, team] : teams_) teams.insert(team);
  tasks_.each([&](Task& task) {
    if (task.kind == TaskKind::implicit) teams.insert(task.team());
    name_past(sweep, task);
  });
  for (Team* team : teams) constructs::name_past(sweep, *team);
  each_thread([&](ThreadData& thread) { thread.name_past(sweep); });
  for (const EndedRoot& root : ended_roots_) {
    sweep.needs(root.chain);
    sweep.needs(root.last);
  }
  fulfilments_.name_past(sweep);
  lone_locks_.name_past(sweep);
  const std::uint32_t generation = horizon_generation();
  for (CarrierShard& shard : shards_)
    shard.carriers.each([&](std::uint64_t, Carrier& carrier) {
      if (carrier.generation != generation) return; // fresh() forgets all of it
      sweep.knows(carrier.known);
      sweep.knows(carrier.told);
      sweep.needs(carrier.tells_all);
      sweep.needs(carrier.begun);
      sweep.needs(carrier.lone.last);
      for (Taker& taker : carrier.takers) {
        sweep.needs(taker.strand);
        sweep.needs(taker.starter_chain);
        sweep.knows(taker.known);
      }
    });
}

} // namespace fletcher::constructs
