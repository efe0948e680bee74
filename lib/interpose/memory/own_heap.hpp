// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where this library's objects are: not in the program's heap, which the program may destroy.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace fletcher::interpose::own_heap {

namespace detail {
inline constexpr std::size_t size = std::size_t{64} << 30;
inline constinit std::atomic<std::uintptr_t> begin{0}; ///< 0: there is none (yet)
} // namespace detail

/// Null where there is no memory, and where the thread ends a killed process: it may have been inside.
void* allocate(std::size_t size, std::size_t alignment) noexcept;
[[gnu::always_inline]] inline bool owns(const void* block) noexcept {
  const std::uintptr_t begin = detail::begin.load(std::memory_order_relaxed);
  return begin != 0 && reinterpret_cast<std::uintptr_t>(block) - begin < detail::size;
}
/// Of a block that it owns.
void free(void* block) noexcept;

/// Around fork(): no thread of the parent holds a lock in the child.
void before_fork() noexcept;
void after_fork() noexcept;

} // namespace fletcher::interpose::own_heap
