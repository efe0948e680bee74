// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entry points by which a task gets its thread's private copy of a reduction variable. No event is raised in them,
// so they need not be tail calls.

#include "lib/interpose/task_reductions.hpp"

#include "checker/memory/spin_lock.hpp"
#include "lib/interpose/heap_registry.hpp"
#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"

#include <atomic>
#include <span>
#include <unordered_set>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit Real<void*(int, void*, void*)> real_get{"__kmpc_task_reduction_get_th_data"};
constinit Real<void(std::size_t, std::size_t, void**)> real_remap{"GOMP_task_reduction_remap"};

/// The runtime's blocks that hold copies. Never freed: threads outlive every destructor.
struct Copies {
  memory::SpinLock lock;
  std::unordered_set<Address> blocks;
};
constinit std::atomic<std::size_t> count{0};

Copies& copies() {
  static auto* const the = new Copies;
  return *the;
}

/// The block that the copy is in: one for all threads, or one for each.
HeapBlock block_of(Address copy) noexcept {
  if (const auto block = heap::find(copy); block && block->thread == ThreadId::none) return *block;
  constexpr std::size_t padded = 64; // the runtime gives each copy cache lines of its own
  return {copy, padded};
}

void use(void* copy) {
  access::ThreadState* const thread = outside_tool();
  if (thread == nullptr || copy == nullptr) return;
  const tool::InsideTool inside;
  const HeapBlock block = block_of(reinterpret_cast<Address>(copy));
  // Whoever finds the block here relies on its being known to the checker.
  const memory::SpinGuard guard(copies().lock);
  if (!copies().blocks.insert(block.base).second) return;
  count.fetch_add(1, std::memory_order_relaxed);
  raise(MemoryBegin{thread->id, block.base, block.size, MemoryKind::runtime});
}

} // namespace

namespace fletcher::interpose {

void reduction_copies_end(Address base) {
  if (count.load(std::memory_order_relaxed) == 0) return;
  const tool::InsideTool inside;
  const memory::SpinGuard guard(copies().lock);
  if (copies().blocks.erase(base) == 0) return;
  count.fetch_sub(1, std::memory_order_relaxed);
  const auto block = heap::find(base);
  raise(MemoryEnd{tool::where().thread, base, block ? block->size : 0, MemoryKind::runtime});
}

} // namespace fletcher::interpose

#pragma GCC visibility push(default)
extern "C" {

void* __kmpc_task_reduction_get_th_data(int thread, void* group, void* item) {
  void* const copy = real_get(thread, group, item);
  use(copy);
  return copy;
}

// ptrs[0, count): shared variables, replaced by the thread's copies.
void GOMP_task_reduction_remap(std::size_t number_of_items, std::size_t number_of_originals, void** items) {
  real_remap(number_of_items, number_of_originals, items);
  for (void* const copy : std::span(items, number_of_items)) use(copy);
}

} // extern "C"
#pragma GCC visibility pop
