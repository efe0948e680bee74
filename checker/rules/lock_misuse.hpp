// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// lock-misuse: OpenMP's locks (simple and nestable) in a state that does not permit what is done with them. A lock
// belongs to the task that set it (OpenMP 5.1, 3.9), whatever thread runs it. Relies on the execution for who holds
// what.
#pragma once

#include "checker/constructs/execution.hpp"
#include "checker/rules/reporter.hpp"

#include <atomic>
#include <unordered_map>
#include <unordered_set>

namespace fletcher::rules {

/// Thread-safe.
class LockMisuse {
public:
  LockMisuse(constructs::Execution& execution, Reporter& reporter) : execution_(execution), reporter_(reporter) {}

  /// Before the execution follows the event of the running task.
  void before(access::ThreadState& thread, const MutexEvent& event);
  /// `task`'s body is over: what it holds nobody may unset any more.
  void ended(access::ThreadState& thread, constructs::Task& task);

private:
  void begin_life(const MutexEvent& event);
  void end_life(const MutexEvent& event, ContextId place);
  void check_life(access::ThreadState& thread, const MutexEvent& event);
  void check_unset(access::ThreadState& thread, const MutexEvent& event, std::uint64_t key);

  /// What had happened to the lock before.
  struct Earlier {
    const char* message = "";
    ContextId place = ContextId::none;
  };
  void report(access::ThreadState& thread, const MutexEvent& event, const char* message, Earlier earlier);

  constructs::Execution& execution_;
  Reporter& reporter_;
  memory::SpinLock lock_;
  std::unordered_map<Address, ContextId> destroyed_; ///< and where, until they are initialised again
  std::unordered_set<Address> nestable_;             ///< nest locks in use
  std::atomic<std::size_t> remembered_{0};           ///< how many both hold
};

} // namespace fletcher::rules
