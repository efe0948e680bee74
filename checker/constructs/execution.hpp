// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The execution as the checker follows it: which tasks, teams and threads live, and how OpenMP's constructs turn into
// order between strands (docs/design/semantics.md). The methods of a family of constructs are in the file of its name.
#pragma once

#include "checker/access/call_tree.hpp"
#include "checker/access/locksets.hpp"
#include "checker/access/race_check.hpp"
#include "checker/constructs/carrier.hpp"
#include "checker/constructs/locks/changing_hands.hpp"
#include "checker/constructs/locks/lone_locks.hpp"
#include "checker/constructs/strand.hpp"
#include "checker/constructs/tasks/fulfilments.hpp"
#include "checker/constructs/tasks/task_table.hpp"
#include "checker/constructs/teams/every_member.hpp"
#include "checker/constructs/teams/team.hpp"
#include "checker/constructs/teams/units.hpp"
#include "checker/constructs/thread_data.hpp"
#include "checker/events.hpp"
#include "checker/memory/hash.hpp"
#include "checker/order/sweep.hpp"

#include <array>
#include <unordered_map>

namespace fletcher::constructs {

class AtomicOrder;

class Execution {
public:
  Execution(order::StrandTables& tables, access::CallTree& calls, access::Locksets& locksets, access::RaceCheck* races);
  ~Execution();
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  bool checks_accesses() const noexcept { return races_ != nullptr; }
  bool usable() const noexcept { return static_cast<bool>(tasks_) && static_cast<bool>(threads_) && memory_.ok(); }
  access::ThreadState& thread(ThreadId id) {
    ThreadData* const known = threads_[number(id) % max_threads].load(std::memory_order_acquire);
    if (known == nullptr) [[unlikely]]
      return new_thread(id);
    return *known;
  }
  Task* task(TaskId id) const noexcept { return tasks_.find(id); }
  /// One that creates or waits, so it has been started: whatever else was reported, it has an activation.
  Task* active_task(ThreadId thread_id, TaskId id) {
    Task* const t = task(id);
    if (t != nullptr && !t->active()) [[unlikely]]
      activate(thread(thread_id), *t);
    return t;
  }
  std::uint64_t tasks_created() const;
  /// From now on it gets accesses, too, also in serial parts.
  void watch(access::Watcher& watcher);
  std::uint64_t regions() const noexcept { return regions_.load(std::memory_order_relaxed); }

  // threads.cpp
  void expect_root(const ThreadCreate& e);
  void begin_root(const InitialTaskBegin& e);
  void end_root(const InitialTaskEnd& e);
  // parallel.cpp
  void begin_parallel(const ParallelBegin& e);
  void end_parallel(const ParallelEnd& e);
  void begin_implicit(const ImplicitTaskBegin& e);
  void end_implicit(const ImplicitTaskEnd& e);
  // lone_teams.cpp
  /// The thread executes the member of a team of one as a part of the task that encountered the region.
  bool is_lone(const access::ThreadState& thread) const noexcept;
  /// From now on such a member is a task of its own: what follows makes a difference.
  void set_apart(ThreadId id);
  // barrier.cpp
  void arrive(const SyncBegin& e);
  void leave(const SyncEnd& e);
  void cancel(const Cancel& e);
  // tasks.cpp
  /// Null where there is no room for more tasks.
  Task* create(access::ThreadState& t, Task* parent, const TaskCreate& e);
  void switch_task(Task* next, const TaskSwitch& e);
  void end(access::ThreadState& t, Task* over, const TaskEnd& e);
  void fulfill(const TaskFulfill& e);
  // waits.cpp
  void taskwait(access::ThreadState& thread, Task& task);
  void begin_taskgroup(Task& task);
  void end_taskgroup(access::ThreadState& thread, Task& task);
  // dependences.cpp
  void declare(const TaskDependences& e);
  void taskwait_depend(const TaskwaitDepend& e);
  // mutexes.cpp
  void mutex(const MutexEvent& e);
  /// Names the object of an event by `holder`. Unique except for collisions of 64 bits.
  static std::uint64_t mutex_key(const Mutex& mutex, const Task& holder) noexcept;
  /// Who holds what the key names; thread-safe. A runtime tells a release after the object is free, so the answer may
  /// be a little old.
  Holder holder_of(std::uint64_t key);
  /// Tasks that got the mutex since the last horizon, as far as they are kept; thread-safe.
  std::vector<Taker> takers(std::uint64_t key);
  /// Those of all mutexes. O(mutexes).
  std::vector<Acquisition> acquisitions();
  void doacross(const Doacross& e);
  /// The holder of a mutex as `asking` means it (an ordered construct is one of the loop that the task is in).
  Holder holder(const Mutex& mutex, const Task& asking) { return holder_of(mutex_key(mutex, asking)); }
  void release(const Release& e);
  void acquire(const Acquire& e);
  // work.cpp
  void work(const Work& e);
  void dispatch(const Dispatch& e);
  void masked(const Masked& e);

