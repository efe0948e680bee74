// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interned sets of held mutual-exclusion objects (Savage et al., Eraser, 1997): a strand carries one number, and "do
// they share a lock" is one compare in the common cases. Relies on events.hpp for Mutex.
#pragma once

#include "checker/events.hpp"
#include "checker/memory/spin_lock.hpp"

#include <deque>
#include <tuple>
#include <unordered_map>
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

/// Thread-safe. add and remove: O(1) amortised for sets seen before. intersect: O(1) for equal or empty sets.
class Locksets {
public:
  Locksets();
  LocksetId add(LocksetId set, const Exclusion& exclusion, ContextId where);
  LocksetId remove(LocksetId set, const Exclusion& exclusion);
  bool intersect(LocksetId a, LocksetId b) const;
  std::vector<Held> members(LocksetId set) const;

private:
  using Ids = std::vector<std::uint32_t>; // sorted
  struct Hash {
    std::size_t operator()(const Exclusion& exclusion) const noexcept;
    std::size_t operator()(const Ids& ids) const noexcept;
    std::size_t operator()(std::uint64_t key) const noexcept;
  };
  std::uint32_t exclusion_id(const Exclusion& exclusion, ContextId where);
  LocksetId intern(Ids ids);

  mutable memory::SpinLock lock_;
  std::unordered_map<Exclusion, std::uint32_t, Hash> exclusions_;
  std::deque<Held> held_;
  std::unordered_map<Ids, std::uint32_t, Hash> sets_;
  std::deque<Ids> members_;
  std::unordered_map<std::uint64_t, std::uint32_t, Hash> added_, removed_; // (set, exclusion) -> set
};

} // namespace fletcher::access
