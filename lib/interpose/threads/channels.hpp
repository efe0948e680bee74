// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipes, sockets and event counters: what a thread did before it wrote into one comes before what another one does
// after it has read there. ThreadSanitizer knows these calls itself. The standard streams are left out: programs write
// messages there, often into a pipe, and nobody in the process reads them.
#pragma once

#include "lib/interpose/observe.hpp"

namespace fletcher::interpose::channels {

namespace detail {
/// What stands for the channel that this descriptor is an end of; null: it is none. All sockets are one, and all event
/// counters: which descriptors belong together is not known. Leaves errno as it was.
const volatile void* find(int descriptor) noexcept;

/// Null: what is done there orders nothing. Where no access is checked, nothing needs to be ordered.
[[gnu::always_inline]] inline const volatile void* told(int descriptor, Address pc) noexcept {
  return checking() != nullptr && is_told(pc) ? find(descriptor) : nullptr;
}
} // namespace detail

/// Before a call that writes, or closes.
[[gnu::always_inline]] inline void writes(int descriptor, Address pc) {
  if (const volatile void* const channel = detail::told(descriptor, pc)) [[unlikely]]
    release(channel);
}

/// After a call that read: returns its `result`, which is negative where it failed, and zero where the other end was
/// closed.
template <class Result> [[gnu::always_inline]] inline Result was_read(int descriptor, Address pc, Result result) {
  if (result < 0) return result;
  if (const volatile void* const channel = detail::told(descriptor, pc)) [[unlikely]] {
    const KeptErrno kept;
    acquire(channel);
  }
  return result;
}

} // namespace fletcher::interpose::channels
