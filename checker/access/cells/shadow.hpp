// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shadow memory: for each 8-byte granule of the program up to four cells, each in a plane of its own, so that memory
// used by one strand at a time costs only the first plane's pages. Relies on memory/reserved.hpp and cell.hpp.
#pragma once

#include "checker/access/cells/cell_row.hpp"
#include "checker/memory/filled_pages.hpp"
#include "checker/memory/reserved.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace fletcher::access {

class Shadow {
public:
  static constexpr unsigned planes = CellRow::planes;
  /// Reserved at this address where it is free: between the low addresses of fixed programs and those of PIEs and mmap.
  static constexpr std::uintptr_t preferred_base = 0x1000'0000'0000;

  /// How many low bits of an address tell granules apart in the ranges that x86-64 Linux hands out (main program, heap,
  /// libraries, stacks).
  static constexpr unsigned usual_bits = 44;

  /// Where there is no place for the usual number of bits, one less has to do: without a limit of the stack Linux puts
  /// libraries into the middle of the address space. Main program, heap, libraries and stack differ in these bits, too.
  explicit Shadow(unsigned address_bits) {
    reserve(address_bits, address_bits == usual_bits ? preferred_base : 0);
    if (!ok() && address_bits == usual_bits) reserve(usual_bits - 1, 0);
  }
  bool ok() const noexcept { return memory_.data() != nullptr; }

  /// Of the first plane.
  std::byte* base() const noexcept { return memory_.data() + skew; }
  /// From a cell to the granule's cell in the next plane, in cells. Behind each plane's last cell there is room, always
  /// empty: two neighbours may be looked at without asking where the plane ends.
  std::size_t plane_distance() const noexcept { return (stride_ + skew) / 8; }
  std::uintptr_t mask() const noexcept { return (stride_ - 1) & ~std::uintptr_t{7}; }

  std::atomic<std::uint64_t>& cell(unsigned plane, Address address) const noexcept {
    return *reinterpret_cast<std::atomic<std::uint64_t>*>(memory_.data() + offset(plane, address));
  }
  /// The cells of one plane from the granule on; so many of them are neighbours.
  std::uint64_t* row(unsigned plane, Address address) const noexcept {
    return reinterpret_cast<std::uint64_t*>(memory_.data() + offset(plane, address));
  }
  std::size_t neighbours(Address address) const noexcept { return (stride_ - (address & mask())) / 8; }
  /// Forgets all accesses to [address, address + size), granules at the edges included only where wholly inside.
  void clear(Address address, std::size_t size) noexcept {
    const Address first = (address + 7) & ~Address{7}, last = (address + size) & ~Address{7};
    if (first >= last) return;
    last - first < worth_a_call ? clear_few(first, last) : clear_many(first, last);
  }
  void clear_all() noexcept {
    filled_.given_back(memory_, 0, memory_.size());
    memory_.discard(0, memory_.size());
  }
  /// Calls `f(cell)` for the cells that are in use and of the horizon's strand or a later one, and maybe for others.
  /// Threads may record accesses meanwhile: a cell that one of them moves goes to a further plane before it leaves the
  /// first one, and is met in one of them. O(memory filled).
  template <class F> void each_cell(StrandId horizon, F f) const {
    filled_.each(skew, stride_, [&](std::size_t page) {
      const std::size_t begin = std::max(page, skew), end = std::min(page + memory::FilledPages::page, skew + stride_);
      const auto* cell = reinterpret_cast<const std::uint64_t*>(memory_.data() + begin);
      const auto* const last = reinterpret_cast<const std::uint64_t*>(memory_.data() + end);
      for (; cell < last; ++cell) {
        const Cell first(__atomic_load_n(cell, __ATOMIC_ACQUIRE));
        if (first.older_than(horizon)) continue;
        f(first);
        for (unsigned plane = 1; plane <= first.further(); ++plane)
          f(Cell(__atomic_load_n(cell + plane * plane_distance(), __ATOMIC_ACQUIRE)));
      }
    });
  }
  /// Of the first plane, at most.
  std::size_t bytes_filled() const noexcept {
    std::size_t bytes = 0;
    filled_.each(skew, stride_, [&](std::size_t) { bytes += memory::FilledPages::page; });
    return bytes;
  }
  /// Memory is there for so many cells of one plane.
  bool filled(const std::uint64_t* cells, std::size_t count) const noexcept {
    return filled_.filled(offset_of(cells), count * sizeof *cells);
  }
  /// The cells of `count` granules from `address` on are about to be written, and the first one holds nothing: nobody
  /// may have been here.
  [[gnu::noinline]] void fill(Address address, std::size_t count) noexcept {
    filled_.fill(memory_, offset(0, address), count * sizeof(Cell), address);
  }
  /// Wishes that all of it is given back at the next horizon, when nothing is missed by it. Thread-safe.
  void ask_for_memory() noexcept { asked_for_.store(true, std::memory_order_relaxed); }
  bool is_asked_for() const noexcept { return asked_for_.load(std::memory_order_relaxed); }
  /// At a horizon, while no thread accesses anything.
  void at_horizon() noexcept {
    if (!is_asked_for()) [[likely]]
      return;
    clear_all();
    asked_for_.store(false, std::memory_order_relaxed);
  }
  std::span<const std::byte> range() const noexcept { return memory_.range(); }
  /// To be called before a cell of a further plane is first written.
  void touch(unsigned plane) noexcept {
    if (!touched(plane)) touched_[plane].store(true, std::memory_order_relaxed);
  }
  bool touched(unsigned plane) const noexcept { return touched_[plane].load(std::memory_order_relaxed); }
  /// So many planes, from the first one on, have been touched.
  unsigned touched_planes() const noexcept {
    unsigned count = 1;
    while (count < planes && touched(count)) ++count;
    return count;
  }

private:
  // Caches and TLBs tell addresses apart by their low bits, some (the way predictors of AMD's Zen) by no others: a
  // datum and its cells, accessed in turns, must not be alike in these. So each plane is a page and some lines off the
  // one before, the first one off the program.
  static constexpr std::size_t skew = 4096 + 17 * 64;
  std::size_t offset(unsigned plane, Address address) const noexcept {
    return skew + plane * (stride_ + skew) + (address & mask());
  }

