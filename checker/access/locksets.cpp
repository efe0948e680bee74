// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/access/locksets.hpp"

#include "checker/memory/hash.hpp"

#include <algorithm>

namespace fletcher::access {

namespace {
constexpr std::size_t most_added_anew = 64; ///< after an object that is released
}

/// Whether `f(node)` holds for one of the objects in `set`, the last one first.
template <class F> bool Locksets::any_node(LocksetId set, const F& f) const {
  std::vector<const Exclusion*> gone;
  for (; set != LocksetId::empty; set = nodes_[number(set)].without) {
    const Node& node = nodes_[number(set)];
    if (node.takes_away())
      gone.push_back(&node.exclusion);
    else if (std::none_of(gone.begin(), gone.end(), [&](const Exclusion* e) { return *e == node.exclusion; }) &&
             f(node))
      return true;
  }
  return false;
}

std::size_t Locksets::hash(LocksetId set, const Exclusion& exclusion) noexcept {
  const auto mix = [](std::uint64_t a, std::uint64_t b) {
    a = memory::spread(a ^ b);
    return a ^ (a >> 32);
  };
  const std::uint64_t kinds =
      static_cast<std::uint64_t>(exclusion.kind) << 8 | static_cast<std::uint64_t>(exclusion.mutex.kind);
  return mix(mix(mix(kinds, exclusion.mutex.address), number(exclusion.scope)), number(set));
}

LocksetId Locksets::find(LocksetId set, const Exclusion& exclusion) const noexcept {
  return LocksetId{index_.find(hash(set, exclusion), [&](std::uint32_t id) {
    return nodes_[id].without == set && nodes_[id].exclusion == exclusion;
  })};
}

LocksetId Locksets::insert(LocksetId set, const Exclusion& exclusion, ContextId where) {
  const memory::SpinGuard guard(lock_);
  if (const LocksetId found = find(set, exclusion); found != LocksetId::empty) return found;
  if (used_ == capacity_) return all_others();
  nodes_[used_].exclusion = exclusion;
  nodes_[used_].without = set;
  nodes_[used_].acquired.store(where, std::memory_order_relaxed);
  index_.add(used_, [&](std::uint32_t id) { return hash(nodes_[id].without, nodes_[id].exclusion); });
  return LocksetId{used_++};
}

bool Locksets::contains(LocksetId set, const Exclusion& exclusion) const noexcept {
  if (set == all_others()) return false;
  while (set != LocksetId::empty && !(nodes_[number(set)].exclusion == exclusion)) set = nodes_[number(set)].without;
  return set != LocksetId::empty && !nodes_[number(set)].takes_away();
}

LocksetId Locksets::add(LocksetId set, const Exclusion& exclusion, ContextId where) {
  return contains(set, exclusion) ? set : with(set, exclusion, where);
}

LocksetId Locksets::with(LocksetId set, const Exclusion& exclusion, ContextId where) {
  if (set == all_others()) return set;
  LocksetId larger = find(set, exclusion);
  if (larger == LocksetId::empty) larger = insert(set, exclusion, where);
  if (larger == all_others() || where == ContextId::none) return larger;
  std::atomic<ContextId>& acquired = nodes_[number(larger)].acquired; // mostly the same place again
  if (acquired.load(std::memory_order_relaxed) != where) acquired.store(where, std::memory_order_relaxed);
  return larger;
}

LocksetId Locksets::remove(LocksetId set, const Exclusion& exclusion) {
  if (!contains(set, exclusion)) return set;
  std::vector<const Node*> later;
  const Node* at = &nodes_[number(set)];
  for (; !(at->exclusion == exclusion); at = &nodes_[number(at->without)]) {
    if (at->takes_away() || later.size() == most_added_anew) return without(set, exclusion);
    later.push_back(at);
  }
  set = at->without;
  for (; !later.empty(); later.pop_back())
    set = with(set, later.back()->exclusion, later.back()->acquired.load(std::memory_order_relaxed));
  return set;
}

// By one node more; once half of the nodes would say so, all that are left are added anew.
LocksetId Locksets::without(LocksetId set, const Exclusion& exclusion) {
  std::size_t nodes = 0, gone = 1;
  for (LocksetId at = set; at != LocksetId::empty; at = nodes_[number(at)].without) {
    ++nodes;
    gone += nodes_[number(at)].takes_away();
  }
  if (3 * gone <= nodes) {
    const LocksetId known = find(set, exclusion);
    return known != LocksetId::empty ? known : insert(set, exclusion, no_more);
  }
  LocksetId left = LocksetId::empty;
  for (const Held& held : members(set))
    if (!(held.exclusion == exclusion)) left = with(left, held.exclusion, held.acquired);
  return left;
}

bool Locksets::intersect(LocksetId a, LocksetId b) const noexcept {
  if (a == LocksetId::empty || b == LocksetId::empty) return false;
  if (a == b || a == all_others() || b == all_others()) return true;
  return any_node(a, [&](const Node& node) { return contains(b, node.exclusion); });
}

std::vector<Held> Locksets::members(LocksetId set) const {
  std::vector<Held> result;
  if (set == all_others()) return result;
  any_node(set, [&](const Node& node) {
    result.push_back({node.exclusion, node.acquired.load(std::memory_order_relaxed)});
    return false;
  });
  std::reverse(result.begin(), result.end());
  return result;
}

} // namespace fletcher::access
