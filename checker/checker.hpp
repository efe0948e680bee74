// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checker as its users (lib/tool, unit tests, trace replay) see it: give it events and accesses, it gives
// findings. Composes order/, constructs/, access/ and rules/; owns all state, so that a process may hold several.
#pragma once

#include "checker/access/cells/cell.hpp"
#include "checker/events.hpp"
#include "checker/finding.hpp"

#include <memory>
#include <span>
#include <vector>

namespace fletcher {

namespace access {
struct ThreadState;
class MemoryMap;
class Watcher;
} // namespace access
namespace constructs {
class AtomicOrder;
}

struct LaneDependence; // rules/lane_race.hpp
struct MpiCall;        // rules/mpi_threads.hpp
struct MpiUse;         // rules/mpi_threads.hpp
struct MpiMistake;     // rules/mpi_usage.hpp
struct MpiMessage;     // rules/probed_messages.hpp

struct CheckerConfig {
  bool accesses = true;                      ///< level native: shadow memory is reserved and accesses are checked
  bool all_accesses = true;                  ///< false: those of library functions are all that is reported
  bool lock_order_is_order = true;           ///< races ordered only by this run's lock order are not findings
  unsigned address_bits = 44;                ///< of access::Shadow (tests use fewer)
  bool posix_is_told = true;                 ///< mutexes, semaphores and other objects of POSIX in the program's code
  bool lock_lives_are_told = false;          ///< the initialisation of every lock of OpenMP's is an event
  bool every_unmatched_reader = false;       ///< report each depend(in) item that no sibling ever writes
  std::uint32_t ids_at_once = 64;            ///< of order::StrandTables (tests take fewer)
  void (*may_be_worth_sweeping)() = nullptr; ///< called where Checker::worth_sweeping() has become true, amid an event
  const access::MemoryMap* memory = nullptr; ///< outlives the checker. Null: all but stacks and TLS is shared
  std::size_t max_findings = 1000;           ///< further distinct findings are counted, not described
};

/// Tasks that wait for each other.
struct Deadlock {
  Finding finding;
  std::uint64_t identity = 0;    ///< the same for the same tasks at the same places
  std::vector<ThreadId> threads; ///< on which they wait
};

/// What verbose mode and benchmarks print.
struct Statistics {
  std::uint64_t tasks = 0, regions = 0, strands = 0, findings = 0;
  bool incomplete = false; ///< the ids of strands were used up: some accesses were not checked
};

class Checker final : public Listener {
public:
  Checker(const CheckerConfig& config, FindingSink& sink);
  ~Checker() override;

  /// The per-thread state, made at the first call for a thread. The access path (access/check.hpp) takes it.
  /// Valid until the checker's end. Thread-safe.
  access::ThreadState& thread(ThreadId id);

  /// Names the calling context of `thread` with `pc` on top, for what is described later (where a heap block came
  /// from).
  ContextId place(access::ThreadState& thread, Address pc);
  /// The stack of such a name, innermost first.
  Stack stack(ContextId place) const;

  /// The running task of `thread`, which calls this, and its ancestors, innermost first. Empty outside of all tasks.
  std::vector<TaskDescription> running(access::ThreadState& thread);

  /// The running task of `thread` asked for its thread's number: it may address data of that thread's own.
  void asked_thread_number(access::ThreadState& thread);
  /// It asked for its copy of a list item of a task reduction.
  void asked_for_copy(access::ThreadState& thread);

  /// The running task of `thread` executed a loop with such a dependence, and enough of its iterations.
  void met(access::ThreadState& thread, const LaneDependence& dependence);
  /// It is about to call a function of MPI.
  void calls(access::ThreadState& thread, const MpiCall& call);
  /// It calls one in a way that no thread may.
  void mistaken(access::ThreadState& thread, const MpiMistake& mistake);
  /// It is an operation that such a call, which goes on at `pc`, began, and uses an object of MPI's.
  void operates(access::ThreadState& thread, const MpiUse& use, Address pc);
  /// By a call that goes on at `pc` it looked for a message and found one, or is about to receive one.
  void found(access::ThreadState& thread, Address pc, const MpiMessage& sought, const MpiMessage& message);
  void receives(access::ThreadState& thread, Address pc, const MpiMessage& message);

