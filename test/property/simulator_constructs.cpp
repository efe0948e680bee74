// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulated constructs that one task executes: accesses, locks, tasks and the waits for them.
#include "simulator.hpp"

#include "checker/graph/sibling_dependences.hpp"

#include <algorithm>

namespace fletcher::property {

Simulator::Step Simulator::run_body(Task& task, Frame& frame) {
  if (frame.next == frame.construct->body.size()) return Step::done;
  task.frames.push_back({&frame.construct->body[frame.next++]});
  return Step::progress;
}

Simulator::Step Simulator::run_access(Thread& thread, Task& task, const Construct& construct) {
  on_access_({thread.id, task.id, &construct, task.held});
  return Step::done;
}

Simulator::Step Simulator::run_locked(Thread& thread, Task& task, Frame& frame) {
  const Construct& c = *frame.construct;
  const Mutex mutex{c.lock_kind, (c.lock_kind == MutexKind::critical ? 0x6000 : 0x6800) + Address{c.lock} * 64};
  const HeldMutex name{mutex.kind, mutex.address};
  MutexEvent event{thread.id, task.id, mutex, MutexStep::acquiring, 0, pc_of(c.id)};
  if (frame.stage == 0) {
    tell(event);
    frame.stage = 1;
    return Step::progress;
  }
  if (frame.stage == 1) {
    if (owners_.contains(name)) return Step::blocked;
    owners_[name] = &task;
    task.held.push_back(name);
    event.step = MutexStep::acquired;
    tell(event);
    frame.stage = 2;
    return Step::progress;
  }
  if (run_body(task, frame) == Step::progress) return Step::progress;
  std::erase(task.held, name);
  owners_.erase(name);
  event.step = MutexStep::released;
  tell(event);
  return Step::done;
}

bool Simulator::satisfied(const Task& creator, const std::vector<Dependence>& list) const {
  return std::all_of(creator.siblings.begin(), creator.siblings.end(), [&](const Sibling& sibling) {
    return sibling.task->complete || !graph::dependent(*sibling.list, list);
  });
}

Simulator::Task& Simulator::create_task(Thread& thread, Task& creator, const Construct& c, bool undeferred,
                                        bool with_list) {
  Task& task = new_task(&creator, creator.team, &c);
  task.explicit_task = true;
  task.undeferred = undeferred;
  task.untied = c.traits.untied;
  task.final = c.traits.final || creator.final;
  task.detached = c.event != 0;
  if (!creator.groups.empty()) {
    task.groups.push_back(creator.groups.back());
    ++creator.groups.back()->pending;
  }
  ++creator.children;
  ++creator.team->unfinished;
  TaskTraits traits = c.traits;
  traits.undeferred = undeferred;
  traits.final = task.final;
  tell(TaskCreate{thread.id, creator.id, task.id, TaskKind::explicit_, traits, pc_of(c.id)});
  if (task.detached) events_[c.event] = &task;
  if (!with_list || c.depend.empty()) return task;
  tell(TaskDependences{thread.id, task.id, c.depend});
  for (const Sibling& sibling : creator.siblings)
    if (graph::dependent(*sibling.list, c.depend)) task.predecessors.push_back(sibling.task);
  creator.siblings.push_back({&c.depend, &task});
  for (const Dependence& item : c.depend) {
    if (item.type != DependenceType::mutexinoutset) continue;
    // Not a lock of the program's: a name that only siblings share.
    const HeldMutex name{MutexKind::ordered, (Address{number(creator.id)} << 32) + item.address};
    if (std::find(task.held.begin(), task.held.end(), name) == task.held.end()) task.held.push_back(name);
  }
  return task;
}

Simulator::Step Simulator::run_task(Thread& thread, Task& task, Frame& frame) {
  enum : std::uint32_t { create = 0, wait_first = 1, wait_created = 2, wait_end = 3, body = 100 };
  const Construct& c = *frame.construct;
  const TaskwaitDepend wait{thread.id, task.id, c.depend, true, pc_of(c.id)};
  switch (frame.stage) {
  case body:
    return run_body(task, frame);
  case create: {
    const bool undeferred = c.traits.undeferred || task.final;
    if (undeferred && !c.depend.empty() && random_.percent(60)) {
      tell(wait);
      frame.stage = wait_first;
      return Step::progress;
    }
    Task& created = create_task(thread, task, c, undeferred, true);
    frame.child = &created;
    frame.stage = undeferred ? wait_created : wait_end;
    if (undeferred) return Step::progress;
    task.team->waiting.push_back(&created);
    // Outside every region the runtime has one thread and defers nothing.
    const bool serial = task.team->id == TeamId::none;
    if ((serial || random_.percent(schedule_.at_once)) && may_start(created) &&
        (created.groups.empty() || !created.groups.front()->cancelled))
      start(thread, created);
    return Step::progress;
  }
  case wait_first: {
    // Waits for the predecessors before the task exists, which then has no list of its own.
    if (!satisfied(task, c.depend) || random_.percent(20))
      if (run_other(thread)) return Step::progress;
    if (!satisfied(task, c.depend)) return suspend(thread) ? Step::progress : Step::blocked;
    TaskwaitDepend over = wait;
    over.begin = false;
    tell(over);
    frame.child = &create_task(thread, task, c, true, false);
    frame.stage = wait_created;
    return Step::progress;
  }
  case wait_created:
    if (!may_start(*frame.child)) return run_other(thread) || suspend(thread) ? Step::progress : Step::blocked;
    frame.stage = wait_end;
    start(thread, *frame.child);
    return Step::progress;
  default:
    break;
  }
  if (!frame.child->undeferred || frame.child->body_ended) return Step::done;
  return run_other(thread) || suspend(thread) ? Step::progress : Step::blocked; // untied, and gone on elsewhere
}

Simulator::Step Simulator::run_taskwait(Thread& thread, Task& task, Frame& frame) {
  const SyncBegin begin{thread.id, task.id, task.team->id, SyncKind::taskwait, pc_of(frame.construct->id)};
  if (frame.stage++ == 0) {
    tell(begin);
    return Step::progress;
  }
  if (task.children != 0 || random_.percent(20)) {
    if (random_.percent(20) && suspend(thread)) return Step::progress;
    if (run_other(thread)) return Step::progress;
  }
  if (task.children != 0) return suspend(thread) ? Step::progress : Step::blocked;
  tell(SyncEnd{thread.id, task.id, task.team->id, SyncKind::taskwait, begin.pc});
  return Step::done;
}

Simulator::Step Simulator::run_taskwait_depend(Thread& thread, Task& task, Frame& frame) {
  const Construct& c = *frame.construct;
  TaskwaitDepend event{thread.id, task.id, c.depend, true, pc_of(c.id)};
  if (frame.stage++ == 0) {
    tell(event);
    return Step::progress;
  }
  if (!satisfied(task, c.depend) || random_.percent(20))
    if (run_other(thread)) return Step::progress;
  if (!satisfied(task, c.depend)) return suspend(thread) ? Step::progress : Step::blocked;
  event.begin = false;
  tell(event);
  return Step::done;
}

Simulator::Step Simulator::run_taskgroup(Thread& thread, Task& task, Frame& frame) {
  const Address pc = pc_of(frame.construct->id);
  if (frame.stage == 0) {
    task.groups.push_back(&groups_.emplace_back());
    tell(SyncBegin{thread.id, task.id, task.team->id, SyncKind::taskgroup, pc});
    frame.stage = 1;
    return Step::progress;
  }
  if (run_body(task, frame) == Step::progress) return Step::progress;
  const bool waits = task.groups.back()->pending != 0;
  if ((waits || random_.percent(20)) && run_other(thread)) return Step::progress;
  if (waits) return suspend(thread) ? Step::progress : Step::blocked;
  task.groups.pop_back();
  tell(SyncEnd{thread.id, task.id, task.team->id, SyncKind::taskgroup, pc});
  return Step::done;
}

Simulator::Step Simulator::run_cancel(Thread& thread, Task& task, const Construct& c) {
  if (task.groups.empty()) return Step::done;
  task.groups.back()->cancelled = true;
  tell(Cancel{thread.id, task.id, CancelKind::taskgroup, true, false, pc_of(c.id)});
  return Step::done;
}

Simulator::Step Simulator::run_fulfill(Thread& thread, const Construct& c) {
  const auto event = events_.find(c.number);
  if (event != events_.end() && !event->second->fulfilled) fulfill(thread.id, *event->second);
  return Step::done;
}

} // namespace fletcher::property
