// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// lock-order-cycle: concurrent strands that take locks in orders which form a circle, so that each can wait for the
// next one in another schedule. Goodlock: Havelund, SPIN 2000; for any number of locks with gate locks and a
// happens-before filter: Agarwal, Wang, Stoller, PADTAD 2005; Agarwal et al., IBM J. R&D 2010. Here a thread is a
// strand, and happens-before is what OpenMP guarantees, so that two tasks that one thread ran can make a cycle.
//
// A cycle is an error where another run is sure to come to it: with accesses that is decided by predict/deadlock.hpp.
// Where what the tasks find under a lock may keep them apart, it is a warning.
#pragma once

#include "checker/constructs/execution.hpp"
#include "checker/memory/reserved.hpp"
#include "checker/predict/deadlock.hpp"
#include "checker/rules/locks/lock_dependencies.hpp"
#include "checker/rules/reporter.hpp"

#include <atomic>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fletcher::rules {

/// A task waits, with locks held, for another one, which took one more lock: the waiter needs that lock as if it took
/// it itself.
struct AwaitedLock {
  constructs::Acquisition wanted;
  LocksAround held;      ///< by the waiter
  order::Knowledge past; ///< of the waiter when the wait began
};

/// Thread-safe. Costs nothing for a task that waits for a lock while it holds none.
class LockOrder {
public:
  using Found = std::pair<FindingKey, Finding>;

  /// `memory`: null where all but stacks is there for a whole team. `ends_are_told`: those of heap blocks; else the
  /// memory is asked which mutexes may become others.
  /// `log`: what is known of accesses in sections of locks; null where none are reported. Not `posix_is_told`: objects
  /// of POSIX may keep any two tasks apart, and no circle is reported.
  LockOrder(constructs::Execution& execution, Reporter& reporter, const access::MemoryMap* memory, bool ends_are_told,
            const predict::SyncLog* log, bool posix_is_told)
      : execution_(execution), reporter_(reporter), memory_(ends_are_told ? nullptr : memory), all_memory_(memory),
        log_(log), posix_is_told_(posix_is_told) {}

  /// The running task of `thread` is about to wait for `mutex`.
  void wants(access::ThreadState& thread, const Mutex& mutex, Address pc);
  /// What `waiter` holds, as it begins to wait.
  LocksAround held_in_wait(constructs::Task& waiter);
  /// Circles through such a wait as long as it lasts, to be reported if it turns out to be for the lock's taker.
  std::vector<Found> circles(const AwaitedLock& awaited);
  /// It was.
  void remember(const AwaitedLock& awaited);
  /// The mutex's life begins or is over.
  void forget(const Mutex& mutex, const constructs::Task& task);
  /// Memory with mutexes of POSIX in it, which need no end of their own, is freed.
  void forget_memory(Address address, std::size_t size);

  /// Which strands of the past it may ask about.
  void name_past(order::Sweep& sweep);

private:
  using Path = std::vector<std::pair<LockDependency*, const LockWait*>>;
  /// Whether another run comes to the deadlock, and what may keep it from that.
  struct Verdict {
    enum class Kind : std::uint8_t {
      certain,
      guarded,    ///< what the tasks find under `guard`
      by_values,  ///< what they read, as in this run
      undecided,  ///< too much has been going on for the log
      changed,    ///< other tasks unset the locks
      moved,      ///< values that one thread read, which executed two units of work
      impossible, ///< and something has kept it from that
      again,      ///< it was asked not long ago
    } kind = Kind::certain;
    std::optional<constructs::LeftMutex> guard{};
  };

  LocksAround locks_around(constructs::Task& task);
  bool may_become_another(const access::ThreadState& thread, const Mutex& mutex) const;
  template <class OnCircle>
  void search(Path& path, const order::Position& now, unsigned& steps, const OnCircle& on_circle);
  bool before(const LockWait& a, const LockWait& b) const noexcept;
  LockWait wait_now(const access::ThreadState& thread, const constructs::Task& task, bool knows_nothing) const;
  static bool in_other_unit(const LockWait& past, const LockWait& mine, const order::Position& now) noexcept;
  /// In two units of work.
  static bool of_one_task(const Path& path) noexcept;
  bool are_there_for_team(const constructs::Task& member, const Path& path) const;
  void renew();
  LockDependency& dependency_of(const AwaitedLock& awaited);
  LockWait wait_of(const AwaitedLock& awaited) const;
  static std::optional<constructs::LeftMutex> common_guard(const Path& path);
  static Verdict guarded(const Path& path, std::optional<constructs::LeftMutex> guard);
  predict::Certainty certainty(const Path& path);
  Verdict judge(const Path& path);
  void report(const Path& path);
  FindingKey key_of(const Path& path) const;
  Found describe(Path path, const Verdict& verdict) const;

  constructs::Execution& execution_;
  Reporter& reporter_;
  const access::MemoryMap* memory_; ///< that is asked about mutexes; null where none need be
  const access::MemoryMap* all_memory_;
  const predict::SyncLog* log_;
  bool posix_is_told_;
  std::unordered_map<std::uint64_t, std::uint32_t> asked_; ///< how often, of the places of a circle
  std::uint64_t steps_ = 0;                                ///< of all decisions
  std::atomic<bool> some_{false};                          ///< there were dependencies
  memory::SpinLock lock_;
  LockDependencies dependencies_;
  std::uint32_t generation_ = 0;
  /// Mutexes of POSIX among the dependencies, and the range of their addresses.
  std::map<Address, std::uint64_t> posix_;
  std::atomic<Address> posix_low_{~Address{0}}, posix_high_{0};
  /// Grows with everything that may make another cycle.
  std::atomic<std::uint64_t> version_{1};
  /// Hashes of (dependency, strand, version) that have been looked at: a loop costs one look-up each time round. Empty
  /// where the system refused.
  memory::ReservedArray<std::atomic<std::uint64_t>> settled_{4096};
};

} // namespace fletcher::rules
