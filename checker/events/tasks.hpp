// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events of tasks: what one is, its creation and dependences, where it runs, its end.
#pragma once

#include "checker/call_frame.hpp"

#include <cstddef>
#include <span>

namespace fletcher {

/// `operation`: what a library does for the program from a call on, until another call completes it (MPI_Irecv). It has
/// a thread of its own, which no system knows.
enum class TaskKind : std::uint8_t { initial, implicit, explicit_, target, foreign, operation };

/// Properties of an explicit or target task as its construct's clauses say, not as the runtime chose.
struct TaskTraits {
  bool undeferred = false; ///< if(0), or included in a final task: its creator waits for its end
  bool untied = false;
  bool final = false;
  bool mergeable = false;
  bool taskloop = false;
  /// It was given no address in its creator's frames, whatever its depend clauses name; false where that is unknown.
  bool reaches_no_frame = false;
};

enum class DependenceType : std::uint8_t { in, out, inout, mutexinoutset, inoutset };

/// One item of a depend clause. `all_memory`: omp_all_memory, address is 0.
struct Dependence {
  Address address = 0;
  DependenceType type = DependenceType::in;
  bool all_memory = false;
  bool permanent = false; ///< a variable of static storage duration: its address never becomes another's
};

struct TaskCreate {
  ThreadId thread;
  TaskId creator;
  TaskId task;
  TaskKind kind = TaskKind::explicit_;
  TaskTraits traits;
  Address pc = 0;
  Address stack_pointer = 0; ///< of the creator at the construct; 0 where unknown
  Address frames_end = 0;    ///< the creator's frames are below this on its thread's stack; 0 where unknown
  /// Addresses of what the task uses by reference (shared), where the compiler's layout says for certain.
  std::span<const Address> captures = {};
  CallFrame call = {}; ///< the creator's at the construct, where known
  /// Of each capture the frame, or empty; one without details is not certain.
  std::span<const StackFrame> frames = {};
  std::shared_ptr<const StackWalk> walk = {}; ///< from that call outward, of an implicit task, where known
};

/// What is known of a list item's storage beyond its address.
struct Storage {
  std::size_t size = 0; ///< bytes; 0 where unknown
  Address content = 0;  ///< the pointer that it may hold, read when the clause was evaluated; 0 where not read
};

/// All depend clauses of a task, raised once, after its creation and before it starts.
struct TaskDependences {
  ThreadId thread;
  TaskId task;
  std::span<const Dependence> list;
  std::span<const Storage> storage = {};   ///< of each item, or empty
  Address stack_base = 0;                  ///< of the creator, as TaskSwitch tells it; 0 where unknown
  CallFrame call = {};                     ///< the creator's at the construct, where known
  std::span<const StackFrame> frames = {}; ///< of each item, or empty; one without details is not certain
};

/// The runtime's own word that `after` waits for `before` (an artefact of the schedule: not used for order).
struct TaskDependenceEdge {
  ThreadId thread;
  TaskId before;
  TaskId after;
};

/// `thread` starts or resumes `next`; `prior` stays unfinished.
struct TaskSwitch {
  ThreadId thread;
  TaskId prior;
  TaskId next;
  Address stack_base = 0; ///< `next` begins to run with its frames below this, on this thread's stack; 0 where unknown
};

/// The body of `task` ended on this thread. `detached`: its event is still open; the task is not complete.
struct TaskEnd {
  ThreadId thread;
  TaskId task;
  TaskId next;
  bool detached = false;
  bool cancelled = false; ///< discarded before it started, or ended by cancellation
  Address block = 0;      ///< the runtime's memory of the task; dead after this event
  std::size_t block_size = 0;
};

/// omp_fulfill_event for `task`, called by `thread`. `early`: its body has not ended yet.
struct TaskFulfill {
  ThreadId thread;
  TaskId task;
  bool early = false;
};

} // namespace fletcher
