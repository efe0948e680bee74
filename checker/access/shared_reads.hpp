// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last read that each thread made of memory which more strands read than a granule has cells: sizes, options and
// pointers that every task looks at. FastTrack's vector of reads (Flanagan, Freund, PLDI 2009), kept by threads for the
// few places that they come to again and again. Relies on cell.hpp.
#pragma once

#include "checker/access/cell.hpp"

#include <array>
#include <atomic>
#include <cstddef>

namespace fletcher::access {

/// How many threads keep reads of a granule, or of others that share its counter: a write of another one need not look
/// for them. Thread-safe; O(1) for a granule.
class SharedGranules {
public:
  bool touches(Address granule) const noexcept { return counter(granule).load(std::memory_order_acquire) != 0; }
  /// How many granules from `first` on are not touched, `count` at most.
  std::size_t untouched(Address first, std::size_t count) const noexcept {
    if (all_.load(std::memory_order_acquire) == 0) return count;
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
class SharedReads {
public:
  /// `now`, a read in a crowd whose first cell is `first`, takes the place of the thread's last one at this line. False
  /// where none is kept.
  bool keep(Address granule, std::uint64_t first, Cell now) noexcept {
    for (Read& read : bucket(granule)) {
      if (read.granule != granule || Cell(read.cell).site() != now.site() || !read.is_kept) continue;
      if (read.first != first) {
        store(read.cell, now.with_mask(0).raw());
        store(read.first, first);
      } else if (const Cell last(read.cell); last.strand() == now.strand()) {
        now = now.with_mask(static_cast<std::uint8_t>(now.mask() | last.mask()));
      }
      store(read.cell, now.raw());
      read.times = most;
      return true;
    }
    return false;
  }
  /// The thread meets such a read: of places that it meets often the reads are kept from then on.
  void meet(Address granule, Cell now, SharedGranules& kept) noexcept {
    std::array<Read, ways>& reads = bucket(granule);
    for (Read& read : reads) {
      if (read.granule != granule || Cell(read.cell).site() != now.site()) continue;
      if (!read.is_kept && ++read.times == often) {
        read.is_kept = true;
        kept.add(granule, 1);
      }
      return;
    }
    Read& other = reads[next_++ % ways];
    if (other.times > 0) {
      --other.times;
      return;
    }
    drop(other, kept);
    store(other.cell, now.with_mask(0).raw());
    store(other.granule, granule);
    other.times = 1;
  }
  /// Calls `f(cell)` for each kept read of the granule since its first cell was `first`.
  template <class F> void each(Address granule, std::uint64_t first, F f) const {
    for (const Read& read : bucket(granule)) {
      const Cell cell(__atomic_load_n(&read.cell, __ATOMIC_ACQUIRE));
      if (__atomic_load_n(&read.granule, __ATOMIC_ACQUIRE) == granule && cell.mask() != 0 &&
          __atomic_load_n(&read.first, __ATOMIC_ACQUIRE) == first &&
          __atomic_load_n(&read.cell, __ATOMIC_ACQUIRE) == cell.raw())
        f(cell);
    }
  }
  /// Calls `f(strand)` for all that it names.
  template <class F> void each_strand(F f) const {
    for (const std::array<Read, ways>& reads : buckets_)
      for (const Read& read : reads) {
        f(Cell(__atomic_load_n(&read.first, __ATOMIC_ACQUIRE)).strand());
        f(Cell(__atomic_load_n(&read.cell, __ATOMIC_ACQUIRE)).strand());
      }
  }
  void clear(SharedGranules& kept) noexcept {
    for (std::array<Read, ways>& reads : buckets_)
      for (Read& read : reads) drop(read, kept);
  }

private:
  static constexpr std::size_t ways = 4; ///< of a bucket, for lines of code that read the same or neighbours
  static constexpr std::uint16_t often = 4, most = 16;
  struct Read {
    Address granule = 0;
    std::uint64_t first = 0; ///< what the granule's first cell was
    std::uint64_t cell = 0;  ///< of no bytes where none was kept yet
    std::uint16_t times = 0; ///< met lately: others take the place of one that was not
    bool is_kept = false;
  };
  static_assert(sizeof(Read) * 2 == 64);
  static void store(std::uint64_t& to, std::uint64_t value) noexcept { __atomic_store_n(&to, value, __ATOMIC_RELEASE); }
  static void drop(Read& read, SharedGranules& kept) noexcept {
    store(read.cell, 0);
    store(read.first, 0);
    if (read.is_kept) kept.add(read.granule, ~std::uint32_t{0});
    store(read.granule, 0);
    read.is_kept = false;
    read.times = 0;
  }
  std::array<Read, ways>& bucket(Address granule) noexcept { return buckets_[granule / 8 % buckets_.size()]; }
  const std::array<Read, ways>& bucket(Address granule) const noexcept {
    return buckets_[granule / 8 % buckets_.size()];
  }
  std::array<std::array<Read, ways>, 64> buckets_{};
  std::uint32_t next_ = 0;
};

} // namespace fletcher::access
