// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hash table from addresses of the program to values, all in one array: what is looked up at random places misses the
// cache once. Not thread-safe.
#pragma once

#include "checker/ids.hpp"
#include "checker/memory/hash.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace fletcher::memory {

constexpr std::size_t slots_of_line = 16;

/// The slot of `key` in a table of so many lines, each of slots_of_line. Hashes the program's lines of 64 bytes: what
/// lies side by side there, as an array of locks, does so in a table. Within a line's slots their order depends on the
/// line, so that keys which are a multiple of a line apart do not all want the same ones.
constexpr std::size_t place_by_line(Address key, std::size_t lines) noexcept {
  constexpr unsigned line_bits = 6, word_bits = 2;
  static_assert(slots_of_line == std::size_t{1} << (line_bits - word_bits));
  const std::uint64_t hash = spread(key >> line_bits);
  const std::size_t line = (hash >> 32) * lines >> 32;
  return line * slots_of_line + ((key >> word_bits ^ hash >> 32) & (slots_of_line - 1));
}

/// Address 0 is no key. Open addressing, linear probing; two fifths to three fifths of the slots are in use.
template <class Value> class AddressMap {
public:
  /// Null where there is none. Valid until the next insert(). O(1).
  Value* find(Address key) noexcept {
    if (slots_.empty()) return nullptr;
    Slot& slot = slot_for(key);
    return slot.key == key ? &slot.value : nullptr;
  }
  /// The value of `key`, a new one where there is none. Where the table has to grow, only those that `matters` is true
  /// of are kept. O(1) amortised.
  template <class Matters> Value& insert(Address key, Matters&& matters) { return *try_insert(key, matters).first; }
  /// The same, and whether it is a new one.
  template <class Matters> std::pair<Value*, bool> try_insert(Address key, Matters&& matters) {
    Slot* slot = slots_.empty() ? nullptr : &slot_for(key);
    if (slot != nullptr && slot->key == key) return {&slot->value, false};
    if (5 * (used_ + 1) > 3 * slots_.size()) {
      rebuild(matters);
      slot = &slot_for(key);
    }
    ++used_;
    slot->key = key;
    return {&slot->value, true};
  }
  /// The key will be looked up soon.
  void prefetch(Address key) const noexcept {
    if (!slots_.empty()) __builtin_prefetch(&slots_[home(key)], 1);
  }
  std::size_t size() const noexcept { return used_; }
  /// Calls `f(value)` for all.
  template <class F> void each(F f) {
    for (Slot& slot : slots_)
      if (slot.key != 0) f(slot.value);
  }

private:
  struct Slot {
    Address key = 0;
    Value value{};
  };

  std::size_t home(Address key) const noexcept { return place_by_line(key, slots_.size() / slots_of_line); }
  std::size_t after(std::size_t i) const noexcept { return i + 1 == slots_.size() ? 0 : i + 1; }
  /// That of `key`, else the free one where it would be.
  Slot& slot_for(Address key) noexcept {
    std::size_t i = home(key);
    while (slots_[i].key != key && slots_[i].key != 0) i = after(i);
    return slots_[i];
  }
  template <class Matters> void rebuild(Matters&& matters) {
    std::vector<Slot> before = std::exchange(slots_, {});
    std::erase_if(before, [&](const Slot& slot) { return slot.key == 0 || !matters(slot.value); });
    used_ = before.size();
    slots_ = std::vector<Slot>((used_ * 5 / 2 / slots_of_line + 1) * slots_of_line);
    for (Slot& slot : before) slot_for(slot.key) = std::move(slot);
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

} // namespace fletcher::memory