  // lifetimes.cpp
  void begin_memory(const MemoryBegin& e);
  void end_memory(const MemoryEnd& e);
  void end_thread(const ThreadEnd& e);
  void reduction(const Reduction& e);
  void combine(const Combination& e);

  /// A strand for the running task because a rule wants to remember it, where none is open. False where that would cost
  /// more memory than rules may have between two horizons: without accesses nothing else needs strands, and a region
  /// may last for days.
  bool open_for_rule(access::ThreadState& thread);
  /// `earlier` is complete and nothing that `later` does from now on is concurrent with it.
  bool ended_before(const Task& earlier, const Task& later) const;
  /// The detach event of the task, which has not completed, is fulfilled.
  bool is_fulfilled(const Task& task) const;
  /// References, for those that keep a task beyond the event that names it.
  void retain(Task& t) noexcept { t.references.fetch_add(1, std::memory_order_relaxed); }
  /// A capture (UsedByChildren) of a task that is being created: no other thread knows it yet.
  static void retain_capture(Task& t) noexcept { count_alone(t, Task::captured); }
  /// `owner` has the capture.
  void drop_capture(access::ThreadState& thread, const Task& owner, Task* t) noexcept {
    drop(thread, t, t->parent() == &owner ? Task::captured : 1);
  }
  /// `task` ends: its parent learns which tasks that it leaves behind use variables that may be in an ancestor's
  /// frames.
  void leave_captures(access::ThreadState& thread, Task& task);
  void drop(access::ThreadState& thread, Task* t, std::uint32_t references = 1) noexcept;

  /// What the children of `task`, an active one, use of it. `thread` runs it.
  UsedByChildren& use(access::ThreadState& thread, Task& task) {
    UsedByChildren*& used = task.now().used;
    if (used == nullptr)
      used = std::construct_at(static_cast<UsedByChildren*>(memory_.used.take(data(thread).slots.used)));
    return *used;
  }

  /// Null where no such thread was reported.
  const access::ThreadState* known_thread(ThreadId id) const noexcept {
    return threads_[number(id) % max_threads].load(std::memory_order_acquire);
  }
  /// The thread whose stack holds `address`, null where none does.
  const access::ThreadState* owner_of_stack(Address address) const noexcept;
  // Only while no thread tells an event (checker/waiting).
  template <class F> void each_thread(F f) {
    const std::uint32_t threads = last_thread_.load(std::memory_order_acquire);
    for (std::uint32_t i = 1; i <= threads; ++i)
      if (ThreadData* d = threads_[i].load(std::memory_order_acquire)) f(*d);
  }
  /// Explicit and target tasks.
  template <class F> void each_unfinished(F f) const {
    tasks_.each([&](const Task& t) {
      if (!t.complete && (t.kind == TaskKind::explicit_ || t.kind == TaskKind::target)) f(t);
    });
  }
  bool is_over(const Team& team);
  class NobodyFinds;
  /// Which strands of the past tasks, teams, threads and objects may ask about. Only while no thread tells an event.
  void name_past(order::Sweep& sweep);
  /// A lock was unset by another task than its owner: who holds one says nothing about who will unset it.
  bool locks_change_hands() const noexcept { return changing_hands_.any(); }
  /// The one with this key was.
  bool changes_hands(std::uint64_t key) { return changing_hands_.has(key); }
  /// Some task left a lock before one that it had taken later: hand over hand, as who makes signals of locks has to.
  bool locks_overlap() const noexcept { return locks_overlap_.load(std::memory_order_relaxed); }

