// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What travels through an object from the task that let go of it to the one that takes it: a lock, an ordered
// construct, an object of POSIX, an iteration. Relies on knowledge.hpp.
#pragma once

#include "checker/constructs/locks/held_mutexes.hpp"
#include "checker/constructs/locks/lone_locks.hpp"
#include "checker/memory/node_map.hpp"
#include "checker/memory/spin_lock.hpp"
#include "checker/predict/sync_log.hpp"

namespace fletcher::constructs {

/// Who holds a mutex, and since where.
struct Holder {
  TaskId task = TaskId::none;
  ContextId acquired = ContextId::none;
};

struct Carrier {
  order::Knowledge known;              ///< that OpenMP guarantees
  order::Observed told;                ///< that the order of a lock's sections adds
  StrandId tells_all = StrandId::none; ///< who knows of this strand knows all that is in `told`
  std::uint32_t lock_told = 0;         ///< LockRelease::lock, since the last horizon
  std::uint32_t generation = 0;
  std::uint32_t turn = 0; ///< how often it was released
  Holder holder;          ///< of a mutex
  Mutex mutex;            ///< where it has takers
  memory::LazyVector<Taker> takers;
  std::uint32_t looked_at = 0; ///< how often a taker was asked whether it still matters
  // For prediction, since the last horizon: its number in the log, the open section, where the last one began, who
  // began it, and what that thread had accessed by then.
  std::uint32_t lock = predict::SyncLog::none;
  std::uint32_t section = predict::SyncLog::none;
  StrandId begun = StrandId::none;
  TaskId entered = TaskId::none;
  std::uint32_t accesses = 0;
  LoneLock lone; ///< the release that is not in `told` yet

  /// All that it has carried since the horizon is what its last holder told.
  bool is_lone() const noexcept {
    return !lone.given() && told.empty() && known.empty() && takers.empty() && lock == predict::SyncLog::none;
  }
};

struct alignas(64) CarrierShard {
  memory::SpinLock lock;
  memory::NodeMap<Carrier> carriers;

  /// A lock is looked up several times while it is taken and let go of.
  std::uint64_t last_key = 0;
  Carrier* last = nullptr;

  Carrier& operator[](std::uint64_t key) {
    if (last == nullptr || last_key != key) {
      last = &carriers[key];
      last_key = key;
    }
    return *last;
  }
  template <class Condition> void erase_if(Condition condition) {
    last = nullptr;
    carriers.erase_if(condition);
  }
  void erase(std::uint64_t key) {
    last = nullptr;
    carriers.erase(key);
  }
};

} // namespace fletcher::constructs
