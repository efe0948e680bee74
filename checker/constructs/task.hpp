// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The live objects of OpenMP's execution model: tasks, teams, taskgroups, and what of a finished task waits to be
// waited for. Plain data; what happens to it is in the files of this folder, one per family of constructs.
#pragma once

#include "checker/access/call_stack.hpp"
#include "checker/constructs/held_mutexes.hpp"
#include "checker/events.hpp"
#include "checker/memory/spin_lock.hpp"
#include "checker/order/knowledge.hpp"
#include "checker/order/strands.hpp"

#include <atomic>
#include <memory>
#include <vector>

namespace fletcher::constructs {

struct Task;
struct Team;
class DependenceMap;

/// The ends of finished tasks that some construct will wait for: a taskwait, a taskgroup's end or a barrier.
struct Ended {
  struct Chain {
    ChainId chain;
    StrandId last;
  };
  std::vector<Chain> chains;
  order::Knowledge knowledge; ///< what those tasks know beyond what their waiter knows anyway

  bool empty() const noexcept { return chains.empty() && knowledge.empty(); }
  void add(Ended&& other);
};

struct Taskgroup {
  Task* owner = nullptr;
  std::unique_ptr<Taskgroup> outer; ///< the next one that the same task is in
  Taskgroup* inherited = nullptr;   ///< the group that the owner itself belongs to
  memory::SpinLock lock;
  Ended direct; ///< the owner's own children: a taskwait joins them too
  Ended deep;   ///< further descendants
};

/// What a task waits for. Whom that means is worked out only when somebody asks (checker/waiting).
struct Wait {
  enum class Kind : std::uint8_t { none, taskwait, taskgroup, predecessors, barrier, mutex };
  Kind kind = Kind::none;
  Mutex mutex;    ///< of a mutex
  Address pc = 0; ///< of the construct or call
};

struct Task {
  TaskId id = TaskId::none;
  TaskKind kind = TaskKind::explicit_;
  TaskTraits traits;
  std::atomic<std::uint32_t> references{1}; ///< itself while unfinished, its children, dependents, dependence maps

  Task* parent = nullptr;                ///< referenced
  Team* team = nullptr;                  ///< referenced
  Taskgroup* group = nullptr;            ///< innermost taskgroup it was created in
  std::unique_ptr<Taskgroup> open_group; ///< innermost taskgroup it has open itself

  // Order.
  order::Knowledge known;
  ChainId chain = ChainId::none;
  StrandId strand = StrandId::none; ///< open strand while not running (ThreadState has it while running)
  StrandId last = StrandId::none;   ///< last strand given to it on `chain`
  std::uint32_t block_left = 0;     ///< further strand ids of its current block
  LocksetId lockset = LocksetId::empty;
  HeldMutexes held;
  std::unique_ptr<std::vector<HeldAround>> held_around; ///< null for none
  order::WorkPlace work;
  std::uint32_t works = 0; ///< begins and ends of worksharing constructs it has met
  order::RecordId record = order::RecordId::none;
  ContextId creation = ContextId::none;
  /// It learned something that waiting for it and its siblings would not tell: its clock has to be joined.
  bool learned = false;

  // Life.
  bool waiting = false; ///< an implicit task in a barrier: nothing that its thread does is its own
  bool closing = false; ///< an implicit task that reached the end of its region
  bool started = false;
  bool spawned = false;    ///< an initial task that created tasks since the last horizon: no longer alone
  bool orphans = false;    ///< an initial task with descendants that nothing waits for
  bool body_ended = false; ///< but its detach event is open
  std::unique_ptr<order::Knowledge> fulfiller; ///< of whoever fulfilled its detach event
  Wait wait;
  Task* below = nullptr; ///< started on a thread that had not finished this one: it goes on there after this one only
  bool asked_thread_number = false;
  std::uint32_t index = 0;
  ThreadId thread = ThreadId::none; ///< that started it
  Address stack_base = 0;           ///< its frames are below this on that thread's stack, 0 where unknown
  access::Frame* base = nullptr;    ///< its first frame on that thread's call stack

  memory::SpinLock lock; ///< guards `ended` and `complete`
  bool complete = false;
  Ended ended; ///< children that ended, for its next taskwait

  // Dependences.
  std::unique_ptr<DependenceMap> siblings; ///< of its children
  std::vector<Task*> predecessors;         ///< referenced until it starts
  std::vector<Task*> awaited;              ///< referenced: by its taskwait with depend
  std::vector<Dependence> declared;
  Address lowest_named = ~Address{0}; ///< lowest variable of its own frames that its children name in depend clauses
  Address stack_pointer = 0;          ///< where its stack was at its last construct, 0 where unknown

  std::uint32_t loops = 0;    ///< worksharing loops begun: iterations are ordered within one loop only
  std::uint64_t barriers = 0; ///< of an implicit task: how many it has left
};

struct Team {
  TeamId id = TeamId::none;
  std::atomic<std::uint32_t> references{1};
  Task* encountering = nullptr; ///< referenced
  bool league = false;
  /// Nothing in the program is concurrent with it: its barriers and its end are horizons.
  bool alone = false;
  ContextId creation = ContextId::none;
  order::Knowledge fork;            ///< of the encountering task at the region's begin
  order::StrandTables::Mark mark{}; ///< of an outermost region: what came before it

  memory::SpinLock lock;
  std::vector<Task*> members; ///< implicit tasks, referenced
  std::uint32_t size = 0;
  std::uint32_t arrived = 0;
  ChainId chain = ChainId::none; ///< the barriers themselves, one after the other
  std::uint64_t barriers = 0;    ///< completed
  Ended gathering;               ///< of the members that arrived and of tasks nobody waited for
  order::Knowledge result;       ///< of the last completed barrier
  bool learned = false;          ///< `result` has more than `fork` and the barriers
};

} // namespace fletcher::constructs
