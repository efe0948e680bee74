// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lock dependencies (Goodlock's tuples): which locks a task held while it waited for another one, and a few strands
// that did so, with what they knew of the past. Of bounded size: equal dependencies share an entry.
#pragma once

#include "checker/constructs/locks/held_mutexes.hpp"
#include "checker/graph/lock_order_graph.hpp"
#include "checker/order/happens_before.hpp"

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace fletcher::rules {

/// One lock around a waiting task.
struct LockAround {
  constructs::HeldMutex lock;
  TaskId owner = TaskId::none; ///< the ancestor that holds it; none: the waiting task itself
  bool blocks = true;          ///< cannot be released before the wait is over; otherwise it only excludes others
};

/// A strand that had the dependency, as a point in the happens-before order.
struct LockWait {
  TaskId task;
  StrandId strand;
  ChainId chain;
  order::Knowledge known;
  std::uint8_t unit = 0;      ///< constructs::Rare::unit_number, of a task that does not know which thread it is on
  bool knows_nothing = false; ///< it had looked at nothing since it drew a number
};

/// Room for what nearly every task holds when it waits.
using LocksAround = boost::container::small_vector<LockAround, 4>;

struct LockDependency {
  std::uint64_t hash = 0;
  constructs::HeldMutex wanted; ///< `acquired`: where it is waited for
  LocksAround held;
  boost::container::small_vector<LockWait, 1> waits; ///< at most max_waits, none before another
  bool reported = false;
  std::uint32_t looked_at = 0; ///< how often, while there was no room

  /// The lock as one that is held until the wait is over; null where it is none.
  const LockAround* blocking(std::uint64_t lock) const {
    const auto at = std::find_if(held.begin(), held.end(),
                                 [&](const LockAround& around) { return around.blocks && around.lock.key == lock; });
    return at == held.end() ? nullptr : &*at;
  }
};

/// Not thread-safe.
class LockDependencies {
public:
  static constexpr std::size_t max_dependencies = 4096, max_waits = 8;

  /// The entry of an equal dependency (`hash` says what is equal), made if there is none. Forgets all when full.
  LockDependency& entry(std::uint64_t hash, const constructs::HeldMutex& wanted, const LocksAround& held);
  /// Those in which `lock` is held and blocks.
  const std::vector<std::uint32_t>& holders(std::uint64_t lock) const;
  LockDependency& at(std::uint32_t index) { return entries_[index]; }
  /// Calls `f(wait)` for the waits of all.
  template <class F> void each_wait(F f) {
    for (LockDependency& d : entries_)
      for (LockWait& wait : d.waits) f(wait);
  }
  bool may_be_on_cycle(const LockDependency& dependency) const;
  /// The lock's life is over, or another one begins at its address.
  void forget(std::uint64_t lock);
  void clear();

private:
  void connect(std::uint32_t index);
  void connect_all();
  void unlist(std::uint32_t index);

  std::vector<LockDependency> entries_;
  std::vector<std::uint32_t> free_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_hash_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_held_;
  /// Programs that take many locks at once mostly do so in the order of their addresses, and a circle needs both
  /// directions: as long as there is one only, nothing is in `by_held_` and `graph_`.
  bool upwards_ = false, downwards_ = false, connected_ = false;
  graph::LockOrderGraph graph_;
};

} // namespace fletcher::rules
