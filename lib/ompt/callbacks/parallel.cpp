// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parallel and teams constructs and their implicit tasks: parallel_begin, parallel_end, implicit_task.

#include "lib/interpose/binding/late_binding.hpp"
#include "lib/interpose/effects/binding_calls.hpp"
#include "lib/interpose/openmp/team_sizes.hpp"
#include "lib/ompt/company.hpp"
#include "lib/ompt/quirks/quirks.hpp"
#include "lib/ompt/unwind.hpp"
#include "lib/tool/session.hpp"
#include "lib/tool/watcher.hpp"

#include <array>
#include <utility>

namespace fletcher::ompt {

namespace {

void on_parallel_begin(ompt_data_t* encountering, const ompt_frame_t* frame, ompt_data_t* parallel, unsigned requested,
                       int flags, const void* codeptr_ra) {
  const Entered at;
  Local& here = at.here();
  const TeamId team = tool::next_team_id();
  const bool sized = std::exchange(here.sized, false) || program_sizes_teams.load(std::memory_order_relaxed);
  const bool gomp = std::exchange(here.gomp, false);
  const bool by_plugin = std::exchange(here.open, false);
  here.begun_open = by_plugin && !sized && is_outside(here, here.frame) && interpose::leaves_team_sizes_open();
  const bool league = has(flags, ompt_parallel_league);
  if (!league && quirks::is_hidden_helper_region(here, at.task(), codeptr_ra)) {
    here.hidden_helper = true;
    Tag(team, Tag::hidden).store(parallel);
    return;
  }
  Tag(team, (league ? Tag::league : 0) | (sized ? Tag::sized : 0)).store(parallel);
  here.begun = team;
  here.begun_league = league;
  const Address of_league = std::exchange(here.league_pc, 0);
  const Address pc = !league ? code(codeptr_ra) : of_league != 0 ? of_league : quirks::league_place(codeptr_ra);
  here.begun_pc = pc;
  here.begun_team_of_league = !league && quirks::is_team_of_league(here.frame, codeptr_ra);
  tool::watch();
  if (at.place().team == TeamId::none) { // in new libraries
    interpose::stand_before_runtime(runtime.calls);
    if (tool::session()->sees_libraries()) interpose::bind_calls_of_all();
  }
  const Address stack_pointer = frame == nullptr ? 0 : code(frame->enter_frame.ptr);
  const CallFrame call = call_at(frame, pc);
  listener->on(ParallelBegin{at.thread(), task_of(encountering, at), team, requested, league, pc, stack_pointer, call,
                             walk_from(call), gomp, by_plugin});
}

void on_parallel_end(ompt_data_t* parallel, ompt_data_t* encountering, int, const void* codeptr_ra) {
  const Entered at;
  const TeamId team = quirks::ended_team(at.here(), Tag::of(parallel));
  if (team == TeamId::none) return;
  at.here().begun = TeamId::none;
  at.here().begun_league = false;
  listener->on(ParallelEnd{at.thread(), task_of(encountering, at), team, code(codeptr_ra)});
}

void begin_implicit_task(const Entered& at, TeamId team, bool league, ompt_data_t* task, unsigned size, unsigned index,
                         bool sized) {
  Local& here = at.here();
  const bool primary = here.begun == team && team != TeamId::none;
  Frame& frame = enter_frame(here);
  frame.team = team;
  frame.task = tool::next_task_id();
  frame.encountering = at.task();
  frame.size = primary && here.begun_team_of_league ? 1 : size;
  frame.primary = primary;
  if (primary) frame.pc = here.begun_pc;
  frame.league = league;
  frame.sized = sized;
  frame.open = primary && frame.size == 1 && !league && here.begun_open;
  here.begun = TeamId::none;
  here.begun_league = false;
  Tag(frame.task, 0).store(task);
  at.place().task = frame.task;
  at.place().team = team;
  listener->on(ImplicitTaskBegin{at.thread(), team, frame.task, index, frame.size, frame.open});
  if (!league) {
    come(frame);
    begin_in_company(frame);
  }
}

void begin(ompt_data_t* parallel, ompt_data_t* task, unsigned size, unsigned index, int flags) {
  const Entered at;
  Local& here = at.here();
  const Tag team = Tag::of(parallel);
  if (has(flags, ompt_task_initial)) {
    if (const TeamId league = quirks::league_of_initial_task(here, parallel); league != TeamId::none)
      return begin_implicit_task(at, league, true, task, size, index, team.has(Tag::sized));
    return Tag(at.task(), 0).store(task); // the thread's own: reported when the thread began
  }
  if (team.has(Tag::hidden)) {
    here.hidden_helper = true;
    tool::begin_foreign_task();
    here.root.task = at.task();
    return Tag(at.task(), 0).store(task);
  }
  // A worker that never came out of its last region (its end was not reported): that one is over.
  while (here.frame != nullptr && here.frame->outer != nullptr && here.frame->closing && !here.frame->primary)
    leave_frame(here);
  begin_implicit_task(at, team.team(), false, task, size, index, team.has(Tag::sized));
}

void end(ompt_data_t* task) {
  const Entered at;
  Local& here = at.here();
  Frame* const frame = here.frame;
  if (frame == nullptr || frame == &here.root || quirks::resumed_task(here, task) != frame->task) return;
  end_untold_single(at);
  if (quirks::lacks_closing_barrier(*frame)) {
    const SyncKind kind = frame->league ? SyncKind::barrier_teams : SyncKind::barrier_parallel;
    listener->on(SyncBegin{at.thread(), frame->task, frame->team, kind, frame->pc});
    listener->on(SyncEnd{at.thread(), frame->task, frame->team, kind, frame->pc});
  }
  listener->on(ImplicitTaskEnd{at.thread(), frame->team, frame->task});
  at.place().task = frame->encountering;
  if (frame->primary) here.ended = frame->team;
  leave_frame(here);
  at.place().team = here.frame->team;
}

void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task, unsigned size,
                      unsigned index, int flags) {
  if (endpoint == ompt_scope_begin)
    begin(parallel, task, size, index, flags);
  else
    end(task);
}

} // namespace

std::span<const Callback> parallel_callbacks() {
  static const std::array list{
      Callback{ompt_callback_parallel_begin, as_callback<ompt_callback_parallel_begin_t>(on_parallel_begin),
               "parallel_begin"},
      Callback{ompt_callback_parallel_end, as_callback<ompt_callback_parallel_end_t>(on_parallel_end), "parallel_end"},
      Callback{ompt_callback_implicit_task, as_callback<ompt_callback_implicit_task_t>(on_implicit_task),
               "implicit_task"},
  };
  return list;
}

} // namespace fletcher::ompt
