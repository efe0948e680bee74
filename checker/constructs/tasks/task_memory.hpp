// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for tasks and what belongs to them: millions are made and are over, by all threads, and what they took is
// given back. Address space is reserved for as many as may live at once.
#pragma once

#include "checker/constructs/dependences/depend_lists.hpp"
#include "checker/constructs/tasks/task.hpp"
#include "checker/memory/arena.hpp"
#include "checker/memory/pool.hpp"

#include <cstddef>

namespace fletcher::constructs {

struct TaskMemory {
  /// A task of this kind is pooled, and what belongs to it. The others are few, and some outlive their region.
  static constexpr bool is_pooled(TaskKind kind) noexcept {
    return kind == TaskKind::explicit_ || kind == TaskKind::target;
  }
  // Alive at once. A task that was created has room to be started, whatever other threads have taken.
  static constexpr std::size_t most_tasks = (1u << 26) - (1u << 21), most_activations = most_tasks + (1u << 23),
                               most_residents = 1u << 20;
  static_assert(most_tasks * (sizeof(Task) + sizeof(Origin) + DependLists::bytes_for_each) +
                        most_residents * sizeof(Task) + most_activations * sizeof(Activation) <
                    memory::Arena::bytes - (std::size_t{1} << 16),
                "and a page's rest for each pool");

  /// What one thread has taken and given back and not shared yet.
  struct Slots {
    memory::Pool<sizeof(Task)>::Magazines tasks, residents;
    memory::Pool<sizeof(Origin)>::Magazines origins;
    memory::Pool<sizeof(Activation)>::Magazines activations;
    memory::Pool<sizeof(UsedByChildren)>::Magazines used;
    DependLists::Magazines lists;
  };

  bool ok() const noexcept { return arena.ok(); }
  std::size_t in_memory() const noexcept {
    return tasks.in_memory() + origins.in_memory() + activations.in_memory() + lists.in_memory();
  }
  /// Gives pages back; a system call, and page faults later. `each(f)` calls f for every thread's slots, none of which
  /// changes meanwhile.
  template <class Each> void trim(Each each) noexcept {
    const auto trim_pool = [&](auto& pool, auto magazines) {
      if (pool.footprint() < worth_giving_back) return;
      std::size_t free_slots = 0;
      each([&](const Slots& slots) { free_slots += pool.free_slots(slots.*magazines); });
      pool.trim(free_slots);
    };
    trim_pool(tasks, &Slots::tasks);
    trim_pool(origins, &Slots::origins);
    trim_pool(activations, &Slots::activations);
    trim_pool(used, &Slots::used);
    lists.trim(worth_giving_back, [&](auto f) { each([&](const Slots& slots) { f(slots.lists); }); });
  }

  memory::Arena arena;
  memory::Pool<sizeof(Task)> tasks{arena.part(most_tasks * sizeof(Task))},
      residents{arena.part(most_residents * sizeof(Task))};
  memory::Pool<sizeof(Origin)> origins{arena.part(most_tasks * sizeof(Origin))};
  memory::Pool<sizeof(Activation)> activations{arena.part(most_activations * sizeof(Activation))};
  memory::Pool<sizeof(UsedByChildren)> used{most_activations + most_residents};
  DependLists lists{arena, most_tasks};

private:
  static constexpr std::size_t worth_giving_back = 4u << 20;
};

} // namespace fletcher::constructs
