// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every access entry point does, inlined into it: one thread-local load, a look at shadow memory, and a tail call
// where that does not record the access. Relies on checker/access/check.hpp and on the thread's pointers in
// lib/tool/thread.hpp.
#pragma once

#include "checker/access/check.hpp"
#include "lib/tool/thread.hpp"

#include <cstddef>

namespace fletcher::instrument {

using access::Kind;

/// The place of the call that the compiler inserted. An address inside the call: the return address may already belong
/// to the next source line.
[[gnu::always_inline]] inline Address caller() noexcept {
  return reinterpret_cast<Address>(__builtin_return_address(0)) - 1;
}

/// After a look at shadow memory that did not record the access; `looked`: of a read, nor do others' (told_of_read).
[[gnu::always_inline]] inline void check_untold(const volatile void* address, std::size_t size, Kind kind, Address pc,
                                                bool looked = false) {
  access::ThreadState* const thread = tool::thread_state();
  if (thread == nullptr) [[unlikely]]
    return;
  access::check_untold(*thread, reinterpret_cast<Address>(address), size, kind, pc, looked);
}

[[gnu::always_inline]] inline void check(const volatile void* address, std::size_t size, Kind kind, Address pc) {
  if (!access::told_first(*__fletcher_glance_5, reinterpret_cast<Address>(address), size, kind)) [[unlikely]]
    check_untold(address, size, kind, pc);
}

[[gnu::always_inline]] inline void check_range(const volatile void* address, std::size_t size, Kind kind, Address pc) {
  access::ThreadState* const thread = tool::thread_state();
  if (thread == nullptr || thread->off > 0) [[unlikely]]
    return;
  access::tell_watcher(*thread, reinterpret_cast<Address>(address), size, kind, pc);
  access::check_range(*thread, reinterpret_cast<Address>(address), size, kind, pc);
}

/// Of bytes that belong together.
[[gnu::always_inline]] inline void check_whole(const volatile void* address, std::size_t size, Kind kind, Address pc) {
  access::ThreadState* const thread = tool::thread_state();
  if (thread == nullptr || thread->off > 0) [[unlikely]]
    return;
  access::tell_watcher(*thread, reinterpret_cast<Address>(address), size, kind, pc, true);
  access::check_whole(*thread, reinterpret_cast<Address>(address), size, kind, pc);
}

[[gnu::always_inline]] inline void read(const volatile void* address, std::size_t size) {
  check(address, size, Kind::read, caller());
}
[[gnu::always_inline]] inline void write(const volatile void* address, std::size_t size) {
  check(address, size, Kind::write, caller());
}

} // namespace fletcher::instrument
