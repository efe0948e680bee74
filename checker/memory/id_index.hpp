// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds small numbers by what they stand for, which is kept elsewhere: what is interned is looked up by any thread at
// any time, and new ones are rare. Open addressing; relies on numbers being given in turn, from 1 on.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

namespace fletcher::memory {

/// find() without a lock, by any thread; add() by one thread at a time. Both O(1), add() amortised. Tables that
/// were outgrown are kept, because readers may be in them: together they are smaller than the newest one.
class IdIndex {
public:
  explicit IdIndex(std::size_t slots) : table_(make(slots)) {}

  /// The number that `is` is true of, whose hash was `hash`; 0 where there is none. Numbers that another thread adds at
  /// the same time may be missed.
  template <class Is> std::uint32_t find(std::size_t hash, Is&& is) const noexcept {
    const Table& table = *table_.load(std::memory_order_acquire);
    for (std::size_t slot = hash;; ++slot) {
      const std::uint32_t id = table.slots[slot & table.mask].load(std::memory_order_acquire);
      if (id == 0 || is(id)) return id;
    }
  }
  /// The next number. `hash_of` tells the hash of any number so far.
  template <class HashOf> void add(std::uint32_t id, HashOf&& hash_of) {
    Table* table = table_.load(std::memory_order_relaxed);
    if (std::size_t{id} * 2 > table->mask) {
      table = make((table->mask + 1) * 2);
      for (std::uint32_t old = 1; old < id; ++old) put(*table, hash_of(old), old);
      put(*table, hash_of(id), id);
      table_.store(table, std::memory_order_release);
    } else {
      put(*table, hash_of(id), id);
    }
  }
  std::size_t slots() const noexcept { return table_.load(std::memory_order_relaxed)->mask + 1; }

private:
  struct Table {
    std::size_t mask;
    std::unique_ptr<std::atomic<std::uint32_t>[]> slots;
  };
  Table* make(std::size_t slots) {
    return &tables_.emplace_back(Table{slots - 1, std::make_unique<std::atomic<std::uint32_t>[]>(slots)});
  }
  static void put(const Table& table, std::size_t hash, std::uint32_t id) noexcept {
    std::size_t slot = hash;
    while (table.slots[slot & table.mask].load(std::memory_order_relaxed) != 0) ++slot;
    table.slots[slot & table.mask].store(id, std::memory_order_release);
  }

  std::deque<Table> tables_;
  std::atomic<Table*> table_;
};

} // namespace fletcher::memory
