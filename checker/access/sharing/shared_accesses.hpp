// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last access that each thread made to memory of which more strands read, or update it atomically, than a granule
// has cells: sizes, options and pointers that every task looks at, counters. FastTrack's vector of reads (Flanagan,
// Freund, PLDI 2009), kept by threads for the few places that they come to again and again. Relies on cell.hpp.
#pragma once

#include "checker/access/cells/cell.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>

namespace fletcher::access {

/// How many threads keep accesses to a granule, or to others that share its counter: who accesses another one need not
/// look for them. Thread-safe; O(1) for a granule.
class SharedGranules {
public:
  bool touches(Address granule) const noexcept { return counter(granule).load(std::memory_order_acquire) != 0; }
  /// How many granules from `first` on are not touched: as many as are looked at at a time, at most.
  std::size_t untouched(Address first, std::size_t count) const noexcept {
    if (all_.load(std::memory_order_acquire) == 0) return count;
    constexpr std::size_t at_a_time = 64; // who gets only one of them done comes again for the next one
    count = std::min(count, at_a_time);
    std::size_t done = 0;
    while (done < count && !touches(first + done * 8)) ++done;
    return done;
  }
  void add(Address granule, std::uint32_t readers) noexcept {
    all_.fetch_add(readers, std::memory_order_acq_rel);
    counters_[slot(granule)].fetch_add(readers, std::memory_order_acq_rel);
  }

private:
  static std::size_t slot(Address granule) noexcept { return (granule >> 3 ^ granule >> 15) % 4096; }
  const std::atomic<std::uint32_t>& counter(Address granule) const noexcept { return counters_[slot(granule)]; }
  std::array<std::atomic<std::uint32_t>, 4096> counters_{};
  std::atomic<std::uint32_t> all_{0};
};

/// Those of one thread, which alone changes them; others look at them (each).
class SharedAccesses {
public:
  /// `now`, an access at `pc` in a crowd whose first cell is `first`, takes the place of the thread's last one at this
  /// line, in whatever recursion. False where none is kept. `usual`: set where it is so since long.
  bool keep(Address granule, std::uint64_t first, Cell now, Address pc, bool& usual) noexcept {
    for (Access& access : bucket(granule)) {
      if (access.granule != granule || access.line != line(pc) || !access.is_kept) continue;
      if (access.first != first) {
        store(access.cell, now.with_mask(0).raw());
        store(access.first, first);
      } else if (const Cell last(access.cell); last.strand() == now.strand()) {
        now = Cell(now.raw() | (last.raw() & Cell::need(Kind::write, 0xff))); // of all bytes, and of the stronger kind
      }
      store(access.cell, now.raw());
      access.times = most;
      usual = access.kept == since_long;
      if (!usual) ++access.kept;
      return true;
    }
    return false;
  }
  /// The thread makes such an access: of places that it comes to often the accesses are kept from then on.
  void meet(Address granule, Cell now, Address pc, SharedGranules& kept) noexcept {
    std::array<Access, ways>& accesses = bucket(granule);
    for (Access& access : accesses) {
      if (access.granule != granule || access.line != line(pc)) continue;
      if (!access.is_kept && ++access.times == often) {
        access.is_kept = true;
        kept.add(granule, 1);
      }
      return;
    }
    Access& other = accesses[next_++ % ways];
    if (other.times > 0) {
      --other.times;
      return;
    }
    drop(other, kept);
    store(other.cell, now.with_mask(0).raw());
    store(other.granule, granule);
    other.line = line(pc);
    other.times = 1;
    other.kept = 0;
  }
  /// Calls `f(cell)` for each kept access to the granule since its first cell was `first`.
  template <class F> void each(Address granule, std::uint64_t first, F f) const {
    for (const Access& access : bucket(granule)) {
      const Cell cell(__atomic_load_n(&access.cell, __ATOMIC_ACQUIRE));
      if (__atomic_load_n(&access.granule, __ATOMIC_ACQUIRE) == granule && cell.mask() != 0 &&
          __atomic_load_n(&access.first, __ATOMIC_ACQUIRE) == first &&
          __atomic_load_n(&access.cell, __ATOMIC_ACQUIRE) == cell.raw())
        f(cell);
    }
  }
  /// Calls `f(strand)` for all that it names.
  template <class F> void each_strand(F f) const {
    for (const std::array<Access, ways>& accesses : buckets_)
      for (const Access& access : accesses) {
        f(Cell(__atomic_load_n(&access.first, __ATOMIC_ACQUIRE)).strand());
        f(Cell(__atomic_load_n(&access.cell, __ATOMIC_ACQUIRE)).strand());
      }
  }
  void clear(SharedGranules& kept) noexcept {
    for (std::array<Access, ways>& accesses : buckets_)
      for (Access& access : accesses) drop(access, kept);
  }

private:
  static constexpr std::size_t ways = 4; ///< of a bucket, for lines of code that read the same or neighbours
  static constexpr std::uint8_t often = 4, most = 16, since_long = 255;
  struct Access {
    Address granule = 0;
    std::uint64_t first = 0; ///< what the granule's first cell was
    std::uint64_t cell = 0;  ///< of no bytes where none was kept yet
    std::uint32_t line = 0;  ///< where it is in the code (line())
    std::uint8_t times = 0;  ///< met lately: others take the place of one that was not
    std::uint8_t kept = 0;   ///< how often, at most since_long
    bool is_kept = false;
  };
  static_assert(sizeof(Access) * 2 == 64);
  static std::uint32_t line(Address pc) noexcept { return static_cast<std::uint32_t>(pc); }
  static void store(std::uint64_t& to, std::uint64_t value) noexcept { __atomic_store_n(&to, value, __ATOMIC_RELEASE); }
  static void drop(Access& access, SharedGranules& kept) noexcept {
    store(access.cell, 0);
    store(access.first, 0);
    if (access.is_kept) kept.add(access.granule, ~std::uint32_t{0});
    store(access.granule, 0);
    access.is_kept = false;
    access.times = 0;
  }
  std::array<Access, ways>& bucket(Address granule) noexcept { return buckets_[granule / 8 % buckets_.size()]; }
  const std::array<Access, ways>& bucket(Address granule) const noexcept {
    return buckets_[granule / 8 % buckets_.size()];
  }
  std::array<std::array<Access, ways>, 64> buckets_{};
  std::uint32_t next_ = 0;
};

} // namespace fletcher::access
