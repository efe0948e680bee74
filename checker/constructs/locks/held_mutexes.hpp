// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which mutual-exclusion objects a task holds, by its own acquisition or because an ancestor holds them around it. Only
// the thread that runs the task touches its lists; who owns an object is asked of the execution (Execution::owner_of).
#pragma once

#include "checker/events.hpp"
#include "checker/memory/lazy_vector.hpp"
#include "checker/order/knowledge.hpp"

#include <algorithm>
#include <vector>

namespace fletcher::constructs {

/// An object that a task held when it took another one, and has released before that one.
struct LeftMutex {
  std::uint64_t key = 0;
  Mutex mutex;
  ContextId acquired = ContextId::none; ///< where
};

/// One object that a task holds. `key` tells objects apart (Execution::mutex_key): the ordered regions of two loops may
/// share an address.
struct HeldMutex {
  std::uint64_t key = 0;
  Mutex mutex;
  ContextId acquired = ContextId::none; ///< where
  std::uint32_t depth = 1;              ///< of a nest lock: how often it is set
  std::uint32_t turn = 0;               ///< how often it had been released when the task learned what it carries
  std::vector<LeftMutex> left = {};     ///< mostly none: locks are mostly released in the opposite order
};
using HeldMutexes = memory::LazyVector<HeldMutex>;

inline HeldMutex* find_held(HeldMutexes& held, std::uint64_t key) noexcept {
  const auto at = std::find_if(held.begin(), held.end(), [&](const HeldMutex& h) { return h.key == key; });
  return at == held.end() ? nullptr : &*at;
}

/// A task that waited for an object and got it: its last acquisition.
struct Taker {
  TaskId task = TaskId::none;
  StrandId strand = StrandId::none; ///< in which it did
  ContextId where = ContextId::none;
  /// The deferred task in which it did: itself, or what it is an undeferred part of. None if it is no explicit task.
  TaskId starter = TaskId::none;
  ChainId starter_chain = ChainId::none;
  bool repeated = false;       ///< at the same place as the time before: it may look under the lock for what others did
  order::Knowledge known = {}; ///< what is guaranteed to come before
};

/// The same with what it got.
struct Acquisition {
  std::uint64_t key = 0;
  Mutex mutex;
  Taker taker;
};

/// What an ancestor held when it created a task, or the next ancestor on the way down to it.
struct HeldAround {
  HeldMutex held;
  TaskId owner = TaskId::none;
  bool waits = false; ///< the owner can release it only after the task's end: it waits (undeferred task, region)
};

} // namespace fletcher::constructs