  std::size_t offset_of(const std::uint64_t* cells) const noexcept {
    return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(cells) - memory_.data());
  }

  // Below this, zeroing is cheaper than a system call and the page faults that follow.
  static constexpr std::size_t worth_a_call = std::size_t{4} << 20;
  [[gnu::noinline]] void clear_many(Address first, Address last) noexcept {
    for (unsigned plane = 0; plane < planes; ++plane)
      if (plane == 0 || touched(plane)) {
        // In this order, so that a page that somebody fills and writes meanwhile counts as filled.
        filled_.given_back(memory_, offset(plane, first), last - first);
        memory_.clear(offset(plane, first), last - first);
      }
  }
  // What the further planes of dead frames and blocks say counts only where the first one says so. A call of memset
  // costs more than what is mostly to be cleared, and nothing is to be cleared in new memory.
  void clear_few(Address first, Address last) const noexcept {
    constexpr std::size_t page = memory::FilledPages::page;
    const std::size_t begin = offset(0, first), end = begin + std::min(last - first, neighbours(first) * 8);
    const auto clear = [&](std::size_t from, std::size_t to) {
      row_.clear(reinterpret_cast<std::uint64_t*>(memory_.data() + from), (to - from) / 8);
    };
    if (end - begin > page)
      filled_.each(begin, end - begin, [&](std::size_t at) { clear(std::max(at, begin), std::min(at + page, end)); });
    else if (filled_.any(begin, end - begin)) // to look would bring a page of zeros
      clear(begin, end);
  }

  void reserve(unsigned address_bits, std::uintptr_t hint) noexcept {
    stride_ = std::size_t{1} << address_bits;
    memory_ = memory::Reservation((stride_ + skew) * planes + skew, hint);
    filled_ = memory::FilledPages(memory_.size());
  }

  std::size_t stride_ = 0;
  memory::Reservation memory_;
  memory::FilledPages filled_;
  CellRow row_;
  std::atomic<bool> touched_[planes]{};
  std::atomic<bool> asked_for_{false};
};

} // namespace fletcher::access
