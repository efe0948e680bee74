// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a task waits for.
#pragma once

#include "checker/events.hpp"

#include <cstdint>

namespace fletcher::constructs {

/// Whom that means is worked out only when somebody asks (checker/waiting).
struct Wait {
  enum class Kind : std::uint8_t {
    none,
    taskwait,
    taskgroup,
    predecessors,
    barrier,
    mutex,
    iteration,
    no_iteration,   ///< that the loop does not have: the runtime's fault
    later_iteration ///< the program's: a sink has to come before
  };
  Kind kind = Kind::none;
  Mutex mutex;    ///< of a mutex
  Address pc = 0; ///< of the construct or call

  /// One by one: who reads a lock of which the parts have just been written must not read both at once.
  void set(Kind by, const Mutex& of, Address at) noexcept {
    kind = by;
    mutex.kind = of.kind;
    mutex.address = of.address;
    pc = at;
  }
};

} // namespace fletcher::constructs
