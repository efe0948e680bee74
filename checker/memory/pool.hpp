// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slots for objects that threads make and drop by the million: each thread has a magazine of free slots, and whole
// magazines move between threads through a depot (Bonwick and Adams, Magazines and Vmem, 2001), so that neither the
// making nor the dropping thread meets another one's cache lines. Relies on arena.hpp, reserved.hpp,
// spin_lock.hpp.
#pragma once

#include "checker/memory/arena.hpp"
#include "checker/memory/reserved.hpp"
#include "checker/memory/spin_lock.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace fletcher::memory {

/// Slots of `size` bytes. Memory grows with the slots in use at once, and goes back to the system in trim().
template <std::size_t size> class Pool {
  struct Free {
    Free* next;        ///< in the same magazine
    Free* next_loaded; ///< in the depot, of a magazine's first slot
  };
  static_assert(size >= sizeof(Free) && size % alignof(Free) == 0);

public:
  static constexpr std::uint32_t magazine_slots = 64;

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
    std::uint32_t count_ = 0;
    std::atomic<std::uint32_t> generation_{0};
    std::atomic<std::uint32_t> free_{0}; ///< in both, for whoever counts
  };

  /// Null when all slots are in use. O(1); every 64th call takes the depot's lock.
  void* take(Magazines& from) noexcept {
    if (from.generation_.load(std::memory_order_relaxed) != generation_.load(std::memory_order_acquire)) forget(from);
    if (from.count_ == 0 && !load(from)) return nullptr;
    Free* const slot = from.loaded_;
    from.loaded_ = slot->next;
    --from.count_;
    from.free_.store(from.free_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
    return slot;
  }

  void give(Magazines& to, void* memory) noexcept {
    if (to.generation_.load(std::memory_order_relaxed) != generation_.load(std::memory_order_acquire)) forget(to);
    if (to.count_ == magazine_slots) {
      if (to.spare_ != nullptr) store(to);
      to.spare_ = std::exchange(to.loaded_, nullptr);
      to.count_ = 0;
    }
    to.loaded_ = std::construct_at(static_cast<Free*>(memory), Free{to.loaded_, nullptr});
    ++to.count_;
    to.free_.store(to.free_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  /// Bytes that were ever in use since the last trim.
  std::size_t footprint() const noexcept { return carved_.load(std::memory_order_relaxed) * size; }
  /// Gives all memory back if no slot is in use: `free` is the sum of free_slots() of all threads' magazines. No slot
  /// may be taken meanwhile.
  bool trim(std::size_t free) noexcept {
    const SpinGuard guard(lock_);
    if (free + depot_slots_ != carved_.load(std::memory_order_relaxed)) return false;
    memory_->discard(offset_, footprint());
    carved_.store(0, std::memory_order_relaxed);
    depot_ = nullptr;
    depot_slots_ = 0;
    generation_.fetch_add(1, std::memory_order_release);
    return true;
  }
  std::size_t free_slots(const Magazines& of) const noexcept {
    if (of.generation_.load(std::memory_order_acquire) != generation_.load(std::memory_order_relaxed)) return 0;
    return of.free_.load(std::memory_order_acquire);
  }

private:
  void forget(Magazines& m) noexcept {
    m.loaded_ = m.spare_ = nullptr;
    m.count_ = 0;
    m.free_.store(0, std::memory_order_relaxed);
    m.generation_.store(generation_.load(std::memory_order_acquire), std::memory_order_release);
  }
  bool load(Magazines& m) noexcept {
    if (m.spare_ != nullptr) {
      m.loaded_ = std::exchange(m.spare_, nullptr);
      m.count_ = magazine_slots;
      return true;
    }
    const SpinGuard guard(lock_);
    if (depot_ != nullptr) {
      m.loaded_ = depot_;
      depot_ = depot_->next_loaded;
      depot_slots_ -= magazine_slots;
    } else {
      const std::size_t first = carved_.load(std::memory_order_relaxed);
      if ((first + magazine_slots) * size > bytes_) return false;
      carved_.store(first + magazine_slots, std::memory_order_relaxed);
      for (std::uint32_t i = magazine_slots; i-- > 0;)
        m.loaded_ = std::construct_at(reinterpret_cast<Free*>(slots_ + (first + i) * size), Free{m.loaded_, nullptr});
    }
    m.count_ = magazine_slots;
    m.free_.store(m.free_.load(std::memory_order_relaxed) + magazine_slots, std::memory_order_relaxed);
    return true;
  }
  /// The spare magazine goes to the depot.
  void store(Magazines& m) noexcept {
    m.free_.store(m.free_.load(std::memory_order_relaxed) - magazine_slots, std::memory_order_relaxed);
    const SpinGuard guard(lock_);
    m.spare_->next_loaded = std::exchange(depot_, m.spare_);
    depot_slots_ += magazine_slots;
  }

  Reservation own_;
  Reservation* memory_;
  std::size_t offset_ = 0;
  std::byte* slots_ = nullptr;
  std::size_t bytes_;
  SpinLock lock_;
  Free* depot_ = nullptr; ///< full magazines
  std::size_t depot_slots_ = 0;
  std::atomic<std::size_t> carved_{0};
  alignas(64) std::atomic<std::uint32_t> generation_{0};
};

} // namespace fletcher::memory
