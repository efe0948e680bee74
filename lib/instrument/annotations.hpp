// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the annotations of every dialect (Fletcher's own, ThreadSanitizer's, dynamic_annotations') mean. Without effect
// on a thread that is not checked.
#pragma once

#include "lib/instrument/ignoring.hpp"
#include "lib/interpose/threads/locks.hpp"

#include <cstddef>

namespace fletcher::instrument {

inline bool is_watched() noexcept { return interpose::outside_tool() != nullptr; }

inline void happens_before(const volatile void* object) {
  if (is_watched()) interpose::release(object);
}
inline void happens_after(const volatile void* object) {
  if (is_watched()) interpose::acquire(object);
}
/// The memory has a new owner: what was recorded about it is forgotten.
inline void new_memory(const volatile void* memory, std::size_t size) {
  if (is_watched())
    interpose::raise(MemoryBegin{tool::where().thread, reinterpret_cast<Address>(memory), size, MemoryKind::mapping});
}
/// Races on the memory are meant: its accesses are not judged.
inline void benign_race(const volatile void* memory, std::size_t size) {
  if (is_watched())
    interpose::raise(MemoryBegin{tool::where().thread, reinterpret_cast<Address>(memory), size, MemoryKind::runtime});
}

inline void lock_created(const volatile void* lock, Address pc) {
  if (is_watched()) interpose::mutex(lock, MutexStep::init, pc);
}
inline void lock_destroyed(const volatile void* lock, Address pc) {
  if (is_watched()) interpose::mutex(lock, MutexStep::destroy, pc);
}
inline void lock_acquired(const volatile void* lock, bool to_write, Address pc) {
  if (!is_watched()) return;
  if (to_write)
    interpose::locks::acquired_to_write(lock, pc);
  else
    interpose::locks::acquired_to_read(lock);
}
inline void lock_releasing(const volatile void* lock, bool after_write, Address pc) {
  if (!is_watched()) return;
  if (after_write)
    interpose::locks::releasing_after_write(lock, pc);
  else
    interpose::locks::releasing_after_read(lock);
}

} // namespace fletcher::instrument
