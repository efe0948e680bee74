// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hash table from addresses of the program to values, all in one array: what is looked up at random places misses the
// cache once. Not thread-safe.
#pragma once

#include "checker/ids.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace fletcher::memory {

/// The slot of `key` among 2^`bits`. Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, 6.4) of lines
/// of 64 bytes: what lies side by side in the program, as an array of locks, does so in a table. Within a line's slots
/// their order depends on the line, so that keys which are a multiple of a line apart do not all want the same ones.
inline std::size_t place_by_line(Address key, unsigned bits) noexcept {
  constexpr unsigned line_bits = 6, word_bits = 2;
  constexpr std::size_t slots_of_line = std::size_t{1} << (line_bits - word_bits);
  const std::uint64_t hash = (key >> line_bits) * 0x9e3779b97f4a7c15u;
  const std::size_t within = (key >> word_bits ^ hash >> 32) & (slots_of_line - 1);
  return (((hash >> (64 - bits)) & ~(slots_of_line - 1)) | within) & ((std::size_t{1} << bits) - 1);
}

/// Address 0 is no key. Open addressing, linear probing.
template <class Value> class AddressMap {
public:
  /// Null where there is none. Valid until the next insert(). O(1).
  Value* find(Address key) noexcept {
    if (slots_.empty()) return nullptr;
    for (std::size_t i = home(key);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].key == key) return &slots_[i].value;
      if (slots_[i].key == 0) return nullptr;
    }
  }
  /// The value of `key`, a new one where there is none. Where the table has to grow, only those that `matters` is true
  /// of are kept. O(1) amortised.
  template <class Matters> Value& insert(Address key, Matters&& matters) {
    if (Value* const known = find(key)) return *known;
    if (2 * (used_ + 1) > slots_.size()) rebuild(matters);
    ++used_;
    Slot& slot = free_slot(key);
    slot.key = key;
    return slot.value;
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
  static constexpr std::size_t least = 8;

  std::size_t home(Address key) const noexcept { return place_by_line(key, bits_); }
  Slot& free_slot(Address key) noexcept {
    std::size_t i = home(key);
    while (slots_[i].key != 0) i = (i + 1) & (slots_.size() - 1);
    return slots_[i];
  }
  template <class Matters> void rebuild(Matters&& matters) {
    std::vector<Slot> before = std::exchange(slots_, {});
    std::erase_if(before, [&](const Slot& slot) { return slot.key == 0 || !matters(slot.value); });
    used_ = before.size();
    slots_ = std::vector<Slot>(std::bit_ceil(std::max(4 * used_, least)));
    bits_ = static_cast<unsigned>(std::countr_zero(slots_.size()));
    for (Slot& slot : before) free_slot(slot.key) = std::move(slot);
  }

  std::vector<Slot> slots_; ///< a power of two
  std::size_t used_ = 0;
  unsigned bits_ = 1;
};

} // namespace fletcher::memory
