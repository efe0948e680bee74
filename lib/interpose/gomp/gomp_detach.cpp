// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/gomp/gomp_detach.hpp"

#include "lib/interpose/libc.hpp"
#include "lib/interpose/openmp/kmp_place.hpp"
#include "lib/interpose/real.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fletcher::interpose {

namespace {

/// As clang and the runtime have agreed on it: kmp_task_t, kmp_depend_info_t.
struct Task {
  void* shareds;
  std::int32_t (*routine)(std::int32_t thread, Task* task);
  std::int32_t part;
  void *destructors, *priority;
  GompBody* body; ///< the first of the task's own
};
struct Item {
  std::intptr_t address;
  std::size_t length;
  std::uint8_t flags;
};
static_assert(offsetof(Task, body) == 40 && sizeof(Item) == 24);

enum TaskFlag : std::int32_t { tied = 1, final_ = 2, detachable = 0x40 };
enum GompFlag : unsigned { gomp_untied = 1, gomp_final = 2, gomp_depend = 8 };
enum ItemFlag : std::uint8_t { in = 1, inout = 3, mutexinoutset = 4 };
enum GompKind : std::uintptr_t { gomp_in = 1, gomp_mutexinoutset = 4 }; ///< of a depobj's item

constinit Real<std::int32_t(const Place*)> real_thread{"__kmpc_global_thread_num"};
constinit Real<Task*(const Place*, std::int32_t, std::int32_t, std::size_t, std::size_t, decltype(Task::routine))>
    real_alloc{"__kmpc_omp_task_alloc"};
constinit Real<void*(const Place*, std::int32_t, Task*)> real_event{"__kmpc_task_allow_completion_event"};
constinit Real<std::int32_t(const Place*, std::int32_t, Task*)> real_task{"__kmpc_omp_task"};
constinit Real<std::int32_t(const Place*, std::int32_t, Task*, std::int32_t, Item*, std::int32_t, Item*)>
    real_task_with_items{"__kmpc_omp_task_with_deps"};
constinit Real<void(const Place*, std::int32_t, std::int32_t, Item*, std::int32_t, Item*)> real_wait_items{
    "__kmpc_omp_wait_deps"};
constinit Real<void(const Place*, std::int32_t, Task*)> real_begin_if0{"__kmpc_omp_task_begin_if0"},
    real_complete_if0{"__kmpc_omp_task_complete_if0"};

std::int32_t run(std::int32_t, Task* task) {
  task->body(task->shareds);
  return 0;
}

Item item(void* address, std::uint8_t flags) { return {reinterpret_cast<std::intptr_t>(address), 0, flags}; }

/// gcc's list: with a number in front, those that are written, and the rest; or 0, four numbers, and the items by their
/// kinds, those of depobj variables last.
std::vector<Item> items_of(void** list) {
  std::vector<Item> items;
  const auto at = [list](std::size_t index) { return reinterpret_cast<std::uintptr_t>(list[index]); };
  if (const std::size_t all = at(0); all != 0) {
    for (std::size_t i = 0; i < all; ++i) items.push_back(item(list[2 + i], i < at(1) ? inout : in));
    return items;
  }
  const std::size_t all = at(1), written = at(2), exclusive = at(3), read = at(4);
  for (std::size_t i = 0; i < all; ++i) {
    void* const address = list[5 + i];
    if (i < written + exclusive + read) {
      items.push_back(item(address, i < written ? inout : i < written + exclusive ? mutexinoutset : in));
      continue;
    }
    const auto* const object = static_cast<void**>(address);
    const auto kind = reinterpret_cast<std::uintptr_t>(object[1]);
    items.push_back(item(object[0], kind == gomp_in ? in : kind == gomp_mutexinoutset ? mutexinoutset : inout));
  }
  return items;
}

} // namespace

bool make_gomp_detachable_task(GompBody* body, void* data, GompCopy* copy, long size, long align, bool if_clause,
                               unsigned flags, void** depend, void* detach) {
  if (real_event.get() == nullptr || real_alloc.get() == nullptr || real_complete_if0.get() == nullptr) return false;
  const std::int32_t thread = real_thread(&place);
  const auto room = static_cast<std::size_t>(size > 0 ? size + align - 1 : 0);
  const std::int32_t kind = ((flags & gomp_untied) != 0 ? 0 : tied) | ((flags & gomp_final) != 0 ? final_ : 0);
  Task* const task = real_alloc(&place, thread, kind | detachable, sizeof(Task), room, run);
  task->body = body;
  void* const event = real_event(&place, thread, task);
  *static_cast<void**>(detach) = event;
  if (size > 0) {
    const auto alignment = static_cast<std::uintptr_t>(align);
    const auto first = (reinterpret_cast<std::uintptr_t>(task->shareds) + alignment - 1) & ~(alignment - 1);
    task->shareds = reinterpret_cast<void*>(first);
    *static_cast<void**>(data) = event; // the handle is the first of what the task gets
    if (copy != nullptr)
      copy(task->shareds, data);
    else
      libc::memmove(task->shareds, data, static_cast<std::size_t>(size));
  }
  std::vector<Item> items;
  if ((flags & gomp_depend) != 0) items = items_of(depend);
  const auto count = static_cast<std::int32_t>(items.size());
  if (!if_clause) {
    if (count != 0) real_wait_items(&place, thread, count, items.data(), 0, nullptr);
    real_begin_if0(&place, thread, task);
    run(thread, task);
    real_complete_if0(&place, thread, task);
  } else if (count != 0) {
    real_task_with_items(&place, thread, task, count, items.data(), 0, nullptr);
  } else {
    real_task(&place, thread, task);
  }
  return true;
}

} // namespace fletcher::interpose