  /// False where the system refused the address space for the tables: no event may be reported.
  bool usable() const noexcept;
  /// False at level graph, and where the system refused the address space for shadow memory.
  bool checks_accesses() const noexcept;

  /// The program is at its end: findings that only the whole run shows are made. May be called again.
  void conclude();

  Statistics statistics() const;

  /// From now on `watcher` sees the accesses of all threads.
  void watch(access::Watcher& watcher);
  /// Atomic operations of the program order other accesses.
  bool atomics_order() const;
  /// The frame of a stack variable that a depend clause names, where it is known.
  StackFrame frame_of_item(Address item) const;

  // For a limit on memory; thread-safe.
  /// The address ranges of shadow memory and of the tables, of which the system has filled a part.
  std::vector<std::span<const std::byte>> reserved() const;
  /// Shadow memory is to be given back as soon as nothing is missed by it: at the next moment at which everything that
  /// was accessed comes before everything to come.
  void ask_for_memory();
  /// That moment has not come since.
  bool is_memory_asked_for() const;
  /// Forgets all accesses at once: races with them go unreported. Only while no thread tells an event.
  void forget_accesses();

  /// Enough tasks have ended since the last sweep that it is worth its time to look for what nobody will ask about.
  /// So many times more than that: it is urgent.
  bool worth_sweeping(std::size_t times = 1) const;
  /// Lets ids and memory of strands, chains and task records be used again that nobody will ask about: those that were
  /// not needed at the sweep before either. Only while no thread tells an event; accesses may be made. `certain`: each
  /// thread has sent an event since that sweep, or made no access of that time since. False: it was no moment for that.
  bool sweep(bool certain);

  /// Tasks that can never go on, as far as the events tell. To be called while no thread tells an event; an answer
  /// stays true, except for a mutex that its next owner has got and not reported yet: ask twice. `strangers`: the
  /// process has threads that no event named.
  std::vector<Deadlock> deadlocks(bool strangers);
  /// Tells the sink, once for the same places. Meanwhile events may be reported.
  void report(const Deadlock& deadlock);

  // Listener
  void on(const ThreadBegin&) override;
  void on(const ThreadEnd&) override;
  void on(const ThreadCreate&) override;
  void on(const InitialTaskBegin&) override;
  void on(const InitialTaskEnd&) override;
  void on(const ParallelBegin&) override;
  void on(const ParallelEnd&) override;
  void on(const ImplicitTaskBegin&) override;
  void on(const ImplicitTaskEnd&) override;
  void on(const Forked&) override;
  void on(const ThreadsReleased&) override;
  void on(const TaskCreate&) override;
  void on(const TaskDependences&) override;
  void on(const TaskSwitch&) override;
  void on(const TaskEnd&) override;
  void on(const TaskFulfill&) override;
  void on(const SyncBegin&) override;
  void on(const SyncEnd&) override;
  void on(const TaskgroupWait&) override;
  void on(const TaskwaitDepend&) override;
  void on(const MutexEvent&) override;
  void on(const Doacross&) override;
  void on(const DoacrossWait&) override;
  void on(const Work&) override;
  void on(const Dispatch&) override;
  void on(const Masked&) override;
  void on(const Reduction&) override;
  void on(const Combination&) override;
  void on(const Cancel&) override;
  void on(const Flush&) override;
  void on(const TargetRegion&) override;
  void on(const DataOp&) override;
  void on(const KernelSubmit&) override;
  void on(const Release&) override;
  void on(const Acquire&) override;
  void on(const MemoryBegin&) override;
  void on(const MemoryEnd&) override;

private:
  void end_strand(ThreadId id);

  struct State;
  std::unique_ptr<State> state_;
};

} // namespace fletcher
