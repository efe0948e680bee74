// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph builder's rows about waiting and ordering: barriers, taskwait, taskgroup, ordered, doacross, and the
// channels of releases and acquisitions.
#include "checker/graph/graph_builder_state.hpp"

namespace fletcher::graph {
namespace {

bool closes_team(SyncKind kind) noexcept {
  return kind == SyncKind::barrier_parallel || kind == SyncKind::barrier_teams;
}

} // namespace

void GraphBuilder::on(const SyncBegin& event) {
  const std::lock_guard lock(mutex_);
  Task& waiting = task(event.task);
  switch (event.kind) {
  case SyncKind::taskwait:
    return;
  case SyncKind::taskgroup:
    waiting.taskgroups.push_back(add_node(NodeKind::taskgroup, &waiting, waiting.team, Began::taskgroup, event.pc));
    return;
  case SyncKind::gathering:
    end_unit(waiting);
    waiting.team->copies[&waiting] = waiting.strand;
    advance(waiting, Began::release, event.pc);
    return;
  default:
    break;
  }
  end_unit(waiting);
  const Vertex node = barrier_node(*waiting.team, waiting.phase++);
  for (const Vertex unit : waiting.units) {
    add_edge(unit, node, EdgeReason::barrier);
    if (closes_team(event.kind) && waiting.team->id != TeamId::none)
      add_edge(unit, waiting.team->join, EdgeReason::join);
  }
  waiting.units.clear();
  graph_[node].pc = event.pc;
  add_edge(waiting.strand, node, EdgeReason::barrier);
  if (closes_team(event.kind) && !waiting.closed && waiting.team->id != TeamId::none) {
    // A member's end may be reported much later or never.
    add_edge(waiting.strand, waiting.team->join, EdgeReason::join);
    waiting.closed = true;
  }
}

void GraphBuilder::on(const SyncEnd& event) {
  const std::lock_guard lock(mutex_);
  Task& waiting = task(event.task);
  switch (event.kind) {
  case SyncKind::taskwait: {
    const Vertex next = advance(waiting, Began::taskwait, event.pc);
    for (const Vertex child : waiting.unwaited) {
      add_edge(child, next, EdgeReason::taskwait);
      learn(waiting, child, EdgeReason::taskwait);
    }
    waiting.unwaited.clear();
    return;
  }
  case SyncKind::taskgroup:
    if (waiting.taskgroups.empty()) return;
    advance_from(waiting, Began::taskgroup, waiting.taskgroups.back(), EdgeReason::taskgroup, event.pc);
    waiting.taskgroups.pop_back();
    return;
  case SyncKind::gathering:
    return;
  default:
    break;
  }
  if (waiting.phase == 0) return;
  waiting.base = waiting.learned = barrier_node(*waiting.team, waiting.phase - 1);
  advance_from(waiting, Began::barrier, waiting.base, EdgeReason::barrier, event.pc);
}

GraphBuilder::Channel& GraphBuilder::loop_channel(Task& member, Address address) {
  return member.team->ordered[LoopKey{member.loops, address}];
}

void GraphBuilder::on(const MutexEvent& event) {
  if (event.step != MutexStep::acquired && event.step != MutexStep::released) return;
  const std::lock_guard lock(mutex_);
  Task& owner = task(event.task);
  const bool acquired = event.step == MutexStep::acquired;
  const auto [kind, address] = event.mutex;
  if (acquired && kind != MutexKind::ordered && !owner.explicit_task) know_thread(owner);
  if (kind == MutexKind::ordered) {
    Channel& channel = loop_channel(owner, address);
    if (acquired)
      acquire(channel, owner, Began::ordered_begin, EdgeReason::ordered, address, event.pc);
    else
      release(channel, owner, Began::ordered_end, EdgeReason::ordered, address, event.pc);
  } else if (options_.lock_order) {
    Channel& channel = locks_[{kind, address}];
    if (acquired)
      acquire(channel, owner, Began::lock_acquired, EdgeReason::lock_order, address, event.pc);
    else
      release(channel, owner, Began::lock_released, EdgeReason::lock_order, address, event.pc);
  }
}

void GraphBuilder::on(const Doacross& event) {
  const std::lock_guard lock(mutex_);
  Task& member = task(event.task);
  const std::pair key{member.loops, std::vector<std::uint64_t>(event.iteration.begin(), event.iteration.end())};
  if (event.source) {
    member.team->sources[key] = present(member);
    advance(member, Began::doacross_source);
  } else if (const auto source = member.team->sources.find(key); source != member.team->sources.end()) {
    advance_from(member, Began::doacross_sink, source->second, EdgeReason::doacross);
  }
}

void GraphBuilder::on(const Release& event) {
  const std::lock_guard lock(mutex_);
  release(objects_[event.object], current(event.thread), Began::release, EdgeReason::release, event.object, 0);
}

void GraphBuilder::on(const Acquire& event) {
  const std::lock_guard lock(mutex_);
  acquire(objects_[event.object], current(event.thread), Began::acquire, EdgeReason::acquire, event.object, 0);
}

} // namespace fletcher::graph
