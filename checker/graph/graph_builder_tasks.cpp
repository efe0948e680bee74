// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph builder's rows about explicit tasks: creation, dependences, completion, detach, taskwait with depend.
#include "checker/graph/graph_builder_state.hpp"

namespace fletcher::graph {

void GraphBuilder::on(const TaskCreate& event) {
  const std::lock_guard lock(mutex_);
  Task& creator = task(event.creator);
  // A taskloop's helper task creates chunks in the name of its creator: the strand that creates is the helper's.
  Task* const here = running_[event.thread];
  Task& encountering = here != nullptr ? *here : creator;

  Task& created = tasks_.emplace_back();
  created.id = event.task;
  created.parent = &creator;
  created.team = creator.team;
  created.explicit_task = true;
  created.undeferred = event.traits.undeferred;
  created.phase = creator.phase;
  created.strand = add_node(NodeKind::strand, &created, created.team, Began::task_begin, event.pc);
  created.end = add_node(NodeKind::task_end, &created, created.team, Began::task_begin, event.pc);
  task_by_id_[event.task] = &created;

  add_edge(present(encountering), created.strand, EdgeReason::creation);
  advance(encountering, Began::task_creation, event.pc);

  creator.unwaited.push_back(created.end);
  if (!creator.taskgroups.empty()) {
    created.taskgroups.push_back(creator.taskgroups.back());
    add_edge(created.end, creator.taskgroups.back(), EdgeReason::taskgroup);
  }
  add_edge(created.end, barrier_node(*created.team, created.phase), EdgeReason::barrier);
  if (created.team->id != TeamId::none) add_edge(created.end, created.team->join, EdgeReason::join);
}

void GraphBuilder::on(const TaskDependences& event) {
  const std::lock_guard lock(mutex_);
  Task& later = task(event.task);
  if (later.parent == nullptr) return;
  for (const auto& before : later.parent->children.add(later.end, event.list))
    add_edge(before.end, later.strand, EdgeReason::dependence, before.address);
  for (const Dependence& item : event.list)
    if (item.type == DependenceType::mutexinoutset) later.exclusions.emplace_back(later.parent, item.address);
}

void GraphBuilder::on(const TaskSwitch& event) {
  const std::lock_guard lock(mutex_);
  Task& next = task(event.next);
  running_[event.thread] = &next;
  if (!next.explicit_task || next.started) return;
  next.started = true;
  if (options_.lock_order)
    for (const auto& [parent, address] : next.exclusions)
      acquire(parent->child_exclusion[address], next, Began::lock_acquired, EdgeReason::lock_order, address, 0);
}

void GraphBuilder::on(const TaskEnd& event) {
  const std::lock_guard lock(mutex_);
  Task& ended = task(event.task);
  if (ended.explicit_task && !ended.body_ended) {
    ended.body_ended = true;
    add_edge(ended.strand, ended.end, EdgeReason::body_end);
    if (!event.detached) close_exclusion(ended);
    // Not its completion: the creator of an undeferred task does not wait for a detached event.
    if (ended.undeferred) advance_from(*ended.parent, Began::undeferred_end, ended.strand, EdgeReason::undeferred);
  }
  running_[event.thread] = event.next == TaskId::none ? nullptr : &task(event.next);
}

void GraphBuilder::on(const TaskFulfill& event) {
  const std::lock_guard lock(mutex_);
  Task& fulfiller = current(event.thread);
  Task& detached = task(event.task);
  if (!detached.explicit_task) return;
  add_edge(present(fulfiller), detached.end, EdgeReason::fulfill);
  advance(fulfiller, Began::fulfill);
  if (detached.body_ended) close_exclusion(detached);
}

void GraphBuilder::close_exclusion(Task& done) {
  if (!options_.lock_order) return;
  for (const auto& [parent, address] : done.exclusions)
    publish(parent->child_exclusion[address], done.end, EdgeReason::lock_order, address);
}

void GraphBuilder::on(const TaskwaitDepend& event) {
  const std::lock_guard lock(mutex_);
  Task& waiting = task(event.task);
  if (!waiting.depend_wait) {
    const Vertex node = add_node(NodeKind::depend_wait, &waiting, waiting.team, Began::depend_wait, event.pc);
    add_edge(waiting.strand, node, EdgeReason::creation);
    for (const auto& before : waiting.children.add(node, event.list))
      add_edge(before.end, node, EdgeReason::dependence, before.address);
    waiting.depend_wait = node;
  }
  if (event.begin) return;
  advance_from(waiting, Began::depend_wait, *waiting.depend_wait, EdgeReason::dependence, event.pc);
  waiting.depend_wait.reset();
}

} // namespace fletcher::graph
