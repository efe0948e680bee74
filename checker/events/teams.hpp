// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events of threads and of teams: initial tasks, parallel regions, implicit tasks.
#pragma once

#include "checker/events/tasks.hpp"

namespace fletcher {

struct ThreadBegin {
  ThreadId thread;
  bool openmp_worker = false;
};
struct ThreadEnd {
  ThreadId thread;
};

/// A thread is about to create one of the program's own: from now on that one may be running.
struct ThreadCreate {
  ThreadId thread;     ///< that creates
  bool failed = false; ///< it did not come about, after all
};

/// A task that no construct created: the initial task of a thread, or what a plain pthread runs (foreign).
struct InitialTaskBegin {
  ThreadId thread;
  TaskId task;
  TaskKind kind = TaskKind::initial;
  bool announced = false; ///< by a ThreadCreate
  // Of an operation:
  ThreadId creator = ThreadId::none; ///< whose running task began it
  Address pc = 0;                    ///< where that call goes on
};
struct InitialTaskEnd {
  ThreadId thread;
  TaskId task;
};

struct ParallelBegin {
  ThreadId thread;
  TaskId encountering;
  TeamId team;
  std::uint32_t requested = 0; ///< threads or teams asked for
  bool league = false;         ///< a teams construct: the members are initial tasks of its teams
  Address pc = 0;
  Address stack_pointer = 0;                  ///< of the encountering task at the construct; 0 where unknown
  CallFrame call = {};                        ///< the same, where known
  std::shared_ptr<const StackWalk> walk = {}; ///< from that call outward, where known
  bool gomp = false; ///< by an entry point of gcc's: without this library its program may run on libgomp
  /// By code that tells where a thread may find, in variables of its own, what it did before (the plugin's).
  bool own_values_are_told = false;
};
struct ParallelEnd {
  ThreadId thread;
  TaskId encountering;
  TeamId team;
  Address pc = 0;
};
struct ImplicitTaskBegin {
  ThreadId thread;
  TeamId team;
  TaskId task;
  std::uint32_t index = 0; ///< thread number in the team
  std::uint32_t size = 0;  ///< the team's size
  bool open = false;       ///< it is one, and the program leaves open how many there are
};
struct ImplicitTaskEnd {
  ThreadId thread;
  TeamId team;
  TaskId task;
};

/// The process is a child of fork() now. It has this thread of its parent's only.
struct Forked {
  ThreadId thread;
};
/// The program had the runtime end the threads that it keeps for later regions (omp_pause_resource).
struct ThreadsReleased {
  ThreadId thread;
};

} // namespace fletcher
