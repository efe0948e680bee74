// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What can happen in an OpenMP program, as plain types, and the interface of whoever listens. The words are
// OpenMP's; no event is named after a runtime's callback. Relies on ids.hpp only.
//
// Thread-safety: events arrive on the thread that they name, concurrently from all threads. The caller
// guarantees the order that OpenMP's runtime guarantees (facts: a task completes before its waiter resumes).
#pragma once

#include "checker/ids.hpp"

#include <cstddef>
#include <span>

namespace fletcher {

enum class TaskKind : std::uint8_t { initial, implicit, explicit_, target, foreign };

/// Properties of an explicit or target task as its construct's clauses say, not as the runtime chose.
struct TaskTraits {
  bool undeferred = false; ///< if(0), or included in a final task: its creator waits for its end
  bool untied = false;
  bool final = false;
  bool mergeable = false;
  bool taskloop = false;
};

enum class DependenceType : std::uint8_t { in, out, inout, mutexinoutset, inoutset };

/// One item of a depend clause. `all_memory`: omp_all_memory, address is 0.
struct Dependence {
  Address address = 0;
  DependenceType type = DependenceType::in;
  bool all_memory = false;
  bool permanent = false; ///< a variable of static storage duration: its address never becomes another's
};

enum class SyncKind : std::uint8_t {
  barrier_explicit,
  barrier_workshare, ///< the implicit barrier of for, sections, single
  barrier_parallel,  ///< the implicit barrier that closes a parallel region
  barrier_teams,     ///< the end of a league
  barrier_internal,  ///< one the runtime needs (copyprivate, reductions, cancellation, gcc's every barrier)
  taskwait,
  taskgroup,
};

enum class MutexKind : std::uint8_t {
  lock,
  nest_lock,
  critical,
  atomic,
  ordered,
  posix,         ///< a mutex or spin lock of POSIX, or a lock that annotations tell of
  mutexinoutset, ///< the exclusion of a dependence type; the address is the list item's. Never in an event
};

/// A mutual-exclusion object: its kind and the address that stands for it.
struct Mutex {
  MutexKind kind = MutexKind::lock;
  Address address = 0;
};

enum class WorkKind : std::uint8_t {
  loop_static,
  loop_dynamic,
  loop_guided,
  loop_other,
  sections,
  single_executor,
  single_other,
  workshare,
  distribute,
  taskloop,
  scope,
};

struct ThreadBegin {
  ThreadId thread;
  bool openmp_worker = false;
};
struct ThreadEnd {
  ThreadId thread;
};
/// A task that no construct created: the initial task of a thread, or what a plain pthread runs (foreign).
struct InitialTaskBegin {
  ThreadId thread;
  TaskId task;
  TaskKind kind = TaskKind::initial;
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
  Address stack_pointer = 0; ///< of the encountering task at the construct; 0 where unknown
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
};
struct ImplicitTaskEnd {
  ThreadId thread;
  TeamId team;
  TaskId task;
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
  std::span<const Storage> storage = {}; ///< of each item, or empty
  Address stack_base = 0;                ///< of the creator, as TaskSwitch tells it; 0 where unknown
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
  std::span<const Storage> storage = {}; ///< of each item, or empty
};

enum class MutexStep : std::uint8_t {
  init,
  init_nest,
  destroy,
  destroy_nest,
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
  bool announced = false; ///< released, unnested: `releasing` was told before
};

/// ordered depend(source) and ordered depend(sink) of a doacross loop nest; iteration numbers are normalised.
struct Doacross {
  ThreadId thread;
  TaskId task;
  TeamId team;
  bool source = false;
  std::span<const std::uint64_t> iteration;
};

/// The thread begins to wait for a sink's iteration, or has got it. Only where the runtime's entry point is interposed.
struct DoacrossWait {
  ThreadId thread;
  TaskId task;
  bool begin = false;
  Address pc = 0;
};

struct Work {
  ThreadId thread;
  TaskId task;
  TeamId team;
  WorkKind kind;
  bool begin = false;
  std::uint64_t count = 0;
  Address pc = 0;
  bool end_untold = false; ///< at a begin: the end will be told late, when the thread has gone on already
};
enum class DispatchKind : std::uint8_t { iteration, section, loop_chunk, taskloop_chunk, distribute_chunk };
struct Dispatch {
  ThreadId thread;
  TaskId task;
  TeamId team;
  DispatchKind kind;
  std::uint64_t start = 0;
  std::uint64_t iterations = 0;
};
struct Masked {
  ThreadId thread;
  TaskId task;
  TeamId team;
  bool begin = false;
  Address pc = 0;
};
/// The runtime combines reduction copies between begin and end; nothing in between is the program's access.
struct Reduction {
  ThreadId thread;
  TaskId task;
  TeamId team;
  bool begin = false;
  Address pc = 0;
};
enum class CancelKind : std::uint8_t { parallel, sections, loop, taskgroup };
struct Cancel {
  ThreadId thread;
  TaskId task;
  CancelKind kind;
  bool activated = false;
  bool discarded = false;
  Address pc = 0;
};
struct Flush {
  ThreadId thread;
  TaskId task;
  Address pc = 0;
};
struct ErrorDirective {
  ThreadId thread;
  bool fatal = false;
  const char* message = nullptr;
  std::size_t length = 0;
  Address pc = 0;
};

/// Edges of the POSIX world and of annotations: whoever acquires `object` comes after whoever released it before.
struct Release {
  ThreadId thread;
  Address object;
};
struct Acquire {
  ThreadId thread;
  Address object;
};

/// [address, address+size) begins or ends its life: heap block, mapped memory, dead part of a stack, runtime memory.
enum class MemoryKind : std::uint8_t { heap, mapping, stack, runtime };
struct MemoryBegin {
  ThreadId thread;
  Address address;
  std::size_t size;
  MemoryKind kind = MemoryKind::heap;
  Address pc = 0;
};
struct MemoryEnd {
  ThreadId thread;
  Address address;
  std::size_t size;
  MemoryKind kind = MemoryKind::heap;
  Address pc = 0;
};

enum class DeviceStep : std::uint8_t { initialize, finalize, load, unload };
struct DeviceEvent {
  DeviceStep step;
  std::uint64_t device = 0;
};
struct TargetRegion {
  ThreadId thread;
  TaskId task;
  bool begin = false;
  std::int32_t device = 0;
  Address pc = 0;
};
enum class DataOpKind : std::uint8_t { alloc, to_device, from_device, delete_, associate, disassociate, memset };
struct DataOp {
  ThreadId thread;
  TaskId task;
  DataOpKind kind;
  bool begin = false;
  Address source = 0;
  std::int32_t source_device = 0;
  Address target = 0;
  std::int32_t target_device = 0;
  std::size_t bytes = 0;
  Address pc = 0;
};
struct KernelSubmit {
  ThreadId thread;
  TaskId task;
  bool begin = false;
};

/// Implemented by the checker, by the ThreadSanitizer annotator, by a trace recorder: each event does nothing unless
/// overridden.
class Listener {
public:
  Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  virtual ~Listener() = default;

