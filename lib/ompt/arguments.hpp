// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the arguments of a task's construct say beyond its events: which variables clang's task uses by reference, how
// long the items of its depend clauses are, and what pointers among them point to. Interposed entry points leave the
// arguments here for the events that they raise.
#pragma once

#include "checker/events.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <span>

namespace fletcher::ompt {

/// A list item as the compilers' and the runtime's interface has it (kmp_depend_info).
struct DependInfo {
  Address base;
  std::size_t length; ///< 0 from gcc's entry points
  std::uint64_t flags;

  static constexpr std::uint64_t in_or_out = 3, all_memory = 0x80;                      ///< bits of `flags`
  bool is_set() const noexcept { return (flags & in_or_out) == 0 && !is_all_memory(); } ///< mutexinoutset or inoutset
  bool is_all_memory() const noexcept { return (flags & all_memory) != 0; }
};
static_assert(sizeof(DependInfo) == 24);

/// What the hottest entry points leave, as they find it in registers: omp_tasks.cpp stores here by offset.
struct TaskCall {
  // __kmpc_omp_task_alloc, for the next task: so many bytes, followed by the addresses of what it shares; its function.
  std::size_t task_size = 0, shared_size = 0;
  Address entry = 0;
  Address task = 0; ///< __kmpc_omp_task and its kin: the one to be created
};
static_assert(offsetof(TaskCall, shared_size) == 8 && offsetof(TaskCall, entry) == 16 &&
              offsetof(TaskCall, task) == 24);
} // namespace fletcher::ompt

extern "C" [[gnu::visibility("hidden"),
             gnu::tls_model("initial-exec")]] constinit thread_local fletcher::ompt::TaskCall fletcher_task_arguments;

namespace fletcher::ompt {

/// Of the call that this thread is in.
struct TaskArguments {
  std::span<const Address> captures; ///< what the task uses by reference
  std::size_t references = 0;        ///< so many of `captures`; what follows it reaches by copies of pointers
  std::span<const DependInfo> items;
  bool nowait = false;           ///< of a taskwait
  bool reaches_no_frame = false; ///< of the task that GOMP_task makes, as TaskTraits says

  /// The task that an entry point named is created, its data for tools is `data`. Clang's block of shared variables has
  /// their addresses and, for variable-length arrays, their lengths; nothing that was copied (firstprivate) is in it,
  /// but see below. Returns the bytes of the task's memory that the program knows, 0 where unknown.
  std::size_t created(Address data) noexcept;
  /// The task that will be created in this memory has a copy of an address in the creator's `variable`.
  void copied(Address task, Address variable) noexcept;
  /// The task is created in the body of a loop construct. Of the loop's iteration variables the task has copies, but
  /// clang notes their addresses as well. Which these are is not said: captures whose value the copies have may be.
  void leave_out_iteration_variables() noexcept;
  /// GOMP_taskloop: the pattern of its tasks has so many bytes of arguments.
  void taskloop_of(std::size_t size) noexcept { gomp_size_ = size; }
  /// __kmpc_taskloop: the task that was allocated last is the pattern of the construct's tasks. Its size, 0 where
  /// unknown.
  std::size_t pattern(Address task) noexcept;

private:
  bool may_be_copied(Address variable) const noexcept;
  void add(std::size_t kept) noexcept;
  /// By a copy of the pattern, where no other task was created yet.
  void learn_distance(Address data) noexcept;

  std::size_t gomp_size_ = 0;
  TaskCall pattern_;                      ///< that is of the last taskloop
  std::span<const unsigned char> copies_; ///< in the task that was created
  static constexpr std::size_t most_references = 8, most_kept = 4;
  /// Room for captures that are left, and behind it for the variables of copied().
  std::array<Address, most_references + most_kept> room_{};
  std::size_t kept_ = 0; ///< variables of copied()
  Address keeper_ = 0;   ///< the task that it named
};
[[gnu::tls_model("initial-exec")]] inline constinit thread_local TaskArguments arguments{};

/// From a task's data for tools to the memory of the task that the program knows, as far as created() said so: the
/// runtime keeps both in one block. 0 where nothing is known.
inline constinit std::atomic<std::size_t> distance_to_task{0};

/// Where the runtime keeps the function of the explicit task whose data for tools is `data`, if clang compiled it; 0
/// where that is not known.
Address function_of(Address data) noexcept;

/// The address is in a variable of static storage duration of a module that was loaded when the session began.
bool is_permanent(Address address) noexcept;

/// What is known of item `index` of the list that the running call passed.
Storage storage_of(std::size_t index, Address address, bool permanent) noexcept;

} // namespace fletcher::ompt
