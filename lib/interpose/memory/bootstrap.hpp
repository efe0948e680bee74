// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for the moments in which the real malloc cannot be called: while it is being looked up (dlsym may allocate),
// and in a process that is being killed. Never given back.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fletcher::interpose::bootstrap {

namespace detail {
inline constexpr std::size_t capacity = 64 * 1024;
alignas(64) inline constinit std::byte arena[capacity]{};
} // namespace detail

/// The calling thread is about to end the process and may hold malloc's locks: from now on its blocks come from here,
/// as many as it needs.
void serve_this_thread() noexcept;

/// Zero-filled, or null when the arena is used up.
void* allocate(std::size_t size, std::size_t alignment) noexcept;
[[gnu::always_inline]] inline bool owns(const void* pointer) noexcept {
  return reinterpret_cast<std::uintptr_t>(pointer) - reinterpret_cast<std::uintptr_t>(detail::arena) < detail::capacity;
}
/// Bytes from `pointer` to the arena's end: an upper bound of a block's size.
inline std::size_t room(const void* pointer) noexcept {
  return detail::capacity -
         (reinterpret_cast<std::uintptr_t>(pointer) - reinterpret_cast<std::uintptr_t>(detail::arena));
}

} // namespace fletcher::interpose::bootstrap
