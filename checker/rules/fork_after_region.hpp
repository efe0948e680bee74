// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fork-after-region: a thread ran a region, forked, and runs a region in the child. gcc's libgomp keeps the threads of
// a region for the thread's next one, and waits in the child for threads that only the parent has. LLVM's runtime, on
// which the program runs when it is checked, makes new ones. Relies on the execution for places.
#pragma once

#include "checker/constructs/execution.hpp"
#include "checker/memory/reserved.hpp"
#include "checker/rules/reporter.hpp"

namespace fletcher::rules {

/// Each thread touches its own part only: no lock is held when the process forks.
class ForkAfterRegion {
public:
  ForkAfterRegion(constructs::Execution& execution, Reporter& reporter)
      : execution_(execution), reporter_(reporter), of_threads_(most_threads) {}

  /// Before the execution follows.
  void encounters(access::ThreadState& thread, const ParallelBegin& event);
  /// Its first member.
  void begins(const ImplicitTaskBegin& event);
  void forked(ThreadId thread);
  void released(ThreadId thread);

private:
  static constexpr std::size_t most_threads = 1U << 16;
  /// Places of regions that libgomp has more than one thread for.
  struct OfThread {
    ContextId begun;       ///< the last one of this process
    ContextId before_fork; ///< of an ancestor of this process
    ContextId encountered; ///< the one that begins
  };
  OfThread* of(ThreadId thread) noexcept {
    return of_threads_ && number(thread) < most_threads ? &of_threads_[number(thread)] : nullptr;
  }

  constructs::Execution& execution_;
  Reporter& reporter_;
  memory::ReservedArray<OfThread> of_threads_;
};
static_assert(number(ContextId::none) == 0, "reserved memory holds zeros");

} // namespace fletcher::rules
