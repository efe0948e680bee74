// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/memory/bootstrap.hpp"

#include "lib/interpose/real.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <utility>

namespace fletcher::interpose::bootstrap {

using detail::arena;
using detail::capacity;

namespace {
constinit std::atomic<std::size_t> used{0};

/// What is left of the last piece of memory for the thread that ends the process. There is one such thread.
constinit std::byte* rest = nullptr;
constinit std::size_t rest_size = 0;
[[gnu::tls_model("initial-exec")]] constinit thread_local bool served = false;

void* allocate_for_the_end(std::size_t size) noexcept {
  constexpr std::size_t piece = 16 << 20;
  size = (size + 63) / 64 * 64;
  if (size > rest_size) {
    const std::size_t wanted = std::max(size, piece);
    void* const memory =
        ::mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    rest = static_cast<std::byte*>(memory);
    rest_size = wanted;
  }
  rest_size -= size;
  return std::exchange(rest, rest + size);
}
} // namespace

void serve_this_thread() noexcept {
  interpose::detail::looking_up = true;
  served = true;
}

void* allocate(std::size_t size, std::size_t alignment) noexcept {
  if (served && alignment <= 64) return allocate_for_the_end(size);
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
