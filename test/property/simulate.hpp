// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs an abstract program under a random legal schedule on simulated threads and tells listeners what a real runtime
// would: tasks start only when their predecessors have ended, waits end only when they are satisfied, all else is
// chance. It decides by waiting and counting as a runtime does, and knows nothing of graphs or clocks.
#pragma once

#include "program.hpp"
#include "random.hpp"

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace fletcher::property {

/// What two accesses may have in common so that they exclude each other.
using HeldMutex = std::pair<MutexKind, Address>;

struct SimulatedAccess {
  ThreadId thread;
  TaskId task;
  const Construct* construct;
  std::span<const HeldMutex> held;
};

struct Schedule {
  std::uint64_t seed = 1;
  unsigned at_once = 30; ///< chance that a task runs as soon as it is created
  unsigned burst = 50;   ///< chance that the same thread goes on
  unsigned unfair = 0;   ///< chance that a thread goes on which is always preferred: others starve
};

/// Where the simulator's names lie.
inline Address variable_address(std::uint32_t variable) { return 0x10000000 + Address{variable} * 8; }

/// False if the program can never end (a mistake of the generator or the simulator).
bool simulate(const Program& program, const Schedule& schedule, std::span<Listener* const> listeners,
              const std::function<void(const SimulatedAccess&)>& on_access);

} // namespace fletcher::property
