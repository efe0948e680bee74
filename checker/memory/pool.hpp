// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slots for objects that threads make and drop by the million: each thread has a magazine of free slots, and whole
// magazines move between threads through a depot (Bonwick and Adams, Magazines and Vmem, 2001), so that neither the
// making nor the dropping thread meets another one's cache lines. Blocks of slots that are free again go back to the
// system. Relies on arena.hpp, reserved.hpp, spin_lock.hpp.
#pragma once

#include "checker/memory/arena.hpp"
#include "checker/memory/reserved.hpp"
#include "checker/memory/spin_lock.hpp"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

namespace fletcher::memory {

/// Slots of `size` bytes. Memory grows with the slots in use at once. It goes back to the system in trim(), and where
/// many slots that lie together are free, also while others are in use.
template <std::size_t size> class Pool {
  struct Free {
    Free* next;        ///< in the same magazine
    Free* next_loaded; ///< in the depot, of a magazine's first slot
  };
  static_assert(size >= sizeof(Free) && size % alignof(Free) == 0);

public:
  static constexpr std::uint32_t magazine_slots = 64;
  /// What goes back at once: whole pages. And how many free slots are worth a look for such blocks.
  static constexpr std::uint32_t block_slots = 512, worth_a_look = 1u << 13;
  static_assert(block_slots * size % 4096 == 0);

  explicit Pool(std::size_t capacity) noexcept
      : own_(capacity * size), memory_(&own_), slots_(own_.data()), bytes_(own_.size()) {}
  /// In a range that several pools share, and that lives longer.
  explicit Pool(Arena::Part part) noexcept : memory_(part.memory), offset_(part.offset), bytes_(part.size) {
    if (memory_ != nullptr) slots_ = memory_->data() + offset_;
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  bool ok() const noexcept { return slots_ != nullptr; }

  /// Belongs to one thread, which alone may use it. Two magazines, so that a thread that makes and drops in turn does
  /// not go to the depot each time.
  class Magazines {
    friend class Pool;
    Free* loaded_ = nullptr;
    Free* spare_ = nullptr; ///< full, or null
    std::atomic<std::uint32_t> generation_{0};
    std::atomic<std::uint32_t> free_{0}; ///< slots in both
  };

  /// Null when all slots are in use. O(1); every 64th call takes the depot's lock.
  void* take(Magazines& from) noexcept {
    if (from.generation_.load(std::memory_order_relaxed) != generation_.load(std::memory_order_acquire)) [[unlikely]]
      forget(from);
    if (from.loaded_ == nullptr && !load(from)) [[unlikely]]
      return nullptr;
    Free* const slot = from.loaded_;
    from.loaded_ = slot->next;
    from.free_.store(from.free_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
    return slot;
  }

  void give(Magazines& to, void* memory) noexcept {
    if (to.generation_.load(std::memory_order_relaxed) != generation_.load(std::memory_order_acquire)) [[unlikely]]
      forget(to);
    if (to.free_.load(std::memory_order_relaxed) % magazine_slots == 0 && to.loaded_ != nullptr) [[unlikely]]
      put_aside(to);
    to.loaded_ = std::construct_at(static_cast<Free*>(memory), Free{to.loaded_, nullptr});
    to.free_.store(to.free_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  /// Bytes that were ever in use since the last trim.
  std::size_t footprint() const noexcept { return carved_.load(std::memory_order_relaxed) * size; }
  /// Bytes of those that have not gone back to the system.
  std::size_t in_memory() const noexcept {
    const std::size_t gone = blocks_gone_.load(std::memory_order_relaxed) * block_slots;
    return (std::max(carved_.load(std::memory_order_relaxed), gone) - gone) * size;
  }
  /// Gives all memory back if no slot is in use: `free` is the sum of free_slots() of all threads' magazines. No slot
  /// may be taken meanwhile.
  bool trim(std::size_t free) noexcept {
    const SpinGuard guard(lock_);
    if (free + depot_slots_ + given_back_.size() * block_slots != carved_.load(std::memory_order_relaxed)) return false;
    memory_->discard(offset_, footprint());
    carved_.store(0, std::memory_order_relaxed);
    depot_ = nullptr;
    depot_slots_ = 0;
    given_back_.clear();
    blocks_gone_.store(0, std::memory_order_relaxed);
    look_at_ = worth_a_look;
    generation_.fetch_add(1, std::memory_order_release);
    return true;
  }
  std::size_t free_slots(const Magazines& of) const noexcept {
    if (of.generation_.load(std::memory_order_acquire) != generation_.load(std::memory_order_relaxed)) return 0;
    return of.free_.load(std::memory_order_acquire);
  }

private:
  // Rare: kept out of what is inlined.
  [[gnu::noinline]] void forget(Magazines& m) noexcept {
    m.loaded_ = m.spare_ = nullptr;
    m.free_.store(0, std::memory_order_relaxed);
    m.generation_.store(generation_.load(std::memory_order_acquire), std::memory_order_release);
  }
  [[gnu::noinline]] bool load(Magazines& m) noexcept {
    if (m.spare_ != nullptr) {
      m.loaded_ = std::exchange(m.spare_, nullptr);
      return true;
    }
    const SpinGuard guard(lock_);
    if (depot_ == nullptr && !given_back_.empty()) {
      const std::size_t first = std::size_t{given_back_.back()} * block_slots;
      given_back_.pop_back();
      blocks_gone_.store(given_back_.size(), std::memory_order_relaxed);
      for (std::uint32_t i = block_slots; i > 0; i -= magazine_slots) keep(carve(first + i - magazine_slots));
    }
    if (depot_ != nullptr) {
      m.loaded_ = depot_;
      depot_ = depot_->next_loaded;
      depot_slots_ -= magazine_slots;
    } else {
      const std::size_t first = carved_.load(std::memory_order_relaxed);
      if ((first + magazine_slots) * size > bytes_) return false;
      carved_.store(first + magazine_slots, std::memory_order_relaxed);
      m.loaded_ = carve(first);
    }
    m.free_.store(m.free_.load(std::memory_order_relaxed) + magazine_slots, std::memory_order_relaxed);
    return true;
  }
  /// The loaded magazine is full.
  [[gnu::noinline]] void put_aside(Magazines& m) noexcept {
    if (m.spare_ != nullptr) store(m);
    m.spare_ = std::exchange(m.loaded_, nullptr);
  }
  /// The spare magazine goes to the depot.
  void store(Magazines& m) noexcept {
    m.free_.store(m.free_.load(std::memory_order_relaxed) - magazine_slots, std::memory_order_relaxed);
    const SpinGuard guard(lock_);
    keep(m.spare_);
    if (depot_slots_ >= look_at_) give_back_blocks();
  }
  void keep(Free* magazine) noexcept {
    magazine->next_loaded = std::exchange(depot_, magazine);
    depot_slots_ += magazine_slots;
  }
  /// A magazine of slots that were never in use, or were given back.
  Free* carve(std::size_t first) noexcept {
    Free* magazine = nullptr;
    for (std::uint32_t i = magazine_slots; i-- > 0;)
      magazine = std::construct_at(reinterpret_cast<Free*>(slots_ + (first + i) * size), Free{magazine, nullptr});
    return magazine;
  }
  std::size_t block_of(const Free* slot) const noexcept {
    return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(slot) - slots_) / (block_slots * size);
  }

  /// Blocks whose slots are all in the depot go back to the system. O(slots in the depot), most of which have come
  /// since the last time.
  void give_back_blocks() {
    std::vector<std::uint16_t> free_slots(carved_.load(std::memory_order_relaxed) / block_slots + 1);
    for (const Free* magazine = depot_; magazine != nullptr; magazine = magazine->next_loaded)
      for (const Free* slot = magazine; slot != nullptr; slot = slot->next) ++free_slots[block_of(slot)];
    // The other slots make full magazines again: a block is so many of them.
    Free* filling = nullptr;
    std::uint32_t filled = 0;
    depot_slots_ = 0;
    for (Free* magazine = std::exchange(depot_, nullptr); magazine != nullptr;) {
      Free* const rest = magazine->next_loaded;
      for (Free* slot = magazine; slot != nullptr;) {
        Free* const next = slot->next;
        if (free_slots[block_of(slot)] != block_slots) {
          filling = std::construct_at(slot, Free{filling, nullptr});
          if (++filled == magazine_slots) {
            keep(std::exchange(filling, nullptr));
            filled = 0;
          }
        }
        slot = next;
      }
      magazine = rest;
    }
    for (std::size_t first = 0, end = 0; first < free_slots.size(); first = end + 1) {
      for (end = first; end < free_slots.size() && free_slots[end] == block_slots; ++end)
        given_back_.push_back(static_cast<std::uint32_t>(end));
      if (first < end) memory_->discard(offset_ + first * block_slots * size, (end - first) * block_slots * size);
    }
    blocks_gone_.store(given_back_.size(), std::memory_order_relaxed);
    look_at_ = depot_slots_ + std::max<std::size_t>(worth_a_look, depot_slots_ / 2);
  }

  Reservation own_;
  Reservation* memory_;
  std::size_t offset_ = 0;
  std::byte* slots_ = nullptr;
  std::size_t bytes_;
  SpinLock lock_;
  Free* depot_ = nullptr; ///< full magazines
  std::size_t depot_slots_ = 0;
  std::size_t look_at_ = worth_a_look;      ///< this many slots in the depot
  std::vector<std::uint32_t> given_back_;   ///< blocks
  std::atomic<std::size_t> blocks_gone_{0}; ///< how many these are, for threads that do not hold the lock
  std::atomic<std::size_t> carved_{0};
  alignas(64) std::atomic<std::uint32_t> generation_{0};
};

} // namespace fletcher::memory
