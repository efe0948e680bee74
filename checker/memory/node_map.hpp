// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hash table from numbers to values that stay where they are. Who looks for a number that has none looks at few of
// the table's own lines, and at no value. Not thread-safe.
#pragma once

#include "checker/memory/hash.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace fletcher::memory {

/// Open addressing, linear probing; at most three quarters of the slots, a power of two, are in use.
template <class Value> class NodeMap {
public:
  std::size_t size() const noexcept { return used_; }
  /// Null where there is none. O(1).
  Value* find(std::uint64_t key) noexcept {
    if (slots_.empty()) return nullptr;
    Slot& slot = slot_for(key);
    return slot.value.get();
  }
  /// A new value where there is none. O(1) amortised.
  Value& operator[](std::uint64_t key) {
    if (!slots_.empty())
      if (Slot& slot = slot_for(key); slot.value != nullptr) return *slot.value;
    if (4 * (used_ + 1) > 3 * slots_.size()) grow();
    ++used_;
    Slot& slot = slot_for(key);
    slot.key = key;
    slot.value = spare_ != nullptr ? std::move(spare_) : std::make_unique<Value>();
    return *slot.value;
  }
  /// Nothing where there is none. O(1).
  void erase(std::uint64_t key) {
    if (slots_.empty()) return;
    Slot& slot = slot_for(key);
    if (slot.value == nullptr) return;
    std::unique_ptr<Value> over = std::move(slot.value);
    close_gap(static_cast<std::size_t>(&slot - slots_.data()));
    --used_;
    if (spare_ != nullptr) return;
    spare_ = std::move(over); // most are soon needed again
    *spare_ = {};
  }
  /// Calls `f(key, value)` for all. O(slots).
  template <class F> void each(F f) {
    for (Slot& slot : slots_)
      if (slot.value != nullptr) f(slot.key, *slot.value);
  }
  /// Erases all whose value meets the condition. O(slots).
  template <class Condition> void erase_if(Condition condition) {
    std::vector<Slot> before = std::exchange(slots_, {});
    std::erase_if(before, [&](const Slot& slot) { return slot.value == nullptr || condition(*slot.value); });
    fill(std::move(before));
  }

private:
  struct Slot {
    std::uint64_t key = 0;
    std::unique_ptr<Value> value; ///< null: the slot is free
  };

  std::size_t home(std::uint64_t key) const noexcept { return spread(key) >> 32 & (slots_.size() - 1); }
  std::size_t after(std::size_t i) const noexcept { return (i + 1) & (slots_.size() - 1); }
  /// That of `key`, else the free one where it would be.
  Slot& slot_for(std::uint64_t key) noexcept {
    std::size_t i = home(key);
    while (slots_[i].value != nullptr && slots_[i].key != key) i = after(i);
    return slots_[i];
  }
  /// What comes behind a slot that has become free, and would have been there, moves up (Knuth, The Art of Computer
  /// Programming, volume 3, 6.4, algorithm R).
  void close_gap(std::size_t gap) noexcept {
    for (std::size_t i = after(gap); slots_[i].value != nullptr; i = after(i)) {
      const std::size_t wants = home(slots_[i].key), mask = slots_.size() - 1;
      if (((i - wants) & mask) < ((i - gap) & mask)) continue; // it would be behind the gap
      slots_[gap] = std::move(slots_[i]);
      gap = i;
    }
  }
  void grow() {
    std::vector<Slot> before = std::exchange(slots_, {});
    std::erase_if(before, [](const Slot& slot) { return slot.value == nullptr; });
    fill(std::move(before));
  }
  void fill(std::vector<Slot> all) {
    constexpr std::size_t fewest = 16;
    std::size_t count = fewest;
    while (count < 2 * all.size()) count *= 2;
    used_ = all.size();
    slots_ = std::vector<Slot>(count);
    for (Slot& slot : all) {
      const std::uint64_t key = slot.key;
      slot_for(key) = std::move(slot);
    }
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  std::unique_ptr<Value> spare_;
};

} // namespace fletcher::memory