  /// The calling context of a construct at `pc` on this thread.
  ContextId place(access::ThreadState& thread, Address pc);

  order::StrandTables& tables() noexcept { return tables_; }
  access::CallTree& calls() noexcept { return calls_; }
  access::Locksets& locksets() noexcept { return locksets_; }
  /// The first strand id that anybody may still have to be ordered with.
  StrandId horizon() const noexcept { return StrandId{horizon_.load(std::memory_order_acquire)}; }
  /// All strands before this came before everything to come; clocks older than it have nothing to add.
  std::uint32_t horizon_generation() const noexcept { return generation_.load(std::memory_order_acquire); }

private:
  friend class AtomicOrder;

  /// Takes over a reference to `origin`. Null where there is no room for more tasks.
  Task* new_task(access::ThreadState& thread, TaskId id, TaskKind kind, Origin* origin);
  /// With one reference to it and to `parent`. Null where there is no room.
  Origin* new_origin(access::ThreadState& thread, bool pooled, Task* parent, Team* team);
  /// For a task that `maker` creates, a child of `parent`. The caller has a reference.
  Origin* origin_of_child(access::ThreadState& thread, Task& maker, Task& parent, bool waits);
  std::uint32_t past_of_children(access::ThreadState& thread, Task& maker, const order::WorkUnit& unit) noexcept;
  void drop(access::ThreadState& thread, Origin* origin, std::uint32_t references = 1) noexcept;
  void forget_given(access::ThreadState& thread, Task& task) noexcept;
  /// Drops one of the references to `task` that its executing thread has: its own one, and `others`.
  void give_up(access::ThreadState& thread, Task& task, std::uint32_t others) noexcept {
    // No locked instruction is needed where nobody else can have a reference.
    if (task.references.load(std::memory_order_relaxed) != 1 && task.is_private(thread.id, others))
      count_alone(task, -1u);
    else
      drop(thread, &task);
  }
  /// No other thread changes the count meanwhile.
  static void count_alone(Task& t, std::uint32_t change) noexcept {
    t.references.store(t.references.load(std::memory_order_relaxed) + change, std::memory_order_release);
  }
  void activate(access::ThreadState& thread, Task& task);
  void begin_member(access::ThreadState& thread, Team& team, const ImplicitTaskBegin& e, access::Frame* base);
  static bool may_be_lone(const Team& team, const ImplicitTaskBegin& e) noexcept;
  bool end_lone(access::ThreadState& thread, TaskId member) noexcept;
  /// What the last reference to an origin leaves to be dropped.
  Task* release(access::ThreadState& thread, Origin* origin, std::uint32_t references = 1) noexcept;
  void drop(access::ThreadState& thread, Team* t) noexcept;
  /// The parent, if the reference to it is the caller's now.
  Task* free(access::ThreadState& thread, Task* t) noexcept;
  Team* team(TeamId id);

