// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/locks/lock_dependencies.hpp"

#include <algorithm>

namespace fletcher::rules {

LockDependency& LockDependencies::entry(std::uint64_t hash, const constructs::HeldMutex& wanted,
                                        const LocksAround& held) {
  if (const auto known = by_hash_.find(hash); known != by_hash_.end()) return entries_[known->second];
  if (by_hash_.size() == max_dependencies) clear();
  auto index = static_cast<std::uint32_t>(entries_.size());
  if (free_.empty()) {
    entries_.emplace_back();
  } else {
    index = free_.back();
    free_.pop_back();
  }
  by_hash_[hash] = index;
  entries_[index] = {.hash = hash, .wanted = wanted, .held = held, .waits = {}};
  for (const LockAround& around : held) {
    if (!around.blocks) continue;
    const auto place = [](const constructs::HeldMutex& lock) { return std::pair(lock.mutex.address, lock.key); };
    (place(around.lock) < place(wanted) ? upwards_ : downwards_) = true;
  }
  if (connected_)
    connect(index);
  else if (upwards_ && downwards_)
    connect_all();
  return entries_[index];
}

void LockDependencies::connect(std::uint32_t index) {
  for (const LockAround& around : entries_[index].held) {
    if (!around.blocks) continue;
    graph_.add(around.lock.key, entries_[index].wanted.key);
    by_held_[around.lock.key].push_back(index);
  }
}

void LockDependencies::connect_all() {
  connected_ = true;
  for (std::uint32_t i = 0; i < entries_.size(); ++i) connect(i);
}

const std::vector<std::uint32_t>& LockDependencies::holders(std::uint64_t lock) const {
  static const std::vector<std::uint32_t> none;
  const auto at = by_held_.find(lock);
  return at == by_held_.end() ? none : at->second;
}

bool LockDependencies::may_be_on_cycle(const LockDependency& dependency) const {
  return std::any_of(dependency.held.begin(), dependency.held.end(), [&](const LockAround& around) {
    return around.blocks && graph_.may_be_on_cycle(around.lock.key, dependency.wanted.key);
  });
}

void LockDependencies::unlist(std::uint32_t index) {
  for (const LockAround& around : entries_[index].held) {
    const auto at = by_held_.find(around.lock.key);
    if (at == by_held_.end()) continue;
    std::erase(at->second, index);
    if (at->second.empty()) by_held_.erase(at);
  }
  by_hash_.erase(entries_[index].hash);
  entries_[index] = {};
  free_.push_back(index);
}

void LockDependencies::forget(std::uint64_t lock) {
  if (entries_.empty()) return;
  if (!connected_) connect_all();
  if (!graph_.contains(lock)) return;
  graph_.remove(lock);
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    const LockDependency& d = entries_[i];
    if (d.wanted.key == lock ||
        std::any_of(d.held.begin(), d.held.end(), [&](const LockAround& around) { return around.lock.key == lock; }))
      unlist(i);
  }
}

void LockDependencies::clear() {
  entries_.clear();
  free_.clear();
  by_hash_.clear();
  by_held_.clear();
  graph_.clear();
  upwards_ = downwards_ = connected_ = false;
}

} // namespace fletcher::rules