  virtual void on(const ThreadBegin&) {}
  virtual void on(const ThreadEnd&) {}
  virtual void on(const InitialTaskBegin&) {}
  virtual void on(const InitialTaskEnd&) {}
  virtual void on(const ParallelBegin&) {}
  virtual void on(const ParallelEnd&) {}
  virtual void on(const ImplicitTaskBegin&) {}
  virtual void on(const ImplicitTaskEnd&) {}
  virtual void on(const TaskCreate&) {}
  virtual void on(const TaskDependences&) {}
  virtual void on(const TaskDependenceEdge&) {}
  virtual void on(const TaskSwitch&) {}
  virtual void on(const TaskEnd&) {}
  virtual void on(const TaskFulfill&) {}
  virtual void on(const SyncBegin&) {}
  virtual void on(const SyncEnd&) {}
  virtual void on(const TaskgroupWait&) {}
  virtual void on(const TaskwaitDepend&) {}
  virtual void on(const MutexEvent&) {}
  virtual void on(const Doacross&) {}
  virtual void on(const DoacrossWait&) {}
  virtual void on(const Work&) {}
  virtual void on(const Dispatch&) {}
  virtual void on(const Masked&) {}
  virtual void on(const Reduction&) {}
  virtual void on(const Cancel&) {}
  virtual void on(const Flush&) {}
  virtual void on(const ErrorDirective&) {}
  virtual void on(const Release&) {}
  virtual void on(const Acquire&) {}
  virtual void on(const MemoryBegin&) {}
  virtual void on(const MemoryEnd&) {}
  virtual void on(const DeviceEvent&) {}
  virtual void on(const TargetRegion&) {}
  virtual void on(const DataOp&) {}
  virtual void on(const KernelSubmit&) {}
};

} // namespace fletcher