  void exclude_siblings(access::ThreadState& thread, Task& task, bool begins);
  void keep_siblings(access::ThreadState& thread, const Task& task);
  void start(access::ThreadState& thread, Task& task);
  void run(access::ThreadState& thread, Task* task);
  /// The first half of run(): a call of that follows before the program goes on.
  void put(access::ThreadState& thread, Task* task);
  /// The same where the running task is over: nothing is kept of it.
  void leave(access::ThreadState& thread);
  void complete(access::ThreadState& thread, Task& task);
  void complete_parent(access::ThreadState& thread, Task& task);
  void take_fulfiller(Task& task);
  Fulfilments fulfilments_;
  void tell_waiter(access::ThreadState& thread, Task& task);
  void take_unwaited(Task& task, Ended& to, bool descendants);
  /// What ended on the thread of `task`, which asks.
  void take_here(Task& task, Ended& to);
  void forget_siblings(access::ThreadState& thread, Task& task) {
    const Activation& now = task.now();
    if (now.siblings != nullptr || (now.used != nullptr && now.used->any())) forget_children(thread, task);
  }
  void forget_children(access::ThreadState& thread, Task& task);
  /// The same where all children have ended, but maybe not those that they left behind.
  void forget_awaited(access::ThreadState& thread, Task& task);
  /// Where it did nothing that has a strand, nothing tells its order.
  bool is_awaited(const Task& descendant, const Task& task) const;
  void leave_to(access::ThreadState& thread, Task* ancestor, UsedByChildren::Left left);
  static std::vector<UsedByChildren::Left> take_left(Task& task);
  /// `ended`: `task` itself, or an Ended.
  template <class What> void hand_over(Task& task, What& ended);
  StrandId strand_after_wait(access::ThreadState& thread, Task& waiter);
  /// `waiter` comes after all of `ended`, which is empty then.
  void join(access::ThreadState& thread, Task& waiter, Ended& ended);
  void join(access::ThreadState& thread, Task& waiter, Task& ended);
  static void learn(Task& waiter, const order::Knowledge& knowledge);
  void add(Ended& to, const Task& ended);
  /// `from` is empty then. O(1), except for what has to be joined as a clock.
  void add(Ended& to, Ended& from);
  void after_predecessors(Task& task);

  /// `more`: so many units may follow.
  void begin_unit(access::ThreadState& thread, Task& member, UnitKind kind = UnitKind::work, std::uint64_t more = 0);
  static void give_copies(Task& member);
  static void learn_copies(Task& member);
  void leave_gathering(access::ThreadState& thread, Task& member);

  void name_past(order::Sweep& sweep, Task& task);
  void set_idle(access::ThreadState& thread, bool idle) noexcept;
  void complete_barrier(access::ThreadState& thread, Team& team);
  void try_horizon(access::ThreadState& thread, Task& task);
  static bool may_be_last(Team& team, const Task& task) noexcept;
  /// With the team's lock held.
  bool waits_for_nothing_else(const Team& team, const Task& task) const noexcept;
  void forget_stack(access::ThreadState& thread, Address end) noexcept;
  void add_root();
  void end_serial_part();
  void begin_operation(access::ThreadState& thread_of_it, Task& operation, const InitialTaskBegin& e);
  bool only_root() const noexcept { return roots_.load(std::memory_order_acquire) == 1; }
  std::int64_t unfinished_tasks() const;
  /// Begins with the first ids again where these are nearly used up. At a horizon.
  void restart_ids() noexcept;
  /// Everything recorded so far comes before everything to come: the ids from the result on are what comes.
  StrandId begin_horizon();
  /// The same, and starts afresh with `task` on `thread`.
  void pass_horizon(access::ThreadState& thread, Task& task);
  /// In the middle of an outermost region at a horizon: its tables begin again from where the region began.
  void reuse_tables(Team& team);

  order::StrandTables& tables_;
  access::CallTree& calls_;
  access::Locksets& locksets_;
  access::RaceCheck* races_; ///< null at level graph

  TaskMemory memory_;
  void give_back_tasks() noexcept;
  TaskTable tasks_;
  memory::SpinLock teams_lock_;
  std::unordered_map<std::uint32_t, Team*> teams_;

  ThreadData& new_thread(ThreadId id);
  static constexpr std::size_t max_threads = 1u << 16;
  memory::ReservedArray<std::atomic<ThreadData*>> threads_;
  std::atomic<std::uint32_t> last_thread_{0};
  std::atomic<std::uint32_t> pasts_{0}; ///< Origin::past
  memory::SpinLock threads_lock_;
  std::atomic<access::Watcher*> watcher_{nullptr};
  EveryMember every_member_;

