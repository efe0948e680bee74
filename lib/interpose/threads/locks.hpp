// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What taking and leaving a lock of the POSIX world or of an annotation means to the checker. Exclusive locks are
// mutexes. Of a lock that is shared by readers, the checker's locksets know nothing: readers and writers are ordered as
// they came.
#pragma once

#include "lib/interpose/observe.hpp"

namespace fletcher::interpose::locks {

/// Before a call that waits until it has the lock, and after one that did not get it.
inline void waiting(const volatile void* lock, Address pc) { mutex(lock, MutexStep::acquiring, pc); }
inline void gave_up(const volatile void* lock, Address pc) { mutex(lock, MutexStep::testing, pc); }
inline void acquired(const volatile void* lock, Address pc) { mutex(lock, MutexStep::acquired, pc); }
/// Before the lock is really free, so that its next owner's `acquired` comes later.
inline void releasing(const volatile void* lock, Address pc) { mutex(lock, MutexStep::released, pc); }

/// The two objects through which a readers-writer lock orders: what writers leave, what readers leave.
struct Shared {
  explicit Shared(const volatile void* lock) noexcept
      : writers(static_cast<const volatile char*>(lock)), readers(writers + 1) {}
  const volatile char* writers;
  const volatile char* readers;
};

inline void acquired_to_write(const volatile void* lock, Address pc) {
  acquired(lock, pc);
  acquire(Shared(lock).writers);
  acquire(Shared(lock).readers);
}
inline void releasing_after_write(const volatile void* lock, Address pc) {
  release(Shared(lock).writers);
  releasing(lock, pc);
}
inline void acquired_to_read(const volatile void* lock) { acquire(Shared(lock).writers); }
inline void releasing_after_read(const volatile void* lock) { release(Shared(lock).readers); }

} // namespace fletcher::interpose::locks
