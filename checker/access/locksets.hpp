// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interned sets of held mutual-exclusion objects (Savage et al., Eraser, 1997): a strand carries one number, and "do
// they share a lock" is one compare in the common cases. Sets are nodes of a tree, each the one that it was made from
// with one object more: locks are mostly released in the opposite order, which is a step back. Where one of very many
// is released in another order, as of a table that is locked as a whole, a node says that the object is gone. Relies on
// events.hpp for Mutex.
#pragma once

#include "checker/events.hpp"
#include "checker/memory/id_index.hpp"
#include "checker/memory/reserved.hpp"
#include "checker/memory/spin_lock.hpp"

#include <atomic>
#include <tuple>
#include <vector>

namespace fletcher::access {

/// What excludes: a mutex of the program, or a construct that acts as one (mutexinoutset, reduction).
struct Exclusion {
  enum class Kind : std::uint8_t { mutex, mutexinoutset, combination } kind = Kind::mutex;
  Mutex mutex;
  /// Among whom: mutexinoutset excludes the children of one task, locks and critical the tasks of one contention group,
  /// the combination of a reduction others of its team.
  TaskId scope = TaskId::none;
  friend bool operator==(const Exclusion& a, const Exclusion& b) noexcept {
    return std::tuple(a.kind, a.mutex.kind, a.mutex.address, a.scope) ==
           std::tuple(b.kind, b.mutex.kind, b.mutex.address, b.scope);
  }
};

/// One held lock and the context that acquired it last (for reports; not part of a set's identity).
struct Held {
  Exclusion exclusion;
  ContextId acquired = ContextId::none;
};

/// Thread-safe. All are O(objects in the sets), and without a lock except for a set that is new. Two sets with the same
/// objects, acquired in different orders, may have different numbers.
class Locksets {
public:
  /// There are fewer than `capacity` sets, and one that stands for all others: it intersects with any.
  explicit Locksets(std::uint32_t capacity = std::uint32_t{1} << 24) : capacity_(capacity), nodes_(capacity) {}
  bool ok() const noexcept { return static_cast<bool>(nodes_); }

  LocksetId add(LocksetId set, const Exclusion& exclusion, ContextId where);
  LocksetId remove(LocksetId set, const Exclusion& exclusion);
  bool intersect(LocksetId a, LocksetId b) const noexcept;
  /// In the order in which they were acquired.
  std::vector<Held> members(LocksetId set) const;

private:
  struct Node {
    Exclusion exclusion;
    LocksetId without; ///< the set that it was added to
    std::atomic<ContextId> acquired;
    bool takes_away() const noexcept { return acquired.load(std::memory_order_relaxed) == no_more; }
  };
  static constexpr ContextId no_more{~std::uint32_t{0}}; ///< `acquired`, where the object is in `without` and no more
  static_assert(sizeof(Node) == 40);
  static std::size_t hash(LocksetId set, const Exclusion& exclusion) noexcept;
  LocksetId find(LocksetId set, const Exclusion& exclusion) const noexcept;
  LocksetId with(LocksetId set, const Exclusion& exclusion, ContextId where);
  LocksetId insert(LocksetId set, const Exclusion& exclusion, ContextId where);
  LocksetId without(LocksetId set, const Exclusion& exclusion);
  template <class F> bool any_node(LocksetId set, const F& f) const;
  bool contains(LocksetId set, const Exclusion& exclusion) const noexcept;
  LocksetId all_others() const noexcept { return LocksetId{capacity_}; }

  std::uint32_t capacity_;
  memory::ReservedArray<Node> nodes_;
  memory::SpinLock lock_; // writers only
  std::uint32_t used_ = 1;
  memory::IdIndex index_{1024};
};

} // namespace fletcher::access
