// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explicit and target tasks: task_create and task_schedule. The hot path of task programs: no lock, no allocation, but
// for detached tasks.

#include "lib/annotate/threads/own_stack.hpp"
#include "lib/ompt/arguments.hpp"
#include "lib/ompt/quirks/detached.hpp"
#include "lib/ompt/quirks/quirks.hpp"
#include "lib/ompt/quirks/undeferred.hpp"
#include "lib/ompt/quirks/untied.hpp"
#include "lib/ompt/unwind.hpp"

#include <array>
#include <functional>
#include <utility>

namespace fletcher::ompt {

namespace {

/// What the clauses say, not what the runtime chose.
bool is_undeferred(const Local& here, int flags, Tag creator, CallHint hint) noexcept {
  if (!has(flags, ompt_task_undeferred)) return false;
  if (creator.has(Tag::final_task)) return true; // included
  if (!quirks::is_undeferred_flag_overloaded(here)) return true;
  if (creator.has(Tag::in_taskloop)) return creator.has(Tag::taskloop_if0);
  return hint == CallHint::undeferred;
}

/// Not an explicit task.
bool is_member(const Local& here, Tag creator) noexcept {
  return here.frame != nullptr && here.frame->size > 1 && here.frame->task == creator.task();
}

void on_task_create(ompt_data_t* encountering, const ompt_frame_t* frame, ompt_data_t* created, int flags, int,
                    const void* codeptr_ra) {
  const Entered at;
  if (has(flags, ompt_task_taskwait)) {
    // The hint of an undeferred task with depend is for its other half, which follows.
    waiting_half.data = created;
    waiting_half.pc = at.here().created_pc = code(codeptr_ra);
    return;
  }
  const TaskId task = tool::next_task_id();
  const CallHint hint = std::exchange(call_hint, CallHint::none);
  const Tag creator = Tag::of(encountering);
  if (!creator.has(Tag::in_taskloop)) follow(at, encountering); // else it may be another thread's
  const Address known = hint != CallHint::none          ? call_pc
                        : creator.has(Tag::in_taskloop) ? taskloop_place(at.here())
                                                        : 0;
  const Address target = std::exchange(target_task_pc, 0);
  const Address pc = target != 0 ? target : quirks::creation_place(codeptr_ra, known);
  at.here().created_pc = pc;
  TaskTraits traits;
  traits.undeferred = is_undeferred(at.here(), flags, creator, hint);
  traits.untied = has(flags, ompt_task_untied);
  if (traits.untied) untied_met.store(true, std::memory_order_relaxed);
  traits.final = has(flags, ompt_task_final);
  traits.mergeable = has(flags, ompt_task_mergeable);
  traits.taskloop = creator.has(Tag::in_taskloop);
  traits.reaches_no_frame = std::exchange(arguments.reaches_no_frame, false);
  Tag(task, (traits.final ? Tag::final_task : 0) | (traits.taskloop ? Tag::in_loop : 0))
      .with_size(arguments.created(code(created)))
      .store(created);
  const TaskKind kind = has(flags, ompt_task_target) ? TaskKind::target : TaskKind::explicit_;
  if (!arguments.captures.empty()) {
    let_frames_matter();
    if (creator.has(Tag::in_loop)) arguments.leave_out_iteration_variables();
  }
  // Of a task that its creator executes by itself the runtime gives the frame of the creator, which has locals below.
  const Address stack_pointer = traits.undeferred ? 0 : stack_at_call(frame);
  const CallFrame call = call_at(frame, pc);
  const std::vector<StackFrame> frames =
      traits.undeferred ? std::vector<StackFrame>()
                        : frames_at(call, arguments.captures.first(arguments.references), std::identity());
  const TaskId parent = creator.task() == TaskId::none ? at.task() : creator.task();
  listener->on(TaskCreate{at.thread(), parent, task, kind, traits, pc, stack_pointer,
                          frame == nullptr ? 0 : code(frame->exit_frame.ptr), std::exchange(arguments.captures, {}),
                          call, frames, is_member(at.here(), creator) ? walk_from(call) : nullptr});
  if (!traits.undeferred) return;
  if (const auto exclusions = waiting_half.take_exclusions(parent); !exclusions.empty())
    listener->on(TaskDependences{.thread = at.thread(), .task = task, .list = exclusions});
}

/// The runtime's memory of the running task, as far as the program may access it. Only while the task is the runtime's
/// current one.
Block block_of_running_task(const ompt_data_t* data) noexcept {
  if (const std::size_t size = Tag::of(data).size(); size != 0)
    return {code(data) + distance_to_task.load(std::memory_order_relaxed), size};
  void* address = nullptr;
  std::size_t size = 0;
  if (runtime.get_task_memory != nullptr) runtime.get_task_memory(&address, &size, 0);
  return {code(address), address == nullptr ? 0 : size};
}

void end_task(const Entered& at, const ompt_data_t* prior, ompt_task_status_t status, const ompt_data_t* next) {
  const TaskId task = Tag::of(prior).task();
  const Block block = runtime.checks_accesses && task == at.task() ? block_of_running_task(prior) : Block{};
  const bool detached = status == ompt_task_detach;
  if (detached) remember_block(task, block);
  const TaskId resumed = next == nullptr && task != at.task() ? at.task() : quirks::resumed_task(at.here(), next);
  at.place().task = resumed;
  listener->on(TaskEnd{at.thread(), task, resumed, detached, status == ompt_task_cancel, detached ? 0 : block.address,
                       detached ? 0 : block.size});
}

void fulfill(const Entered& at, TaskId task, bool early) {
  listener->on(TaskFulfill{at.thread(), task, early});
  if (early) return;
  if (const Block block = forget_block(task); block.size != 0)
    listener->on(MemoryEnd{at.thread(), block.address, block.size, MemoryKind::runtime, 0});
}

void on_task_schedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next) {
  const Entered at;
  switch (status) {
  case ompt_task_switch:
  case ompt_task_yield: {
    follow(at, prior);
    const TaskId resumed = quirks::resumed_task(at.here(), next);
    if (quirks::is_no_switch(at.task(), resumed)) return;
    const TaskId suspended = std::exchange(at.place().task, resumed);
    if (runtime.changes_functions) annotate::next_function = function_of(code(next));
    return listener->on(
        TaskSwitch{at.thread(), suspended, resumed, runtime.checks_accesses ? stack_of_running_task(next) : 0});
  }
  case ompt_task_complete:
  case ompt_task_detach:
    follow(at, prior);
    [[fallthrough]];
  case ompt_task_cancel: // it may never have run
    return end_task(at, prior, status, next);
  case ompt_task_early_fulfill:
    return fulfill(at, Tag::of(prior).task(), true);
  case ompt_task_late_fulfill:
    return fulfill(at, Tag::of(prior).task(), false);
  case ompt_taskwait_complete:
    follow_runtime(at);
    if (const TaskId nowait = waiting_half.end(); nowait != TaskId::none) {
      listener->on(TaskSwitch{at.thread(), at.task(), nowait});
      return listener->on(TaskEnd{.thread = at.thread(), .task = nowait, .next = at.task()});
    }
    return listener->on(TaskwaitDepend{at.thread(), at.task(), {}, false, std::exchange(waiting_half.pc, 0)});
  }
}

} // namespace

std::span<const Callback> task_callbacks() {
  static const std::array list{
      Callback{ompt_callback_task_create, as_callback<ompt_callback_task_create_t>(on_task_create), "task_create"},
      Callback{ompt_callback_task_schedule, as_callback<ompt_callback_task_schedule_t>(on_task_schedule),
               "task_schedule"},
  };
  return list;
}

} // namespace fletcher::ompt
