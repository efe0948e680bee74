// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of each of OpenMP's locks, of which there may be tens of millions: a hash table with eight bytes for
// each, as what is looked up costs the cache misses. Thread-safe.
#pragma once

#include "checker/access/cells/cell.hpp"
#include "checker/memory/address_map.hpp"
#include "checker/memory/hash.hpp"
#include "checker/memory/spin_lock.hpp"

#include <array>
#include <optional>
#include <vector>

namespace fletcher::rules {

/// Of a lock at an address.
struct LockLife {
  bool nestable = false;
  bool over = false;                 ///< it was destroyed, and not initialised again
  ContextId place = ContextId::none; ///< of the destruction, else of the initialisation
  bool operator==(const LockLife&) const = default;
};

/// Each is O(1), amortised where it may grow.
class LockLives {
public:
  /// `now()` is called while nobody else changes what is known of the address.
  template <class F> std::optional<LockLife> find(Address address, F now) {
    if (!has_room_for(address)) return std::nullopt;
    Shard& s = shards_[shard_of(address)];
    const memory::SpinGuard guard(s.lock);
    now();
    if (s.slots.empty()) return std::nullopt;
    prefetch_later(s.slots, address);
    const Slot slot = slot_for(s.slots, name_of(address));
    return slot == 0 ? std::nullopt : std::optional(life_in(slot));
  }
  struct Remembered {
    bool kept = true; ///< false: it is a new one, and there was no room
    std::optional<LockLife> before;
  };
  template <class F> Remembered remember(Address address, const LockLife& life, F now) {
    if (!has_room_for(address)) return {.kept = false, .before = {}};
    Shard& s = shards_[shard_of(address)];
    const memory::SpinGuard guard(s.lock);
    now();
    const std::uint64_t name = name_of(address);
    if (!s.slots.empty()) prefetch_later(s.slots, address);
    Slot* slot = s.slots.empty() ? nullptr : &slot_for(s.slots, name);
    const Slot before = slot == nullptr ? 0 : *slot;
    if (before == 0) {
      if (s.used >= most_remembered) return {.kept = false, .before = {}};
      if (5 * (s.used + 1) > 3 * s.slots.size()) {
        grow(s);
        slot = &slot_for(s.slots, name);
      }
      ++s.used;
    }
    *slot = slot_of(name, life);
    return {.kept = true, .before = before == 0 ? std::nullopt : std::optional(life_in(before))};
  }

private:
  /// place | nestable | over | name. Zero: a free one.
  using Slot = std::uint64_t;
  static constexpr unsigned place_bits = access::Cell::site_bits, word_bits = 2, address_bits = 48,
                            name_bits = 64 - place_bits - 2, shard_bits = address_bits - word_bits - name_bits;
  static constexpr std::uint64_t names = std::uint64_t{1} << name_bits;
  static constexpr std::size_t most_over = 1u << 11, most_remembered = 1u << 21; // of each shard
  static_assert(shard_bits == 5);

  struct alignas(64) Shard {
    memory::SpinLock lock;
    std::vector<Slot> slots;
    std::size_t used = 0;
  };

  static constexpr bool has_room_for(Address address) noexcept {
    return address % (1u << word_bits) == 0 && address >> address_bits == 0 && name_of(address) != 0;
  }
  /// The address, except for what the shard says.
  static constexpr std::uint64_t name_of(Address address) noexcept { return address >> word_bits & (names - 1); }
  /// Pages do not take turns: threads that each go through a part of one array are often a multiple of 32 pages apart,
  /// and would want the same shard at every step. With it the name is the whole address.
  static constexpr std::size_t shard_of(Address address) noexcept {
    constexpr unsigned page_bits = 12;
    const std::uint64_t of_page = memory::spread(name_of(address) >> (page_bits - word_bits));
    return (of_page >> (64 - shard_bits)) ^ address >> (name_bits + word_bits);
  }
  static constexpr Slot slot_of(std::uint64_t name, const LockLife& life) noexcept {
    return std::uint64_t{number(life.place)} << (64 - place_bits) | std::uint64_t{life.nestable} << (name_bits + 1) |
           std::uint64_t{life.over} << name_bits | name;
  }
  static constexpr LockLife life_in(Slot slot) noexcept {
    return {(slot >> (name_bits + 1) & 1) != 0, (slot >> name_bits & 1) != 0,
            ContextId{static_cast<std::uint32_t>(slot >> (64 - place_bits))}};
  }
  /// That of the name, else the free one where it would be.
  static Slot& slot_for(std::vector<Slot>& slots, std::uint64_t name) noexcept {
    std::size_t i = home(slots, name);
    while (slots[i] != 0 && (slots[i] & (names - 1)) != name)
      if (++i == slots.size()) i = 0;
    return slots[i];
  }
  /// Locks of an array are mostly initialised, used and destroyed in its order: brings near what is known of the one
  /// some lines behind this one.
  static void prefetch_later(const std::vector<Slot>& slots, Address address) noexcept {
    constexpr Address ahead = 256;
    __builtin_prefetch(&slots[home(slots, name_of(address + ahead))], 1);
  }
  static std::size_t home(const std::vector<Slot>& slots, std::uint64_t name) noexcept {
    return memory::place_by_line(name << word_bits, slots.size() / memory::slots_of_line);
  }
  /// Three tenths of the slots are in use afterwards. Where there are many, only locks that live are kept.
  static void grow(Shard& s) {
    std::vector<Slot> before = std::exchange(s.slots, {});
    const bool forgets = s.used >= most_over;
    std::erase_if(before, [&](Slot slot) { return slot == 0 || (forgets && life_in(slot).over); });
    s.used = before.size();
    s.slots = std::vector<Slot>((s.used * 10 / 3 / memory::slots_of_line + 1) * memory::slots_of_line);
    for (const Slot slot : before) slot_for(s.slots, slot & (names - 1)) = slot;
  }

  std::array<Shard, std::size_t{1} << shard_bits> shards_;
};

} // namespace fletcher::rules
