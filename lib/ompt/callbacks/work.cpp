// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Worksharing, taskloop and masked constructs and the dispatch of their chunks: work, dispatch, masked.

#include "lib/ompt/company.hpp"
#include "lib/ompt/own_values.hpp"
#include "lib/ompt/quirks/quirks.hpp"
#include "lib/ompt/quirks/single.hpp"
#include "lib/ompt/quirks/undeferred.hpp"

#include <array>
#include <utility>

namespace fletcher::ompt {

namespace {

WorkKind work_kind(ompt_work_t kind) noexcept {
  switch (kind) {
  case ompt_work_loop: // runtimes before LLVM 19 do not tell the schedule
  case ompt_work_loop_other:
    return WorkKind::loop_other;
  case ompt_work_loop_static:
    return WorkKind::loop_static;
  case ompt_work_loop_dynamic:
    return WorkKind::loop_dynamic;
  case ompt_work_loop_guided:
    return WorkKind::loop_guided;
  case ompt_work_sections:
    return WorkKind::sections;
  case ompt_work_single_executor:
    return WorkKind::single_executor;
  case ompt_work_single_other:
    return WorkKind::single_other;
  case ompt_work_workshare:
    return WorkKind::workshare;
  case ompt_work_distribute:
    return WorkKind::distribute;
  case ompt_work_taskloop:
    return WorkKind::taskloop;
  case ompt_work_scope:
    return WorkKind::scope;
  }
  return WorkKind::loop_other;
}

/// The encountering task remembers that its tasks are a taskloop's, and what the loop's if clause said; the thread
/// remembers where the construct is.
Address begin_taskloop(Local& here, ompt_data_t* task, const void* codeptr_ra) {
  const CallHint hint = std::exchange(call_hint, CallHint::none);
  Tag::of(task).with(Tag::in_taskloop | (hint == CallHint::taskloop_if0 ? Tag::taskloop_if0 : 0)).store(task);
  const Address pc = quirks::creation_place(codeptr_ra, hint == CallHint::none ? 0 : call_pc);
  const Block pattern = std::exchange(taskloop_pattern, {});
  if (here.taskloop_depth < here.taskloops.size()) {
    here.taskloops[here.taskloop_depth] = pc;
    here.patterns[here.taskloop_depth] = pattern;
  }
  ++here.taskloop_depth;
  return pc;
}

/// The pattern of its tasks was copied and destroyed, and its memory is this thread's to give to others.
Address end_taskloop(const Entered& at, ompt_data_t* task) {
  Local& here = at.here();
  Tag::of(task).without(Tag::in_taskloop | Tag::taskloop_if0).store(task);
  const Address pc = taskloop_place(here);
  if (here.taskloop_depth != 0 && --here.taskloop_depth < here.patterns.size())
    if (const Block pattern = here.patterns[here.taskloop_depth]; pattern.size != 0)
      listener->on(MemoryEnd{at.thread(), pattern.address, pattern.size, MemoryKind::runtime, 0});
  return pc;
}

/// Each member gets parts of it by chance.
bool has_parts(ompt_work_t kind) noexcept {
  return kind == ompt_work_loop_dynamic || kind == ompt_work_loop_guided || kind == ompt_work_sections;
}
bool has_units(ompt_work_t kind) noexcept { return has_parts(kind) || kind == ompt_work_single_executor; }

bool is_loop(ompt_work_t kind) noexcept {
  const WorkKind what = work_kind(kind);
  return what <= WorkKind::loop_other || what == WorkKind::distribute;
}

void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t* task, std::uint64_t count,
             const void* codeptr_ra) {
  const Entered at;
  Local& here = at.here();
  const bool is_single = kind == ompt_work_single_executor || kind == ompt_work_single_other;
  const bool end_untold = is_single && std::exchange(single_without_end, false);
  const auto tell = [&](bool begin) {
    Address pc = quirks::sync_place(codeptr_ra);
    if (begin && has_units(kind)) doubt_own_values(pc);
    if (kind == ompt_work_taskloop) pc = begin ? begin_taskloop(here, task, codeptr_ra) : end_taskloop(at, task);
    listener->on(Work{at.thread(), at.task(), at.team(), work_kind(kind), begin, count, pc, end_untold});
  };
  const bool single = kind == ompt_work_single_executor && here.frame != nullptr && at.task() == here.frame->task;
  if ((endpoint & ompt_scope_begin) != 0) {
    if (kind != ompt_work_taskloop) end_untold_single(at);
    if ((has_parts(kind) || is_single) && here.frame != nullptr) come(*here.frame);
    tell(true);
    if (is_single && here.frame != nullptr)
      kind == ompt_work_single_executor ? begin_in_company(*here.frame) : leave_company(*here.frame);
    if (is_loop(kind)) Tag::of(task).with(Tag::in_loop).store(task);
    if (single) here.frame->in_single = true;
  }
  if ((endpoint & ompt_scope_end) != 0) {
    if (single) here.frame->in_single = false;
    if (is_loop(kind)) Tag::of(task).without(Tag::in_loop).store(task);
    if (has_parts(kind) && here.frame != nullptr) leave_company(*here.frame);
    tell(false);
  }
}

void on_dispatch(ompt_data_t*, ompt_data_t*, ompt_dispatch_t kind, ompt_data_t instance) {
  const Entered at;
  Dispatch event{at.thread(), at.task(), at.team(), DispatchKind::iteration, 0, 0};
  const auto chunk = [&](DispatchKind of) {
    const auto* const what = static_cast<const ompt_dispatch_chunk_t*>(instance.ptr);
    event.kind = of;
    if (what != nullptr) event.start = what->start, event.iterations = what->iterations;
  };
  switch (kind) {
  case ompt_dispatch_iteration:
    event.start = instance.value;
    event.iterations = 1;
    break;
  case ompt_dispatch_section:
    event.kind = DispatchKind::section;
    event.start = instance.value;
    break;
  case ompt_dispatch_ws_loop_chunk:
    chunk(DispatchKind::loop_chunk);
    break;
  case ompt_dispatch_taskloop_chunk:
    chunk(DispatchKind::taskloop_chunk);
    break;
  case ompt_dispatch_distribute_chunk:
    chunk(DispatchKind::distribute_chunk);
    break;
  }
  listener->on(event);
  if (Frame* const frame = at.here().frame; frame != nullptr) begin_in_company(*frame);
}

void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*, const void* codeptr_ra) {
  const Entered at;
  const Local& here = at.here();
  if (here.hidden_helper && here.frame == &here.root) return;
  if ((endpoint & ompt_scope_begin) != 0) {
    doubt_own_values(code(codeptr_ra));
    listener->on(Masked{at.thread(), at.task(), at.team(), true, code(codeptr_ra)});
  }
  if ((endpoint & ompt_scope_end) != 0)
    listener->on(Masked{at.thread(), at.task(), at.team(), false, code(codeptr_ra)});
}

} // namespace

void end_untold_single(const Entered& at) {
  Frame* const frame = at.here().frame;
  if (frame != nullptr && quirks::leaves_single(*frame, at.task()))
    listener->on(Work{at.thread(), frame->task, frame->team, WorkKind::single_executor, false, 0, 0});
}

std::span<const Callback> work_callbacks() {
  static const std::array list{
      Callback{ompt_callback_work, as_callback<ompt_callback_work_t>(on_work), "work"},
      Callback{ompt_callback_dispatch, as_callback<ompt_callback_dispatch_t>(on_dispatch), "dispatch"},
      Callback{ompt_callback_masked, as_callback<ompt_callback_masked_t>(on_masked), "masked"},
  };
  return list;
}

} // namespace fletcher::ompt
