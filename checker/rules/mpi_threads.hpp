// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mpi-threads: a call of MPI that the provided level of thread support does not allow, and calls that no level allows
// at the same time: collective operations on one communicator, the epochs of one window, changes of one info object.
// What must not be used by two at once has an address of its own here, which calls read or write: two calls that
// nothing orders and no lock excludes race for it.
#pragma once

#include "checker/access/race_check.hpp"
#include "checker/constructs/execution.hpp"
#include "checker/memory/reserved.hpp"
#include "checker/memory/spin_lock.hpp"
#include "checker/rules/probed_messages.hpp"
#include "checker/rules/reporter.hpp"

#include <atomic>
#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>

namespace fletcher {

/// MPI's levels of thread support.
enum class ThreadSupport : std::uint8_t { single, funneled, serialized, multiple };

/// What a call uses that two calls must not use at once if one of them writes it.
struct MpiUse {
  enum class Of : std::uint8_t {
    library,    ///< every call reads it, or writes it where only one may be made at a time
    collective, ///< operations on a communicator
    file,       ///< collective operations on it
    epochs,     ///< of a window
    info,       ///< an object of hints
    messages,   ///< that may match one receive
    receives,   ///< of messages from one process with one tag
    place,      ///< one displacement in the window of one process
    buffer      ///< of buffered sends, which read it here
  };
  Of of = Of::library;
  std::uint32_t number = 0; ///< of the object; no other one of its kind has had it
  access::Kind kind = access::Kind::write;
};

struct MpiCall {
  enum class Phase : std::uint8_t { before_init, running, finalized };
  enum class Type : std::uint8_t {
    usual,
    question, ///< only asks for something, which every thread is left to do
    finalize
  };

  Address pc = 0;            ///< where it goes on
  const char* function = ""; ///< its name
  Phase phase = Phase::running;
  Type type = Type::usual;
  ThreadSupport provided = ThreadSupport::multiple;
  bool on_main_thread = true; ///< the one that initialised MPI
  std::span<const MpiUse> uses{};
  std::span<const Address> unfinished{}; ///< where operations began that no call has completed; of the last call
};

/// The function's name as a person writes it: Fortran's have an underscore at their end.
std::string mpi_function(const char* symbol);

namespace rules {

/// Thread-safe.
class MpiThreads {
public:
  MpiThreads(constructs::Execution& execution, Reporter& reporter)
      : execution_(execution), reporter_(reporter), shared_(most_objects * places_of_object) {}
  /// The running task of `thread` is about to make the call.
  void calls(access::ThreadState& thread, const MpiCall& call);
  /// An object is used by it, or by an operation that a call began which goes on at `pc`.
  void use(access::ThreadState& thread, const MpiUse& what, Address pc) const;
  /// By a call that goes on at `pc` it looked for such a message as is `sought`, and found one, or is about to receive
  /// one.
  void found(access::ThreadState& thread, Address pc, const MpiMessage& sought, const MpiMessage& message);
  void receives(access::ThreadState& thread, Address pc, const MpiMessage& message);
  /// It meets a worksharing construct: costs a load where nobody calls MPI.
  void work(const access::ThreadState& thread, const Work& e) {
    if (follows_work_.load(std::memory_order_relaxed)) [[unlikely]]
      follow(thread, e);
  }
  /// The address stands for what two calls must not use at once.
  bool owns(Address address) const noexcept { return shared_ && address - place_of({}) < shared_bytes; }
  /// Two calls have used it.
  access::Repeats race(const access::Race& race);

private:
  void misuse(access::ThreadState& thread, const MpiCall& call, const char* what);
  void leaves(access::ThreadState& thread, const MpiCall& call, Address began);
  const char* not_allowed(const access::ThreadState& thread, const MpiCall& call) const;
  void follow(const access::ThreadState& thread, const Work& e);
  bool by_chance_here(const access::ThreadState& thread) const;

  constructs::Execution& execution_;
  Reporter& reporter_;
  std::atomic<bool> follows_work_{false};
  mutable memory::SpinLock lock_;
  /// Members that execute a single, or sections; true: whether they still do so is reported late.
  std::unordered_map<std::uint32_t, bool> in_unit_;
  ProbedMessages probed_;
  // Address space only; calls on further objects are not compared.
  static constexpr std::size_t most_objects = 1u << 16, places_of_object = 16,
                               shared_bytes = most_objects * places_of_object * sizeof(std::uint64_t);
  Address place_of(const MpiUse& what) const noexcept {
    const std::size_t place = what.number * places_of_object + static_cast<std::size_t>(what.of);
    return reinterpret_cast<Address>(shared_.data()) + place * sizeof(std::uint64_t);
  }
  MpiUse::Of of_place(Address address) const noexcept {
    return static_cast<MpiUse::Of>((address - place_of({})) / sizeof(std::uint64_t) % places_of_object);
  }
  /// Nobody reads or writes these words: they are places in shadow memory.
  memory::ReservedArray<std::uint64_t> shared_;
};

} // namespace rules
} // namespace fletcher
