// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/access/locksets.hpp"

#include <algorithm>

namespace fletcher::access {

namespace {
std::uint64_t key(LocksetId set, std::uint32_t exclusion) { return (std::uint64_t{number(set)} << 32) | exclusion; }
std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
  a = (a ^ b) * 0x9e3779b97f4a7c15u;
  return a ^ (a >> 32);
}
} // namespace

std::size_t Locksets::Hash::operator()(std::uint64_t key) const noexcept { return mix(0, key); }
std::size_t Locksets::Hash::operator()(const Exclusion& e) const noexcept {
  const std::uint64_t kinds = static_cast<std::uint64_t>(e.kind) << 8 | static_cast<std::uint64_t>(e.mutex.kind);
  return mix(mix(kinds, e.mutex.address), number(e.scope));
}
std::size_t Locksets::Hash::operator()(const Ids& ids) const noexcept {
  std::uint64_t all = ids.size();
  for (const std::uint32_t id : ids) all = mix(all, id);
  return all;
}

Locksets::Locksets() { intern({}); }

LocksetId Locksets::intern(Ids ids) {
  const auto [at, is_new] = sets_.try_emplace(std::move(ids), static_cast<std::uint32_t>(members_.size()));
  if (is_new) members_.push_back(at->first);
  return LocksetId{at->second};
}

std::uint32_t Locksets::exclusion_id(const Exclusion& exclusion, ContextId where) {
  const auto [at, is_new] = exclusions_.try_emplace(exclusion, static_cast<std::uint32_t>(held_.size()));
  if (is_new)
    held_.push_back({exclusion, where});
  else if (where != ContextId::none)
    held_[at->second].acquired = where;
  return at->second;
}

LocksetId Locksets::add(LocksetId set, const Exclusion& exclusion, ContextId where) {
  const memory::SpinGuard guard(lock_);
  const std::uint32_t id = exclusion_id(exclusion, where);
  const auto [memo, is_new] = added_.try_emplace(key(set, id));
  if (is_new) {
    Ids ids = members_[number(set)];
    const auto at = std::lower_bound(ids.begin(), ids.end(), id);
    if (at == ids.end() || *at != id) ids.insert(at, id);
    memo->second = number(intern(std::move(ids)));
  }
  return LocksetId{memo->second};
}

LocksetId Locksets::remove(LocksetId set, const Exclusion& exclusion) {
  const memory::SpinGuard guard(lock_);
  const std::uint32_t id = exclusion_id(exclusion, ContextId::none);
  const auto [memo, is_new] = removed_.try_emplace(key(set, id));
  if (is_new) {
    Ids ids = members_[number(set)];
    std::erase(ids, id);
    memo->second = number(intern(std::move(ids)));
  }
  return LocksetId{memo->second};
}

bool Locksets::intersect(LocksetId a, LocksetId b) const {
  if (a == LocksetId::empty || b == LocksetId::empty) return false;
  if (a == b) return true;
  const memory::SpinGuard guard(lock_);
  const Ids &x = members_[number(a)], &y = members_[number(b)];
  return std::find_first_of(x.begin(), x.end(), y.begin(), y.end()) != x.end();
}

std::vector<Held> Locksets::members(LocksetId set) const {
  const memory::SpinGuard guard(lock_);
  std::vector<Held> result;
  for (const std::uint32_t id : members_[number(set)]) result.push_back(held_[id]);
  return result;
}

} // namespace fletcher::access
