// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events of synchronisation: barriers and waits for tasks, mutexes, doacross loops, flushes, and what orders threads
// outside of OpenMP.
#pragma once

#include "checker/events/tasks.hpp"

namespace fletcher {

enum class SyncKind : std::uint8_t {
  barrier_explicit,
  barrier_workshare, ///< the implicit barrier of for, sections, single
  barrier_parallel,  ///< the implicit barrier that closes a parallel region
  barrier_teams,     ///< the end of a league
  barrier_internal,  ///< one the runtime needs (copyprivate, cancellation, gcc's every barrier)
  gathering,         ///< not OpenMP's: all wait while the runtime gathers a reduction's copies, see Combination
  taskwait,
  taskgroup,
};

enum class MutexKind : std::uint8_t {
  lock,
  nest_lock,
  critical,
  atomic,
  ordered,
  posix,         ///< a mutex or spin lock of POSIX, or a lock that annotations report
  mutexinoutset, ///< the exclusion of a dependence type; the address is the list item's. Never in an event
};

/// A mutual-exclusion object: its kind and the address that stands for it.
struct Mutex {
  MutexKind kind = MutexKind::lock;
  Address address = 0;
};

/// A thread enters or leaves a synchronisation construct. A barrier's end is reported only where the thread really
/// goes on in the same team (a worker's late end of a closing barrier is not an event).
struct SyncBegin {
  ThreadId thread;
  TaskId task;
  TeamId team;
  SyncKind kind;
  Address pc = 0;
  Address stack_pointer = 0; ///< of the task at the construct; 0 where unknown
};
struct SyncEnd {
  ThreadId thread;
  TaskId task;
  TeamId team;
  SyncKind kind;
  Address pc = 0;
};

/// The thread has come to the end of its innermost taskgroup and waits for the tasks in it. (taskwaits and barriers
/// wait from their SyncBegin on.)
struct TaskgroupWait {
  ThreadId thread;
  TaskId task;
  Address pc = 0;
};

/// taskwait with depend, or the waiting half of an undeferred task with depend.
struct TaskwaitDepend {
  ThreadId thread;
  TaskId task;
  std::span<const Dependence> list;
  bool begin = false;
  Address pc = 0;
  std::span<const Storage> storage = {};   ///< of each item, or empty
  CallFrame call = {};                     ///< the task's at the construct, where known
  std::span<const StackFrame> frames = {}; ///< of each item, or empty; one without details is not certain
};

enum class MutexStep : std::uint8_t {
  init,
  init_nest,
  destroy,
  destroy_nest,
  calling,   ///< a routine was called with what may be no lock: a runtime may abort, and tell nothing
  acquiring, ///< about to wait
  testing,   ///< omp_test_lock; no `acquired` follows if it fails
  acquired,  ///< holds it now (the outermost level of a nest lock)
  nested,    ///< one level deeper in a nest lock it holds
  unnested,  ///< one level up
  releasing, ///< about to let go, where the call itself is seen; a runtime may abort and never tell `released`
  released,
};
struct MutexEvent {
  ThreadId thread;
  TaskId task;
  Mutex mutex;
  MutexStep step;
  std::uint32_t hint = 0;
  Address pc = 0;
  bool announced = false; ///< released, unnested: `releasing` was reported before
  /// init: the frame that the lock's variable is in; null where that is unknown.
  const StackFrame* frame = nullptr;
};

/// ordered depend(source) and ordered depend(sink) of a doacross loop nest; iteration numbers are normalised.
struct Doacross {
  ThreadId thread;
  TaskId task;
  TeamId team;
  bool source = false;
  std::span<const std::uint64_t> iteration;
};

enum class SinkKind : std::uint8_t {
  iteration, ///< as far as is known, one that may come before
  outside,   ///< the loop has no such iteration: OpenMP waits for none, but the runtime may
  later,     ///< one that would come after all of the loop: OpenMP does not allow it
};

/// The thread begins to wait for a sink's iteration, or has got it. Only where the runtime's entry point is interposed.
struct DoacrossWait {
  ThreadId thread;
  TaskId task;
  bool begin = false;
  Address pc = 0;
  SinkKind sink = SinkKind::iteration;
};

struct Flush {
  ThreadId thread;
  TaskId task;
  Address pc = 0;
};

/// Edges of the POSIX world and of annotations: a task that acquires `object` comes after all that released it before.
struct Release {
  ThreadId thread;
  Address object;
  bool first = false; ///< what was released before was of another object, which was there before
};
struct Acquire {
  ThreadId thread;
  Address object;
  bool more = false; ///< another one follows at once
};

} // namespace fletcher
