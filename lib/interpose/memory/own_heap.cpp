// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/memory/own_heap.hpp"

#include "checker/memory/heap.hpp"
#include "lib/interpose/real.hpp"

#include <new>

namespace fletcher::interpose::own_heap {

namespace {

using memory::Heap;

/// Made by the first that needs it, before any constructor has run, and never destroyed: threads outlive every
/// destructor.
alignas(Heap) constinit std::byte storage[sizeof(Heap)]{};
constinit std::atomic<Heap*> made{nullptr};
constinit memory::SpinLock making{};

Heap* make() noexcept {
  const memory::SpinGuard guard(making);
  if (Heap* const existing = made.load(std::memory_order_relaxed)) return existing;
  auto* const heap = new (storage) Heap(detail::size);
  if (heap->ok()) detail::begin.store(reinterpret_cast<std::uintptr_t>(heap->begin()), std::memory_order_relaxed);
  made.store(heap, std::memory_order_release);
  return heap;
}

std::size_t shard() noexcept {
  static constinit std::atomic<std::uint32_t> threads{0};
  [[gnu::tls_model("initial-exec")]] static constinit thread_local std::uint32_t mine = 0;
  if (mine == 0) mine = threads.fetch_add(1, std::memory_order_relaxed) + 1;
  return mine;
}

} // namespace

void* allocate(std::size_t size, std::size_t alignment) noexcept {
  if (looking_up()) [[unlikely]]
    return nullptr;
  Heap* heap = made.load(std::memory_order_acquire);
  if (heap == nullptr) [[unlikely]]
    heap = make();
  return heap->allocate(size, alignment, shard());
}

void free(void* block) noexcept {
  if (!looking_up()) [[likely]]
    made.load(std::memory_order_acquire)->free(block, shard());
}

void before_fork() noexcept {
  if (Heap* const heap = made.load(std::memory_order_acquire)) heap->lock();
}
void after_fork() noexcept {
  if (Heap* const heap = made.load(std::memory_order_acquire)) heap->unlock();
}

} // namespace fletcher::interpose::own_heap
