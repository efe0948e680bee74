// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which pages of a reservation have memory behind them. Before a write where nothing is yet, the caller has whole runs
// of pages filled by one system call: a page that is first read, then written, costs two faults, and the second one
// interrupts all other threads, because the page of zeros has to go. Relies on memory/reserved.hpp.
#pragma once

#include "checker/memory/reserved.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace fletcher::memory {

class FilledPages {
public:
  static constexpr std::size_t page = 4096;
  /// So many pages at once, at most, beyond those that are asked for.
  static constexpr std::size_t most_ahead = 16;

  FilledPages() = default;
  explicit FilledPages(std::size_t bytes)
      : bits_(bytes / page / 64 + 2), stretches_(bytes / page / pages_of_stretch / 64 + 2) {}

  /// All of [offset, offset + bytes) is. O(pages / 64).
  bool filled(std::size_t offset, std::size_t bytes) const noexcept {
    const std::size_t last = (offset + bytes - 1) / page;
    std::size_t number = offset / page;
    for (; number / 64 != last / 64; number = (number / 64 + 1) * 64)
      if (~word(number) >> number % 64 != 0) return false;
    const std::uint64_t wanted = ~std::uint64_t{0} >> (63 - (last - number)) << number % 64;
    return (word(number) & wanted) == wanted;
  }
  /// Some of [offset, offset + bytes), which is not more than a page, is. O(1).
  bool any(std::size_t offset, std::size_t bytes) const noexcept {
    return is_set(offset / page) || is_set((offset + bytes - 1) / page);
  }
  /// Calls `f(offset)` for each filled page in [offset, offset + bytes). O(filled pages), and a little for each
  /// gigabyte in which there is one.
  template <class F> void each(std::size_t offset, std::size_t bytes, F f) const {
    const std::size_t first = offset / page, last = (offset + bytes - 1) / page;
    for (std::size_t s = first / pages_of_stretch; s <= last / pages_of_stretch; ++s) {
      if ((stretches_[s / 64].load(std::memory_order_acquire) >> s % 64 & 1) == 0) continue;
      const std::size_t from = std::max(first, s * pages_of_stretch),
                        to = std::min(last + 1, (s + 1) * pages_of_stretch);
      for (std::size_t at = from / 64 * 64; at < to; at += 64)
        for (std::uint64_t pages = word(at); pages != 0; pages &= pages - 1)
          if (const std::size_t number = at + static_cast<unsigned>(std::countr_zero(pages));
              number >= from && number < to)
            f(number * page);
    }
  }
  /// [offset, offset + bytes) is about to be written: fills it, and what comes next, as many pages as are filled before
  /// it (memory is mostly used in order). Where a byte of the reservation stands for one of the program's, of which
  /// `program` is the first: also the neighbours of two that are filled, as far as the program has memory there (tiles
  /// and tables are used in other orders). Thread-safe; keeps errno. O(pages).
  void fill(Reservation& of, std::size_t offset, std::size_t bytes, std::uintptr_t program = 0) noexcept;
  /// [offset, offset + bytes) of it was given back. Some pages at its ends still count as filled: they cost two faults.
  void given_back(const Reservation& of, std::size_t offset, std::size_t bytes) noexcept;

private:
  using Bits = std::atomic<std::uint64_t>;
  /// Of those there are few, so that each() finds the pages.
  static constexpr std::size_t pages_of_stretch = std::size_t{1} << 18;
  std::uint64_t word(std::size_t number) const noexcept { return bits_[number / 64].load(std::memory_order_relaxed); }
  bool is_set(std::size_t number) const noexcept { return (word(number) >> number % 64 & 1) != 0; }
  /// One of the `most_ahead` pages that begin there.
  bool any_of_window(std::size_t window) const noexcept {
    static_assert(64 % most_ahead == 0);
    return (word(window) >> window % 64 & ((std::uint64_t{1} << most_ahead) - 1)) != 0;
  }
  void fill_pages(Reservation& of, std::size_t first, std::size_t end) noexcept;
  void fill_window(Reservation& of, std::size_t window, std::uintptr_t program) noexcept;
  static void set(Bits& bits, std::size_t number) noexcept {
    bits.fetch_or(std::uint64_t{1} << number % 64, std::memory_order_relaxed);
  }

  ReservedArray<Bits> bits_, stretches_;
};

} // namespace fletcher::memory
