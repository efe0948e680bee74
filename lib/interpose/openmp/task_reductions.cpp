// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entry points by which a task gets its thread's private copy of a reduction variable. No event is raised in them,
// so they need not be tail calls. In a team of one LLVM's runtime hands out the original: what that is, where it is
// told what there is to reduce.

#include "lib/interpose/openmp/task_reductions.hpp"

#include "checker/checker.hpp"
#include "checker/memory/spin_lock.hpp"
#include "lib/annotate/annotator.hpp"
#include "lib/interpose/memory/heap_registry.hpp"
#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"
#include "lib/interpose/takeover/old_blocks.hpp"
#include "lib/ompt/quirks/gathering.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit Real<void*(int, void*, void*)> real_get{"__kmpc_task_reduction_get_th_data"};
constinit Real<void(std::size_t, std::size_t, void**)> real_remap{"GOMP_task_reduction_remap"};
constinit Real<void*(int, int, void*)> real_init{"__kmpc_taskred_init"};
constinit Real<void*(void*, int, int, int, void*)> real_modifier_init{"__kmpc_taskred_modifier_init"};
constinit Real<void(void*, int, int)> real_modifier_end{"__kmpc_task_reduction_modifier_fini"};
constinit Real<int()> real_team_size{"omp_get_num_threads"};

/// As clang and the runtime have agreed on it (kmp_taskred_input_t).
struct Item {
  void* copy; ///< in a team of one
  void* original;
  std::size_t size;
  void *init, *end, *combine;
  std::uint32_t flags;
};
static_assert(sizeof(Item) == 56);

/// The runtime's blocks that hold copies. Never freed: threads outlive every destructor.
struct Copies {
  memory::SpinLock lock;
  std::unordered_set<Address> blocks;
};
constinit std::atomic<std::size_t> known_blocks{0};

Copies& copies() {
  static auto* const the = new Copies;
  return *the;
}

/// The runtime's block that the copy is in: one for all threads, or one for each. None in a team of one.
std::optional<HeapBlock> block_of(Address copy) noexcept {
  const auto block = heap::find(copy);
  return block && block->thread == ThreadId::none ? block : std::nullopt;
}

std::optional<HeapBlock> block_around(Address address) {
  if (auto block = heap::find(address)) return block->alive && block->thread != ThreadId::none ? block : std::nullopt;
  const auto old = old_blocks::around(address);
  if (old.empty()) return std::nullopt;
  return HeapBlock{.base = reinterpret_cast<Address>(old.data()), .size = old.size()};
}

/// What copies own: the program's heap blocks that they lead to. Nobody may write the copies meanwhile.
void tell_owned(Address begin, std::size_t size, ThreadId thread) {
  constexpr std::size_t most = 64 * 1024; // bytes looked at
  std::vector<std::span<const Address>> found;
  std::unordered_set<Address> known;
  const auto take = [&](Address place, std::size_t bytes) {
    if (place % alignof(Address) == 0)
      found.emplace_back(reinterpret_cast<const Address*>(place), bytes / sizeof(Address));
  };
  take(begin, size);
  for (std::size_t looked_at = 0; !found.empty() && looked_at < most;) {
    const auto words = found.back().first(std::min(found.back().size(), (most - looked_at) / sizeof(Address)));
    found.pop_back();
    looked_at += words.size_bytes();
    for (const Address word : words) {
      const auto block = block_around(word);
      if (!block || !known.insert(block->base).second) continue;
      raise(MemoryBegin{thread, block->base, block->size, MemoryKind::copy});
      take(block->base, block->size);
    }
  }
}

void use(void* copy) {
  if (annotate::judges_tasks.load(std::memory_order_relaxed)) annotate::ask_thread_number();
  access::ThreadState* const thread = outside_tool();
  if (thread == nullptr || copy == nullptr) return;
  const tool::InsideTool inside;
  thread->checker->asked_for_copy(*thread);
  const auto block = block_of(reinterpret_cast<Address>(copy));
  if (!block) return;
  // A thread that finds the block here relies on its being known to the checker, and has not written its copy yet.
  const memory::SpinGuard guard(copies().lock);
  if (!copies().blocks.insert(block->base).second) return;
  known_blocks.fetch_add(1, std::memory_order_relaxed);
  raise(MemoryBegin{thread->id, block->base, block->size, MemoryKind::runtime});
  tell_owned(block->base, block->size, thread->id);
}

void reduce(std::span<const Item> items) {
  access::ThreadState* const thread = outside_tool();
  if (thread == nullptr || real_team_size() != 1) return;
  const tool::InsideTool inside;
  for (const Item& item : items) {
    const auto original = reinterpret_cast<Address>(item.copy);
    raise(MemoryBegin{thread->id, original, item.size, MemoryKind::copy});
    tell_owned(original, item.size, thread->id);
  }
}

/// By this library or ThreadSanitizer.
bool accesses_are_checked() noexcept {
  if (outside_tool() != nullptr) return true;
  const tool::Session* const session = tool::session();
  return session != nullptr && session->level() == tool::Level::tsan && !tool::InsideTool::here();
}

/// What the runtime does with copies is nobody's access.
void tell_runtime(bool begin, Address pc) {
  const tool::Where& here = tool::where();
  raise(Reduction{here.thread, here.task, here.team, begin, pc});
}

} // namespace

namespace fletcher::interpose {

void reduction_copies_end(Address base) {
  if (known_blocks.load(std::memory_order_relaxed) == 0) return;
  const tool::InsideTool inside;
  const memory::SpinGuard guard(copies().lock);
  if (copies().blocks.erase(base) == 0) return;
  known_blocks.fetch_sub(1, std::memory_order_relaxed);
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

void* __kmpc_taskred_init(int thread, int count, void* items) {
  void* const group = real_init(thread, count, items);
  reduce({static_cast<const Item*>(items), static_cast<std::size_t>(count)});
  return group;
}

// reduction(task, ...): the caller's own copy is one of them.
void* __kmpc_taskred_modifier_init(void* place, int thread, int is_worksharing, int count, void* items) {
  const bool told = accesses_are_checked();
  if (told) tell_runtime(true, caller());
  void* const group = real_modifier_init(place, thread, is_worksharing, count, items);
  if (told) tell_runtime(false, caller());
  const std::span all(static_cast<const Item*>(items), static_cast<std::size_t>(count));
  reduce(all);
  if (!all.empty()) use(all.front().copy);
  return group;
}

void __kmpc_task_reduction_modifier_fini(void* place, int thread, int is_worksharing) {
  if (!accesses_are_checked()) return real_modifier_end(place, thread, is_worksharing);
  const ompt::TaskModifier outer = ompt::begin_task_modifier();
  real_modifier_end(place, thread, is_worksharing);
  if (std::exchange(ompt::task_modifier, outer).combines) tell_runtime(false, caller());
}

// ptrs[0, count): shared variables, replaced by the thread's copies.
void GOMP_task_reduction_remap(std::size_t number_of_items, std::size_t number_of_originals, void** items) {
  real_remap(number_of_items, number_of_originals, items);
  for (void* const copy : std::span(items, number_of_items)) use(copy);
}

} // extern "C"
#pragma GCC visibility pop
