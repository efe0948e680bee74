// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mpi-threads: a call of MPI that the provided level of thread support does not allow, and calls that no level allows
// at the same time: collective operations on one communicator. What must not be used by two at once has an address of
// its own here, which each call writes: two calls that nothing orders and no lock excludes race for it.
#pragma once

#include "checker/access/race_check.hpp"
#include "checker/constructs/execution.hpp"
#include "checker/memory/reserved.hpp"
#include "checker/memory/spin_lock.hpp"
#include "checker/rules/reporter.hpp"

#include <atomic>
#include <cstddef>
#include <unordered_set>

namespace fletcher {

/// MPI's levels of thread support.
enum class ThreadSupport : std::uint8_t { single, funneled, serialized, multiple };

struct MpiCall {
  enum class Phase : std::uint8_t { before_init, running, finalized };

  Address pc = 0;            ///< where it goes on
  const char* function = ""; ///< its name
  Phase phase = Phase::running;
  ThreadSupport provided = ThreadSupport::multiple;
  bool on_main_thread = true; ///< the one that initialised MPI
  /// Of a collective operation: the number of its communicator, which none has had before. 0 for other calls.
  std::uint32_t communicator = 0;
};

namespace rules {

/// Thread-safe.
class MpiThreads {
public:
  MpiThreads(constructs::Execution& execution, Reporter& reporter)
      : execution_(execution), reporter_(reporter), shared_(most_communicators) {}
  /// The running task of `thread` is about to make the call.
  void calls(access::ThreadState& thread, const MpiCall& call);
  /// It meets a worksharing construct: costs a load where no call has to be on a certain thread.
  void work(const access::ThreadState& thread, const Work& e) {
    if (main_thread_only_.load(std::memory_order_relaxed)) [[unlikely]]
      follow(thread, e);
  }
  /// The address stands for what two calls must not use at once.
  bool owns(Address address) const noexcept {
    return shared_ && address - place_of(0) < most_communicators * sizeof(std::uint64_t);
  }
  /// Two calls have used it.
  access::Repeats race(const access::Race& race);

private:
  void misuse(access::ThreadState& thread, const MpiCall& call, const char* what);
  const char* not_allowed(const access::ThreadState& thread, const MpiCall& call) const;
  void follow(const access::ThreadState& thread, const Work& e);
  bool by_chance_here(const access::ThreadState& thread) const;

  constructs::Execution& execution_;
  Reporter& reporter_;
  std::atomic<bool> main_thread_only_{false};
  mutable memory::SpinLock lock_;
  std::unordered_set<std::uint32_t> in_unit_;                 ///< members that execute a single, or sections
  static constexpr std::size_t most_communicators = 1u << 16; ///< address space only; calls on others are not compared
  Address place_of(std::size_t communicator) const noexcept {
    return reinterpret_cast<Address>(shared_.data()) + communicator * sizeof(std::uint64_t);
  }
  /// Nobody reads or writes these words: they are places in shadow memory. The first stands for the library, the others
  /// for communicators.
  memory::ReservedArray<std::uint64_t> shared_;
};

} // namespace rules
} // namespace fletcher
