// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulated parallel regions: teams, barriers, ordered and doacross loops.
#include "simulator.hpp"

#include <algorithm>

namespace fletcher::property {

Simulator::Step Simulator::run_parallel(Thread& thread, Task& task, Frame& frame) {
  const Construct& c = *frame.construct;
  if (frame.stage++ != 0) {
    tell(ParallelEnd{thread.id, task.id, frame.team->id, pc_of(c.id)});
    return Step::done;
  }
  Team& team = teams_.emplace_back();
  team.id = TeamId{next_team_++};
  team.size = std::max(1u, c.number);
  team.lone = team.size == 1 && task.team != nullptr;
  team.internal_barriers = random_.percent(15);
  frame.team = &team;
  tell(ParallelBegin{thread.id, task.id, team.id, team.size, false, pc_of(c.id)});
  for (std::uint32_t index = 1; index < team.size; ++index) {
    const auto idle = std::find_if(threads_.begin(), threads_.end(), [](const Thread& t) { return t.idle(); });
    Thread& worker = idle != threads_.end() ? *idle : new_thread();
    worker.summoned_by = &team;
    worker.summoned_to = &c;
    worker.index = index;
  }
  begin_member(thread, team, c, 0);
  return Step::progress;
}

void Simulator::begin_member(Thread& thread, Team& team, const Construct& c, std::uint32_t index) {
  Task& member = new_task(nullptr, &team, &c);
  member.index = index;
  tell(ImplicitTaskBegin{thread.id, team.id, member.id, index, team.size});
  member.frames.push_back({&c, true});
  thread.stack.push_back(&member);
}

void Simulator::arrive(Thread& thread, Task& task, SyncKind kind, Address pc) {
  Team& team = *task.team;
  tell(SyncBegin{thread.id, task.id, team.id, team.internal_barriers ? SyncKind::barrier_internal : kind, pc});
  if (team.arrived.size() <= task.barriers) {
    team.arrived.push_back(0);
    team.opened.push_back(false);
  }
  ++team.arrived[task.barriers++];
}

bool Simulator::opened(Task& task) {
  Team& team = *task.team;
  const std::size_t barrier = task.barriers - 1;
  if (team.arrived[barrier] == team.size && team.unfinished == 0) team.opened[barrier] = true;
  return team.opened[barrier];
}

Simulator::Step Simulator::run_member(Thread& thread, Task& task, Frame& frame) {
  enum : std::uint32_t { at_phase = 0, after_phase = 1, in_barrier = 2, closing = 3 };
  const Construct& c = *frame.construct;
  Team& team = *task.team;
  if (frame.stage == at_phase) {
    if (frame.next == c.body.size()) {
      frame.stage = closing;
      if (team.size > 1) arrive(thread, task, SyncKind::barrier_parallel, 0);
      return Step::progress;
    }
    const Construct& phase = c.body[frame.next];
    frame.stage = after_phase;
    if (phase.op == Op::loop || phase.op == Op::single)
      task.frames.push_back({&phase});
    else if (task.index < phase.body.size())
      task.frames.push_back({&phase.body[task.index]});
    return Step::progress;
  }
  if (frame.stage == after_phase) {
    const Construct& phase = c.body[frame.next];
    if (phase.nowait) {
      ++frame.next;
      frame.stage = at_phase;
    } else {
      arrive(thread, task, phase.barrier, pc_of(phase.id));
      frame.stage = in_barrier;
    }
    return Step::progress;
  }
  // In a barrier, or at the end of a team of one, which closes without one.
  const bool open = frame.stage == closing && team.size == 1 ? team.unfinished == 0 : opened(task);
  if ((!open || random_.percent(20)) && run_other(thread)) return Step::progress;
  if (!open) return Step::blocked;
  const SyncKind kind = team.internal_barriers   ? SyncKind::barrier_internal
                        : frame.stage == closing ? SyncKind::barrier_parallel
                                                 : c.body[frame.next].barrier;
  const bool reported = frame.stage == in_barrier || (team.size > 1 && task.index == 0);
  if (reported) {
    const Address pc = frame.stage == closing ? 0 : pc_of(c.body[frame.next].id);
    tell(SyncEnd{thread.id, task.id, team.id, kind, pc});
  }
  if (frame.stage == in_barrier) {
    ++frame.next;
    frame.stage = at_phase;
    return Step::progress;
  }
  task.frames.clear();
  thread.stack.pop_back();
  if (task.index == 0)
    tell(ImplicitTaskEnd{thread.id, team.id, task.id});
  else
    thread.unreported_end = &task;
  return Step::progress;
}

Simulator::Step Simulator::run_loop(Thread& thread, Task& task, Frame& frame) {
  const Construct& c = *frame.construct;
  const WorkKind kind = c.dynamic ? WorkKind::loop_dynamic : WorkKind::loop_static;
  Work work{thread.id, task.id, task.team->id, kind, true, c.body.size(), pc_of(c.id)};
  if (frame.stage++ == 0) {
    tell(work);
    frame.next = task.index;
    return Step::progress;
  }
  if (c.dynamic) frame.next = task.team->taken[&c]++;
  if (frame.next < c.body.size()) {
    frame.iteration = frame.next;
    frame.next += task.team->size;
    if (c.dynamic)
      tell(Dispatch{thread.id, task.id, task.team->id, DispatchKind::loop_chunk, frame.iteration, 1});
    else if (c.divided && !task.team->lone)
      tell(Dispatch{thread.id, task.id, task.team->id, DispatchKind::piece, frame.iteration, 1});
    task.frames.push_back({&c.body[frame.iteration]});
    return Step::progress;
  }
  work.begin = false;
  work.count = 0;
  tell(work);
  return Step::done;
}

Simulator::Step Simulator::run_single(Thread& thread, Task& task, Frame& frame) {
  const Construct& c = *frame.construct;
  const bool mine = frame.stage != 0 || task.team->taken[&c]++ == 0;
  Work work{thread.id, task.id, task.team->id, WorkKind::single_executor, true, 1, pc_of(c.id)};
  if (!mine) {
    work.kind = WorkKind::single_other;
    tell(work);
  } else if (frame.stage++ == 0) {
    tell(work);
    return Step::progress;
  } else if (run_body(task, frame) == Step::progress) {
    return Step::progress;
  }
  work.begin = false;
  tell(work);
  return Step::done;
}

const Simulator::Frame* Simulator::loop_frame(const Task& task) {
  const auto frame = std::find_if(task.frames.rbegin(), task.frames.rend(),
                                  [](const Frame& f) { return f.construct->op == Op::loop; });
  return frame == task.frames.rend() ? nullptr : &*frame;
}

namespace {

bool contains(const Construct& iteration, Op op) {
  return std::any_of(iteration.body.begin(), iteration.body.end(), [&](const Construct& c) { return c.op == op; });
}

} // namespace

Simulator::Step Simulator::run_ordered(Thread& thread, Task& task, Frame& frame) {
  const Frame* loop = loop_frame(task);
  if (loop == nullptr) return Step::done;
  const Construct* const construct = loop->construct;
  const std::size_t iteration = loop->iteration;
  Team& team = *task.team;
  MutexEvent event{thread.id,
                   task.id,
                   {MutexKind::ordered, 0x7000 + Address{number(team.id)} * 64},
                   MutexStep::acquiring,
                   0,
                   pc_of(frame.construct->id)};
  if (frame.stage == 0) {
    tell(event);
    frame.stage = 1;
    return Step::progress;
  }
  if (frame.stage == 1) {
    for (std::size_t i = 0; i < iteration; ++i)
      if (contains(construct->body[i], Op::ordered) && !team.ordered_done[{construct, i}]) return Step::blocked;
    event.step = MutexStep::acquired;
    tell(event);
    frame.stage = 2;
    return Step::progress;
  }
  if (run_body(task, frame) == Step::progress) return Step::progress;
  team.ordered_done[{construct, iteration}] = true;
  event.step = MutexStep::released;
  tell(event);
  return Step::done;
}

Simulator::Step Simulator::run_doacross(Thread& thread, Task& task, Frame& frame) {
  const Frame* loop = loop_frame(task);
  if (loop == nullptr) return Step::done;
  Team& team = *task.team;
  const Construct& c = *frame.construct;
  const bool source = c.op == Op::source;
  if (!source && c.number > loop->iteration) return Step::done;
  const std::size_t wanted = source ? loop->iteration : loop->iteration - c.number;
  if (!source && contains(loop->construct->body[wanted], Op::source) && !team.source_done[{loop->construct, wanted}])
    return Step::blocked;
  const std::uint64_t vector[] = {wanted};
  tell(Doacross{thread.id, task.id, team.id, source, vector});
  if (source) team.source_done[{loop->construct, wanted}] = true;
  return Step::done;
}

} // namespace fletcher::property
