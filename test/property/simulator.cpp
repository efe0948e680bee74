// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulated threads: which runs next, which task it picks up, how tasks start, end and complete.
#include "simulator.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace fletcher::property {

bool simulate(const Program& program, const Schedule& schedule, std::span<Listener* const> listeners,
              const std::function<void(const SimulatedAccess&)>& on_access) {
  return Simulator(program, schedule, listeners, on_access).run();
}

Simulator::Simulator(const Program& program, const Schedule& schedule, std::span<Listener* const> listeners,
                     const std::function<void(const SimulatedAccess&)>& on_access)
    : program_(program), schedule_(schedule), listeners_(listeners), on_access_(on_access), random_(schedule.seed) {}

Simulator::Task& Simulator::new_task(Task* parent, Team* team, const Construct* construct) {
  Task& task = tasks_.emplace_back();
  task.id = TaskId{next_task_++};
  task.parent = parent;
  task.team = team;
  task.construct = construct;
  return task;
}

Simulator::Thread& Simulator::new_thread() {
  Thread& thread = threads_.emplace_back();
  thread.id = ThreadId{static_cast<std::uint32_t>(threads_.size())};
  thread.preference = random_.seed();
  return thread;
}

bool Simulator::run() {
  Thread& main = new_thread();
  main.announced = true;
  tell(ThreadBegin{main.id, false});
  Task& initial = new_task(nullptr, &teams_.emplace_back(), nullptr);
  tell(InitialTaskBegin{main.id, initial.id, TaskKind::initial});
  initial.frames.push_back({&program_.root});
  main.stack.push_back(&initial);

  std::size_t last = 0;
  for (std::size_t steps = 0; steps < 100000; ++steps) {
    if (initial.frames.empty() && initial.team->unfinished == 0) {
      for (Thread& thread : threads_) report_late_end(thread);
      tell(InitialTaskEnd{main.id, initial.id});
      return true;
    }
    bool moved = false;
    if (random_.percent(schedule_.unfair)) {
      std::vector<std::size_t> order(threads_.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::sort(order.begin(), order.end(),
                [&](std::size_t a, std::size_t b) { return threads_[a].preference < threads_[b].preference; });
      moved = std::any_of(order.begin(), order.end(), [&](std::size_t thread) { return advance(threads_[thread]); });
    } else {
      // Some thread that can do something; the same one again more often than not.
      const std::size_t first = random_.percent(schedule_.burst) ? last : random_.below(threads_.size());
      for (std::size_t k = 0; k < threads_.size() && !moved; ++k) {
        last = (first + k) % threads_.size();
        moved = advance(threads_[last]);
      }
    }
    if (!moved && !foreign_fulfill()) return false;
    // Untied tasks that wait for such an event may go round in circles.
    if (steps % 4000 == 3999) foreign_fulfill();
  }
  return false;
}

bool Simulator::advance(Thread& thread) {
  if (const Task* const left = std::exchange(thread.left, nullptr))
    tell(TaskSwitch{thread.id, left->id, thread.stack.back()->id});
  if (thread.stack.empty()) {
    if (thread.summoned_by == nullptr) {
      if (thread.unreported_end == nullptr || !random_.percent(10)) return false;
      report_late_end(thread);
      return true;
    }
    report_late_end(thread);
    if (!thread.announced) tell(ThreadBegin{thread.id, true});
    thread.announced = true;
    Team& team = *thread.summoned_by;
    thread.summoned_by = nullptr;
    begin_member(thread, team, *thread.summoned_to, thread.index);
    return true;
  }
  Task& task = *thread.stack.back();
  if (task.frames.empty()) {
    if (task.explicit_task) {
      end_body(thread, task);
      return true;
    }
    return run_other(thread); // the initial task has ended, its tasks have not
  }
  const Step step = advance_frame(thread, task);
  if (step == Step::done) task.frames.pop_back();
  return step != Step::blocked;
}

Simulator::Step Simulator::advance_frame(Thread& thread, Task& task) {
  Frame& frame = task.frames.back();
  switch (frame.construct->op) {
  case Op::block:
    return run_body(task, frame);
  case Op::access:
    return run_access(thread, task, *frame.construct);
  case Op::locked:
    return run_locked(thread, task, frame);
  case Op::task:
    return run_task(thread, task, frame);
  case Op::taskwait:
    return run_taskwait(thread, task, frame);
  case Op::taskwait_depend:
    return run_taskwait_depend(thread, task, frame);
  case Op::taskgroup:
    return run_taskgroup(thread, task, frame);
  case Op::taskyield:
    if (frame.stage++ != 0 || random_.percent(30)) return Step::done;
    return suspend(thread) || run_other(thread) ? Step::progress : Step::done;
  case Op::cancel:
    return run_cancel(thread, task, *frame.construct);
  case Op::fulfill:
    return run_fulfill(thread, *frame.construct);
  case Op::release:
    tell(Release{thread.id, 0x8000 + Address{frame.construct->number} * 8});
    return Step::done;
  case Op::acquire:
    tell(Acquire{thread.id, 0x8000 + Address{frame.construct->number} * 8});
    return Step::done;
  case Op::parallel:
    return frame.member ? run_member(thread, task, frame) : run_parallel(thread, task, frame);
  case Op::phase:
    return Step::done;
  case Op::loop:
    return run_loop(thread, task, frame);
  case Op::single:
    return run_single(thread, task, frame);
  case Op::ordered:
    return run_ordered(thread, task, frame);
  case Op::source:
  case Op::sink:
    return run_doacross(thread, task, frame);
  }
  return Step::done;
}

void Simulator::report_late_end(Thread& thread) {
  if (thread.unreported_end == nullptr) return;
  tell(ImplicitTaskEnd{thread.id, thread.unreported_end->team->id, thread.unreported_end->id});
  thread.unreported_end = nullptr;
}

bool Simulator::may_start(const Task& task) const {
  if (!std::all_of(task.predecessors.begin(), task.predecessors.end(), [](const Task* t) { return t->complete; }))
    return false;
  return std::all_of(task.held.begin(), task.held.end(), [&](const HeldMutex& m) { return !owners_.contains(m); });
}

/// At a scheduling point: a task that has not started, or an untied one that waits for a thread.
bool Simulator::run_other(Thread& thread) {
  Task& prior = *thread.stack.back();
  Team& team = *prior.team;
  std::vector<Task*> choice;
  std::copy_if(team.waiting.begin(), team.waiting.end(), std::back_inserter(choice),
               [&](const Task* task) { return may_start(*task); });
  choice.insert(choice.end(), team.suspended.begin(), team.suspended.end());
  if (choice.empty()) return false;
  Task& task = *choice[random_.below(choice.size())];
  if (task.started) {
    std::erase(team.suspended, &task);
    tell(TaskSwitch{thread.id, prior.id, task.id});
    thread.stack.push_back(&task);
  } else if (!task.groups.empty() && task.groups.front()->cancelled) {
    discard(thread, task);
  } else {
    start(thread, task);
  }
  return true;
}

/// An untied task leaves its thread; another may go on with it.
bool Simulator::suspend(Thread& thread) {
  Task& task = *thread.stack.back();
  if (!task.untied || !task.explicit_task || thread.stack.size() < 2 || task.team->id == TeamId::none) return false;
  thread.stack.pop_back();
  tell(TaskSwitch{thread.id, task.id, thread.stack.back()->id});
  task.team->suspended.push_back(&task);
  task.in_parts = true;
  return true;
}

void Simulator::start(Thread& thread, Task& task) {
  std::erase(task.team->waiting, &task);
  task.started = true;
  for (const HeldMutex& mutex : task.held) owners_[mutex] = &task;
  tell(TaskSwitch{thread.id, thread.stack.back()->id, task.id});
  task.frames.push_back({task.construct, true});
  task.frames.back().stage = 100; // run_task: as the body of the task
  thread.stack.push_back(&task);
}

void Simulator::discard(Thread& thread, Task& task) {
  std::erase(task.team->waiting, &task);
  task.started = task.body_ended = task.fulfilled = true;
  tell(TaskEnd{thread.id, task.id, thread.stack.back()->id, false, true});
  complete(task);
}

/// The thread that had an earlier part of an untied task may come back from it after the last part is over: then it is
/// the one that reports the end.
Simulator::Thread* Simulator::teller_of_end(const Thread& thread, const Task& task) {
  if (!task.in_parts || !random_.percent(40)) return nullptr;
  const auto other = std::find_if(threads_.begin(), threads_.end(), [&](const Thread& t) {
    return &t != &thread && t.left == nullptr && !t.stack.empty() && t.stack.back()->team == task.team;
  });
  return other == threads_.end() ? nullptr : &*other;
}

void Simulator::end_body(Thread& thread, Task& task) {
  thread.stack.pop_back();
  task.body_ended = true;
  const bool open = task.detached && !task.fulfilled;
  if (Thread* const other = teller_of_end(thread, task)) {
    const TaskId next = other->stack.back()->id;
    tell(TaskSwitch{other->id, next, task.id});
    tell(TaskEnd{other->id, task.id, next, open});
    thread.left = &task;
  } else {
    tell(TaskEnd{thread.id, task.id, thread.stack.back()->id, open});
  }
  if (!open) complete(task);
}

void Simulator::complete(Task& task) {
  task.complete = true;
  free_exclusions(task);
  --task.parent->children;
  --task.team->unfinished;
  if (!task.groups.empty()) --task.groups.front()->pending;
}

void Simulator::free_exclusions(Task& task) {
  std::erase_if(owners_, [&](const auto& entry) { return entry.second == &task; });
}

void Simulator::fulfill(ThreadId thread, Task& task) {
  task.fulfilled = true;
  tell(TaskFulfill{thread, task.id, !task.body_ended});
  if (task.body_ended) complete(task);
}

/// Nothing moves: a thread outside OpenMP fulfils an event that the program has forgotten.
bool Simulator::foreign_fulfill() {
  for (const auto& [number, task] : events_) {
    if (task->fulfilled) continue;
    if (foreign_ == nullptr) {
      foreign_ = &new_thread();
      foreign_->foreign = true;
      tell(ThreadBegin{foreign_->id, false});
      tell(InitialTaskBegin{foreign_->id, TaskId{next_task_++}, TaskKind::foreign});
    }
    fulfill(foreign_->id, *task);
    return true;
  }
  return false;
}

} // namespace fletcher::property
