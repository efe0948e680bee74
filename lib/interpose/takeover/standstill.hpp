// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All other threads of the process stand still for a moment, wherever they are, so that code can be changed under them.
// Done by a process that traces them, as debuggers do: no signal handler runs, and system calls go on as if nothing had
// been. Linux, x86-64.
#pragma once

#include "checker/ids.hpp"

#include <cstddef>
#include <span>
#include <sys/types.h>

namespace fletcher::interpose {

/// A thread, and the instruction that it executes next.
struct StoppedThread {
  pid_t thread;
  Address at;
};

/// Places that threads are led out of: the bytes behind each entry, but for the entry itself.
struct Narrows {
  std::span<const Address> entries;
  std::size_t size;
  bool hold(Address at) const noexcept;
};

/// While it lives they stand still. May be refused: the system does not let processes be traced, or a debugger is
/// there. The one who made it takes no lock meanwhile, nor calls what may: who holds it may be one of them.
/// A thread in one of the narrows executes some instructions more; one that a signal was about to interrupt stays.
class Standstill {
public:
  explicit Standstill(const Narrows& narrows) noexcept;
  ~Standstill();
  Standstill(const Standstill&) = delete;
  Standstill& operator=(const Standstill&) = delete;

  bool reached() const noexcept { return reached_; }
  std::span<const StoppedThread> threads() const noexcept; ///< empty where it was not reached

private:
  struct Shared;
  void end() noexcept;

  Shared* shared_ = nullptr;
  pid_t tracer_ = -1;
  bool reached_ = false;
  unsigned long signals_ = 0; ///< those that were blocked before
};

} // namespace fletcher::interpose
