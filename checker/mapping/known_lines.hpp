// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What devices did lately and may do again without any question: bytes that they may read, and bytes that they have
// written, as long as the host does nothing with its copies. So the lock of the device memory's states, which all
// threads share, is taken once for a byte and not once for an access.
#pragma once

#include "checker/ids.hpp"
#include "checker/memory/hash.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace fletcher::mapping {

/// Thread-safe: each thread has a table of its own, except for those with high numbers, which have none. Each operation
/// O(1).
class KnownLines {
public:
  /// The access needs no question: it is within a page or a line, and its bytes are known for it.
  bool has(ThreadId thread, Address address, std::size_t size, bool writes) const noexcept {
    if (number(thread) >= tables_.size() || tables_[number(thread)] == nullptr) return false;
    const Table& table = *tables_[number(thread)];
    const std::uint32_t now = generation_.load(std::memory_order_acquire);
    const Stretch& stretch = table.stretch(address);
    if (address >= stretch.begin && address + size <= stretch.end && stretch.generation == now &&
        (stretch.written || !writes))
      return true;
    const std::uint64_t bytes = bytes_of(address, size);
    const Line& known = table.line(address);
    return bytes != 0 && known.number == address / line && known.generation == now &&
           (bytes & ~(writes ? known.written : known.readable)) == 0;
  }
  /// It was found harmless while the generation was `generation`.
  void add(ThreadId thread, Address address, std::size_t size, bool writes, std::uint32_t generation) noexcept {
    const std::uint64_t bytes = bytes_of(address, size);
    Table* const table = table_of(thread);
    if (bytes == 0 || table == nullptr) return;
    Line& known = table->line(address);
    if (known.number != address / line || known.generation != generation) known = {address / line, generation, 0, 0};
    known.readable |= bytes;
    if (writes) known.written |= bytes;
  }
  /// The same of what is alike around `address`: [begin, end) may be read, and where it is `written` written, too.
  void add_stretch(ThreadId thread, Address address, Address begin, Address end, bool written,
                   std::uint32_t generation) noexcept {
    Table* const table = table_of(thread);
    if (table == nullptr) return;
    const Address first = address / page * page;
    table->stretch(address) = {std::max(begin, first), std::min(end, first + page), generation, written};
  }
  /// Changes whenever the host, or an operation on memory, may have made something known untrue.
  std::uint32_t generation() const noexcept { return generation_.load(std::memory_order_acquire); }
  void forget() noexcept { generation_.fetch_add(1, std::memory_order_acq_rel); }

private:
  static constexpr std::size_t line = 64, page = 4096;
  /// Of a page, all of one state.
  struct Stretch {
    Address begin = 0, end = 0;
    std::uint32_t generation = 0;
    bool written = false;
  };
  struct Line {
    Address number = 0;
    std::uint32_t generation = 0;
    std::uint64_t readable = 0, written = 0; ///< a bit for each byte
  };
  static constexpr unsigned line_bits = 9, stretch_bits = 9;
  struct Table {
    std::array<Line, std::size_t{1} << line_bits> lines{};
    Line& line(Address address) noexcept { return lines[line_slot(address)]; }
    const Line& line(Address address) const noexcept { return lines[line_slot(address)]; }
    static std::size_t line_slot(Address address) noexcept {
      return memory::spread(address / KnownLines::line) >> (64 - line_bits);
    }
    std::array<Stretch, std::size_t{1} << stretch_bits> stretches{};
    Stretch& stretch(Address address) noexcept { return stretches[stretch_slot(address)]; }
    const Stretch& stretch(Address address) const noexcept { return stretches[stretch_slot(address)]; }
    static std::size_t stretch_slot(Address address) noexcept {
      return memory::spread(address / KnownLines::page) >> (64 - stretch_bits);
    }
  };
  /// None where it is not within one line.
  static std::uint64_t bytes_of(Address address, std::size_t size) noexcept {
    const std::size_t offset = address % line;
    if (size == 0 || offset + size > line) return 0;
    return (~std::uint64_t{0} >> (64 - size)) << offset;
  }
  Table* table_of(ThreadId thread) noexcept {
    if (number(thread) >= tables_.size()) return nullptr;
    std::unique_ptr<Table>& own = tables_[number(thread)];
    if (own == nullptr) own.reset(new (std::nothrow) Table);
    return own.get();
  }

  alignas(128) std::atomic<std::uint32_t> generation_{1};
  std::array<std::unique_ptr<Table>, 256> tables_{};
};

} // namespace fletcher::mapping
