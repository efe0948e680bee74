// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that was built with clang's -fsanitize=thread calls ThreadSanitizer's runtime, mostly in the same file. The
// instrumentation is the one that this library implements: so the runtime's entry points are made to jump here, and its
// interceptors to this library's or to what they stand in front of. What it needs for itself stays its own: its
// allocator, and its knowledge of threads. The interceptors of LLVM 17 and later are reached by a jump of their own
// ("trampoline"), so that they can still be called; of earlier ones the beginnings are moved (moved_beginnings.hpp).
#pragma once

#include <optional>
#include <string_view>

namespace fletcher::interpose {

/// Where calls have to go instead of to a function of libc's that this library has none for.
using LeadPast = void*(std::string_view name, void* function);

/// Null where that was done: the runtime is of a kind that allows it, and the system lets other threads be stopped,
/// where there are some. Else what was in the way, and nothing is changed. `init` is the runtime's __tsan_init. To be
/// called once, before anything is checked.
const char* take_over_from_thread_sanitizer(const void* init, LeadPast* lead_past) noexcept;
/// There is room for shadow memory then that tells addresses apart by so many bits.
unsigned shadow_bits_after_takeover() noexcept;

/// Of a function for which ThreadSanitizer's interceptor goes on to be needed, that interceptor; of another one the
/// definition behind ThreadSanitizer's; null where only ThreadSanitizer had one. Nothing where it was not taken over,
/// or had no part in the function.
std::optional<void*> behind_thread_sanitizer(const char* name) noexcept;

} // namespace fletcher::interpose
