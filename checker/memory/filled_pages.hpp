// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which pages of a reservation have memory behind them. Whoever is about to write where nothing is yet has whole runs
// of pages filled by one system call: a page that is first read, then written, costs two faults, and the second one
// interrupts all other threads, because the page of zeros has to go. Relies on memory/reserved.hpp.
#pragma once

#include "checker/memory/reserved.hpp"

#include <atomic>
#include <cstddef>

namespace fletcher::memory {

class FilledPages {
public:
  static constexpr std::size_t page = 4096;
  /// So many pages at once, at most, beyond those that are asked for.
  static constexpr std::size_t most_ahead = 16;

  FilledPages() = default;
  explicit FilledPages(std::size_t bytes) : bits_(bytes / page / 64 + 2) {}

  /// Both ends of [offset, offset + bytes) are. O(1).
  bool filled(std::size_t offset, std::size_t bytes) const noexcept {
    return is_set(offset / page) && is_set((offset + bytes - 1) / page);
  }
  /// [offset, offset + bytes) is about to be written: fills it, and what comes next, as many pages as are filled before
  /// it (memory is mostly used in order). Thread-safe; keeps errno. O(pages).
  void fill(Reservation& of, std::size_t offset, std::size_t bytes) noexcept;
  /// [offset, offset + bytes) of it was given back. Some pages at its ends still count as filled: they cost two faults.
  void given_back(const Reservation& of, std::size_t offset, std::size_t bytes) noexcept;

private:
  using Bits = std::atomic<std::uint64_t>;
  bool is_set(std::size_t number) const noexcept {
    return (bits_[number / 64].load(std::memory_order_relaxed) >> number % 64 & 1) != 0;
  }

  ReservedArray<Bits> bits_;
};

} // namespace fletcher::memory