  std::atomic<std::uint32_t> roots_{0}; ///< initial tasks whose past may be concurrent with what comes
  struct EndedRoot {
    ChainId chain;
    StrandId last;
  };
  memory::SpinLock ended_roots_lock_;
  std::vector<EndedRoot> ended_roots_; ///< that nobody has joined
  /// `task` may have joined initial tasks that ended.
  void forget_joined_roots(const Task& task);
  std::atomic<std::uint64_t> regions_{0};
  std::atomic<bool> leagues_{false}; ///< there was one: contention groups have to be distinguished
  std::atomic<std::uint32_t> generation_{1};
  std::atomic<std::uint32_t> horizon_{0};
  ChangingHands changing_hands_;
  std::atomic<bool> locks_overlap_{false};
  std::atomic<std::uint32_t> waits_in_vain_{0};     ///< for the report of a release
  std::atomic<std::uint32_t> strands_for_rules_{0}; ///< since the last horizon
  bool may_have_rule_strands() const noexcept;

  Carrier& fresh(CarrierShard& shard, std::uint64_t key);
  static std::uint64_t hash(std::uint64_t key) noexcept { return memory::spread(key ^ (key >> 29)); }
  CarrierShard& shard(std::uint64_t key) noexcept { return shards_[hash(key) >> 58]; }
  void publish(std::uint64_t key, Task& task);
  void take(std::uint64_t key, Task& task);
  void take_in_turn(std::uint64_t key, Task& task);
  order::Knowledge carried(std::uint64_t key);
  /// The same for what this run's order of a lock's sections tells.
  void tell(Carrier& carrier, Task& task, const HeldMutex* held);
  void observe(std::uint64_t key, Task& task, HeldMutex* held);
  order::Observed told_by(Carrier& carrier, const Task& task);
  static void observe(const order::Observed& told, Task& task);
  /// The lock with this key is about to be met.
  void prefetch(access::ThreadState& thread, std::uint64_t key);
  /// `holder`, on `thread`, has the object from now on. Waits up to `patience` turns for the late report of the release
  /// before. `keep`: the acquisition is to be kept; `thread` runs `holder`. `observes`: the holder learns from the
  /// lock.
  void own(std::uint64_t key, access::ThreadState& thread, Task& holder, const Mutex& mutex, ContextId where,
           int patience, bool keep, bool observes);
  void keep_taker(Carrier& carrier, access::ThreadState& thread, const Mutex& mutex, ContextId where);
  void disown(std::uint64_t key, Task& holder, const Mutex& mutex);
  void disown(CarrierShard& shard, Carrier& carrier, std::uint64_t key, Task& holder, const Mutex& mutex);
  /// `order`: of what the order of its sections tells.
  void let_go(access::ThreadState& thread, Task& holder, const Mutex& mutex, std::uint64_t key, std::uint64_t order);
  /// What `creator` holds is around the tasks of `made`, which it creates. `waits`: it goes on only after the end of
  /// `made`.
  static void hold_around(const Task& creator, Origin& made, bool waits);
  access::Exclusion exclusion(const Mutex& mutex, const Task& holder) const noexcept;
  /// The initial task of the contention group that `task` is in; none outside of leagues.
  TaskId contention_group(const Task& task) const noexcept;
  static std::uint64_t siblings_key(const access::Exclusion& siblings) noexcept;
  // sections.cpp
  void begin_section(access::ThreadState& thread, Task& task, std::uint64_t key);
  void end_section(access::ThreadState& thread, Task& task, std::uint64_t key);
  void begin_test(access::ThreadState& thread, Task& task, std::uint64_t key);
  /// The test of before failed, unless it was of the lock that is `acquired` now.
  void end_test(access::ThreadState& thread, std::uint64_t acquired);
  void forget_carriers();
  /// The same as tell(), where nobody but this thread's task has had the lock, and when another one takes it.
  bool tell_later(CarrierShard& shard, Carrier& carrier, access::ThreadState& thread, const Mutex& mutex,
                  const HeldMutex* held);
  void tell_at_last(Carrier& carrier);
  /// It is the carrier of a lock that was a lone one until now.
  void meet(Carrier& carrier, const Mutex& mutex);
  std::array<CarrierShard, 64> shards_;
  LoneLocks lone_locks_;
  std::atomic<bool> many_carriers_{false};   ///< some shard has more than a few, or had, since the last horizon
  std::atomic<std::uint32_t> locks_told_{0}; ///< so many numbers have been given to locks (LockRelease)
};

} // namespace fletcher::constructs
