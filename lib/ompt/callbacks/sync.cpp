// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers, taskwait, taskgroup and reductions: sync_region, sync_region_wait, reduction.

#include "lib/ompt/quirks/gathering.hpp"
#include "lib/ompt/quirks/quirks.hpp"
#include "lib/ompt/quirks/untied.hpp"
#include "lib/tool/watcher.hpp"

#include <array>
#include <utility>

namespace fletcher::ompt {

namespace {

SyncKind sync_kind(const Local& here, ompt_sync_region_t kind, const void* codeptr_ra) noexcept {
  if (kind == ompt_sync_region_taskwait) return SyncKind::taskwait;
  if (kind == ompt_sync_region_taskgroup) return SyncKind::taskgroup;
  return quirks::barrier_kind(kind, here, codeptr_ra);
}

/// The task's stack at its construct: frames below are gone.
Address stack_pointer(SyncKind kind, const ompt_data_t* task) noexcept {
  // The runtime has forgotten the member's frames when it closes its region; but its own lie where they were.
  if (kind == SyncKind::barrier_parallel) return reinterpret_cast<Address>(__builtin_frame_address(0));
  if (!frames_matter.load(std::memory_order_relaxed)) return 0;
  return stack_at_call(frame_of_running_task(quirks::is_copy_of_data(kind) ? nullptr : task));
}

void begin(const Entered& at, ompt_sync_region_t region, ompt_data_t* task, const void* codeptr_ra) {
  Local& here = at.here();
  const SyncKind kind = sync_kind(here, region, codeptr_ra);
  follow(at, task);
  tool::watch();
  if (quirks::is_barrier(region)) end_untold_single(at);
  if (here.frame != nullptr && (kind == SyncKind::barrier_parallel || kind == SyncKind::barrier_teams))
    quirks::close_region(*here.frame, task);
  gathering.met = gathering.met || kind == SyncKind::gathering;
  gathering.updates = nullptr;
  const Address place = kind == SyncKind::gathering ? gathering.pc : quirks::sync_place(codeptr_ra);
  listener->on(SyncBegin{at.thread(), at.task(), at.team(), kind, place, stack_pointer(kind, task)});
}

void end(const Entered& at, ompt_sync_region_t region, const ompt_data_t* task, const void* codeptr_ra) {
  Local& here = at.here();
  SyncKind kind = sync_kind(here, region, codeptr_ra);
  if (kind == SyncKind::taskgroup && std::exchange(here.group_waited, false)) return;
  if (quirks::is_barrier(region) && here.frame != nullptr) {
    if (quirks::is_late_end(*here.frame)) return;
    if (here.frame->closing && kind == SyncKind::barrier_workshare) kind = SyncKind::barrier_parallel;
  }
  follow(at, task);
  listener->on(SyncEnd{at.thread(), at.task(), at.team(), kind, code(codeptr_ra)});
}

void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t* task,
                    const void* codeptr_ra) {
  const Entered at;
  const Local& here = at.here();
  if (here.hidden_helper && quirks::is_barrier(kind) && here.frame == &here.root) return;
  if ((endpoint & ompt_scope_begin) != 0) begin(at, kind, task, codeptr_ra);
  if ((endpoint & ompt_scope_end) != 0) end(at, kind, task, codeptr_ra);
}

/// Of a taskgroup only: it waits at its end, and where it has a reduction it combines its tasks' results, in the
/// program's code, after the wait and before the region's end.
void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t* task,
                         const void* codeptr_ra) {
  if (kind != ompt_sync_region_taskgroup) return;
  const Entered at;
  if (endpoint == ompt_scope_begin)
    return listener->on(TaskgroupWait{at.thread(), at.task(), quirks::sync_place(codeptr_ra)});
  end(at, kind, task, codeptr_ra);
  at.here().group_waited = true;
  if (task_modifier.member == nullptr || task_modifier.member != at.here().frame) return;
  task_modifier.combines = true;
  listener->on(Reduction{at.thread(), at.task(), at.team(), true, code(codeptr_ra)});
}

void on_reduction(ompt_sync_region_t, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*,
                  const void* codeptr_ra) {
  const Entered at;
  if ((endpoint & ompt_scope_begin) != 0)
    listener->on(Reduction{at.thread(), at.task(), at.team(), true, code(codeptr_ra)});
  if ((endpoint & ompt_scope_end) != 0)
    listener->on(Reduction{at.thread(), at.task(), at.team(), false, code(codeptr_ra)});
}

} // namespace

std::span<const Callback> sync_callbacks() {
  static const std::array list{
      Callback{ompt_callback_sync_region, as_callback<ompt_callback_sync_region_t>(on_sync_region), "sync_region"},
      Callback{ompt_callback_sync_region_wait, as_callback<ompt_callback_sync_region_t>(on_sync_region_wait),
               "sync_region_wait"},
      Callback{ompt_callback_reduction, as_callback<ompt_callback_sync_region_t>(on_reduction), "reduction"},
  };
  return list;
}

} // namespace fletcher::ompt
