// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/bootstrap.hpp"

#include <atomic>

namespace fletcher::interpose::bootstrap {

using detail::arena;
using detail::capacity;

namespace {
constinit std::atomic<std::size_t> used{0};
} // namespace

void* allocate(std::size_t size, std::size_t alignment) noexcept {
  if (alignment < 16) alignment = 16;
  std::size_t begin = used.load(std::memory_order_relaxed);
  for (;;) {
    const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(arena) + begin;
    const std::size_t aligned = begin + (alignment - address % alignment) % alignment;
    if (aligned > capacity || size > capacity - aligned) return nullptr;
    if (used.compare_exchange_weak(begin, aligned + size, std::memory_order_relaxed)) return arena + aligned;
  }
}

} // namespace fletcher::interpose::bootstrap
