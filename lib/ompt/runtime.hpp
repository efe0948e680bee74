// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the OMPT layer knows of the runtime that started it: its entry points, where its code lies, and how callbacks
// are registered: each family (threads.cpp, tasks.cpp, …) names its callbacks in one list.
#pragma once

#include "checker/events.hpp"
#include "lib/interpose/binding/late_binding.hpp"

#include <omp-tools.h>

#include <span>

namespace fletcher::ompt {

struct CodeRange {
  Address begin = 0, end = 0;
  bool empty() const noexcept { return end == 0; }
  bool contains(Address address) const noexcept { return address - begin < end - begin; }
};

struct Runtime {
  ompt_get_task_memory_t get_task_memory = nullptr;
  ompt_get_task_info_t get_task_info = nullptr;
  CodeRange code, own_code;       ///< of the shared objects of the runtime and of this library
  bool checks_accesses = false;   ///< the stacks and the runtime's memory of tasks matter
  bool changes_functions = false; ///< where the runtime keeps the functions of tasks matters
  /// That are led through this library.
  interpose::Calls calls = interpose::Calls::runtime;
  bool tasks_at_once = false; ///< KMP_TASKING=0: every task of every team is executed at once
};

/// Filled before the first callback, never changed after.
inline constinit Runtime runtime{};

/// The address is in the code of the OpenMP runtime that started the tool.
inline bool is_in_runtime(Address address) noexcept { return runtime.code.contains(address); }

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
