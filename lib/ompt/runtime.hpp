// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the OMPT layer knows of the runtime that started it: its entry points, where its code lies, and how callbacks
// are registered: each family (threads.cpp, tasks.cpp, …) names its callbacks in one list.
#pragma once

#include "checker/events.hpp"

#include <omp-tools.h>

#include <span>

namespace fletcher::ompt {

struct Runtime {
  ompt_get_task_memory_t get_task_memory = nullptr;
  ompt_get_task_info_t get_task_info = nullptr;
  Address code_begin = 0, code_end = 0; ///< of its shared object; 0 where it is part of the executable
  bool checks_accesses = false;         ///< the stacks and the runtime's memory of tasks matter
  bool tasks_at_once = false;           ///< KMP_TASKING=0: every task of every team is executed at once
};

/// Filled before the first callback, never changed after.
inline constinit Runtime runtime{};

/// Whom the callbacks tell. Set before the first callback.
inline constinit Listener* listener = nullptr;

struct Callback {
  ompt_callbacks_t event;
  ompt_callback_t function;
  const char* name;
};

std::span<const Callback> thread_callbacks();
std::span<const Callback> parallel_callbacks();
std::span<const Callback> task_callbacks();
std::span<const Callback> dependence_callbacks();
std::span<const Callback> sync_callbacks();
std::span<const Callback> mutex_callbacks();
std::span<const Callback> work_callbacks();
std::span<const Callback> directive_callbacks();
std::span<const Callback> control_callbacks();
std::span<const Callback> device_callbacks();

/// A callback of the type that its event asks for, checked by the compiler.
template <class Type> ompt_callback_t as_callback(Type function) noexcept {
  return reinterpret_cast<ompt_callback_t>(function);
}

/// Flags come as int, although the enumeration that they are made of needs an unsigned one.
constexpr bool has(int flags, unsigned flag) noexcept { return (static_cast<unsigned>(flags) & flag) != 0; }

inline Address code(const void* pointer) noexcept { return reinterpret_cast<Address>(pointer); }

} // namespace fletcher::ompt
