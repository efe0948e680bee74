// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a runtime's events differ from what OpenMP says, and what to make of them: one function for each fact, named
// after it. LLVM's runtimes 14 to 22 are meant unless a function says otherwise; docs/ompt.md has the list with the
// issues.
#pragma once

#include "lib/ompt/arguments.hpp"
#include "lib/ompt/local.hpp"
#include "lib/ompt/quirks/undeferred.hpp"
#include "lib/ompt/quirks/waiting_half.hpp"

#include <utility>

namespace fletcher::ompt::quirks {

/// The first `target nowait` starts a hidden team of helper threads: a region whose call is inside the runtime and
/// which an initial task of its own encounters. No construct of the program, so no event. (A call inside the runtime
/// alone may be the program's: the last call of an outlined function, where the compiler made it a jump.)
bool is_hidden_helper_region(const Local& here, TaskId encountering, const void* codeptr_ra) noexcept;

/// An initial task of a league. In a league of one team its parallel_data is a stale one of an earlier region
/// (llvm#64734), so the thread's own memory of the teams construct comes first. None: the initial task of the thread.
TeamId league_of_initial_task(const Local& here, const ompt_data_t* parallel_data) noexcept;

/// A region's parallel_data is the runtime's memory of a team, which another thread may have taken for a region of its
/// own before the end is reported here. So the thread's own memory comes first.
inline TeamId ended_team(Local& here, Tag told) noexcept {
  const TeamId own = std::exchange(here.ended, TeamId::none);
  return own != TeamId::none || told.has(Tag::hidden) ? own : told.team();
}

/// A taskgroup is reported with a copy of the task's data, on the runtime's stack (LLVM 19): the task's frame is not
/// beside it.
inline bool is_copy_of_data(SyncKind kind) noexcept { return kind == SyncKind::taskgroup; }

/// GOMP_teams_reg, where it is not interposed (the call that starts the tool), reports a place in the runtime.
inline Address league_place(const void* codeptr_ra) noexcept {
  return is_in_runtime(code(codeptr_ra)) ? 0 : code(codeptr_ra);
}

/// Each team of a league is reported as a region of its own, without a call. In a league of one team its size is
/// reported as the number of threads that a region inside may have, but one thread is all that enters it (llvm#78425).
inline bool is_team_of_league(const Frame* encountering, const void* codeptr_ra) noexcept {
  return codeptr_ra == nullptr && encountering != nullptr && encountering->league;
}

/// What the barrier is, for old runtimes too: those of LLVM 14 to 16 say `barrier_implicit` for the end of a
/// worksharing construct and of a region. The latter has no call of its own: its address is missing or that of the
/// region.
SyncKind barrier_kind(ompt_sync_region_t kind, const Local& here, const void* codeptr_ra) noexcept;
constexpr bool is_barrier(ompt_sync_region_t kind) noexcept {
  return kind != ompt_sync_region_taskwait && kind != ompt_sync_region_taskgroup && kind != ompt_sync_region_reduction;
}

/// A worker leaves the barrier that closes its region only when it is woken for the next one (or at exit), long after
/// the region: nothing of the program follows it, so it is not an event.
inline bool is_late_end(const Frame& frame) noexcept { return frame.closing && !frame.primary; }

/// A team or league of one gets no closing barrier from the runtime. It is made up, so that every region has the same
/// shape.
inline bool lacks_closing_barrier(const Frame& frame) noexcept {
  return frame.primary && frame.size == 1 && !frame.closing;
}

/// An untied task of a team of one is switched to while it runs already, or to itself (llvm#83883). `running` is what
/// this thread's events said before.
inline bool is_no_switch(TaskId running, TaskId next) noexcept { return next == TaskId::none || next == running; }

/// In a team of one (and where KMP_TASKING=0) every task is run at once and flagged undeferred (llvm#89398): the flag
/// says nothing about the clauses there.
bool is_undeferred_flag_overloaded(const Local& here) noexcept;

/// `taskwait depend` and `if(0)` with depend assert that the thread's data, which the runtime lends to their waiting
/// half, is empty (kmp_taskdeps.cpp, LLVM 19). It would not be where one waits inside of another one on the same
/// thread, or after the runtime has put the data of a worker's implicit task there, as it does when the worker has
/// begun to close its region. So the waiting half gets no tag, and a worker's implicit task loses its own just before
/// that.
inline bool is_waiting_half(const ompt_data_t* task) noexcept { return task == waiting_half.data && task != nullptr; }
inline void close_region(Frame& frame, ompt_data_t* task) noexcept {
  frame.closing = true;
  if (!frame.primary) Tag().store(task);
}
/// `taskwait depend nowait` waits in LLVM 19, and is reported like one without nowait. It is an empty task instead,
/// which its siblings come before and after, and not its creator.
inline bool is_taskwait_with_nowait(const TaskArguments& call) noexcept { return call.nowait; }
/// The task of `data`, also where it has lost its tag.
inline TaskId resumed_task(const Local& here, const ompt_data_t* data) noexcept {
  const Tag tag = Tag::of(data);
  if (!tag.empty() || data == nullptr || here.frame == nullptr || !is_late_end(*here.frame)) return tag.task();
  return here.frame->task;
}

/// What the interposed entry point saw (0: nothing) is better than what the runtime tells: the creation of a taskloop's
/// tasks and of gcc's if(0) with depend is reported with an address inside the runtime (llvm#92423), that of a task
/// that an interposed entry point makes with one inside this library, and while the primary thread waits for the end of
/// its region, that of gcc's tasks with the region's.
inline Address creation_place(const void* codeptr_ra, Address interposed) noexcept {
  return interposed != 0 && !is_in_runtime(interposed) && !runtime.own_code.contains(interposed) ? interposed
                                                                                                 : code(codeptr_ra);
}

/// A construct at the end of an outlined function is called by a jump: then the runtime tells an address of its own.
/// The loop of a region that an interposed entry point made has a place in this library.
inline Address sync_place(const void* codeptr_ra) noexcept {
  const Address told = code(codeptr_ra);
  return is_in_runtime(told) || runtime.own_code.contains(told) ? 0 : told;
}

/// gcc's objects do not tell that the executor of a single construct has left it: it has when it goes on to a barrier,
/// to the next worksharing construct or to the end of its implicit task.
inline bool leaves_single(Frame& frame, TaskId running) noexcept {
  return frame.in_single && running == frame.task && std::exchange(frame.in_single, false);
}

/// LLVM 14 and 16 report omp_all_memory as type 0, LLVM 19 that of a wait as any type.
DependenceType dependence_type(ompt_dependence_type_t type) noexcept;
bool is_all_memory(const ompt_dependence_t& item) noexcept;

} // namespace fletcher::ompt::quirks
