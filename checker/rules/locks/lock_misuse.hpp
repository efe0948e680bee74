// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// lock-misuse: OpenMP's locks (simple and nestable) in a state that does not permit what is done with them. A lock
// belongs to the task that set it (OpenMP 5.1, 3.9), whatever thread runs it. Relies on the execution for who holds
// what.
#pragma once

#include "checker/constructs/execution.hpp"
#include "checker/memory/reserved.hpp"
#include "checker/rules/locks/lock_lives.hpp"
#include "checker/rules/reporter.hpp"

#include <atomic>
#include <cstdint>
#include <optional>

namespace fletcher::rules {

/// Thread-safe.
class LockMisuse {
public:
  /// `lives_are_told`: every initialisation is an event, so that a lock without one has none. `memory`: may be null.
  LockMisuse(constructs::Execution& execution, Reporter& reporter, bool lives_are_told, const access::MemoryMap* memory)
      : execution_(execution), reporter_(reporter), memory_(memory), complete_(lives_are_told) {}

  /// Before the execution follows the event of the running task.
  void before(access::ThreadState& thread, const MutexEvent& event);
  /// `task`'s body is over: what it holds nobody may unset any more.
  void ended(access::ThreadState& thread, constructs::Task& task);

private:
  void begin_life(access::ThreadState& thread, const MutexEvent& event);
  void check_life(access::ThreadState& thread, const MutexEvent& event);
  /// `known`: of the lock before the event, which uses it.
  void judge(access::ThreadState& thread, const MutexEvent& event, const std::optional<LockLife>& known);
  void check_unset(access::ThreadState& thread, const MutexEvent& event, std::uint64_t key);

  /// What had happened to the lock before.
  struct Earlier {
    const char* message = "";
    ContextId place = ContextId::none;
  };
  void report(access::ThreadState& thread, const MutexEvent& event, const char* message, const char* fix,
              Earlier earlier);

  static constexpr std::size_t lines_in_order = 1024;
  bool is_in_order(const Mutex& mutex) const noexcept {
    return in_order_ && in_order(mutex.address).load(std::memory_order_relaxed) == use_of(mutex);
  }
  /// Changes while nobody else has the life of the address.
  std::atomic<std::uint64_t>& in_order(Address address) const noexcept {
    return in_order_[memory::place_by_line(address, lines_in_order)];
  }
  static std::uint64_t use_of(const Mutex& mutex) noexcept {
    return mutex.address << 1 | (mutex.kind == MutexKind::nest_lock ? 1 : 0);
  }
  /// What was known before.
  std::optional<LockLife> remember(Address address, const LockLife& life);

  constructs::Execution& execution_;
  Reporter& reporter_;
  const access::MemoryMap* memory_;
  LockLives lives_;
  std::atomic<bool> complete_; ///< what is not in lives_ was not initialised
  /// Locks that were found to be in order, or reported, by a hash of the address: one look for most calls. Empty where
  /// the system refused.
  memory::ReservedArray<std::atomic<std::uint64_t>> in_order_{lines_in_order * memory::slots_of_line};
};

} // namespace fletcher::rules
