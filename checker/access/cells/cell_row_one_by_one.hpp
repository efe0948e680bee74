// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CellRow does to rows of cells, one after the other: where the processor has nothing better, and for what is left
// where it has. Relies on cell_row.hpp.
#pragma once

#include "checker/access/cells/cell_row.hpp"

#include <algorithm>
#include <bit>

namespace fletcher::access::one_by_one {

inline std::uint64_t load(const std::uint64_t* cell) noexcept { return __atomic_load_n(cell, __ATOMIC_RELAXED); }

inline std::size_t told(const std::uint64_t* cells, std::size_t count, std::uint64_t strand,
                        std::uint64_t need) noexcept {
  std::size_t i = 0;
  while (i < count && Cell(load(cells + i)).tells(strand, need)) ++i;
  return i;
}

inline std::size_t told_of_reads(const std::uint64_t* cells, std::size_t plane_distance, std::size_t count,
                                 const Alike& alike) noexcept {
  constexpr std::uint64_t need = Cell::need(Kind::read, 0xff);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t* cell = cells + i;
    const std::uint64_t first = __atomic_load_n(cell, __ATOMIC_ACQUIRE);
    unsigned this_one = alike.tells(first, need);
    for (unsigned more = Cell(first).further(); more > 0; --more) {
      cell += plane_distance;
      this_one |= alike.tells(load(cell), need);
    }
    if (this_one == 0) return i;
  }
  return count;
}

/// What the cells' kinds may be, of the same strand, for `now` to take their place: a write any, a read a read.
inline bool gives_way(Cell cell, std::uint64_t horizon, Cell now) noexcept {
  return cell.raw() < horizon ||
         (cell.further() == 0 && cell.strand() == now.strand() && covers(now.kind(), cell.kind()));
}

inline std::size_t record(std::uint64_t* cells, std::size_t count, std::uint64_t horizon, Cell now) noexcept {
  std::size_t i = 0;
  while (i < count && gives_way(Cell(load(cells + i)), horizon, now)) {
    __atomic_store_n(cells + i, now.raw(), __ATOMIC_RELEASE);
    ++i;
  }
  return i;
}

inline std::size_t repeat(const CellRow::Change& change, std::size_t from, std::size_t count) noexcept {
  for (std::size_t n = from; n < count; ++n) {
    const std::uint64_t first = __atomic_load_n(change.rows[0] + n, __ATOMIC_ACQUIRE);
    std::uint64_t differs = first ^ change.seen[0];
    for (unsigned i = 1; i < change.used; ++i)
      differs |= __atomic_load_n(change.rows[i] + n, __ATOMIC_ACQUIRE) ^ change.seen[i];
    if ((differs & change.care) != 0) return n;
    if (change.moved != 0)
      __atomic_store_n(change.rows[change.moved] + n, first & ~Cell::further_mask, __ATOMIC_RELEASE);
    __atomic_store_n(change.rows[0] + n, change.now.raw(), __ATOMIC_RELEASE);
  }
  return count;
}
inline std::size_t repeat(const CellRow::Change& change, std::size_t count) noexcept {
  return repeat(change, 0, count);
}

inline std::size_t among(const CellRow::Among& among, std::size_t from, std::size_t count) noexcept {
  const unsigned uncovered = 3u & ~static_cast<unsigned>(among.now.kind());
  for (std::size_t n = from; n < count; ++n) {
    const Cell first(__atomic_load_n(among.rows[0] + n, __ATOMIC_ACQUIRE));
    unsigned kept = 0, told = 0; // a bit for each cell that stays; the bytes that are recorded
    const unsigned used = first.raw() < among.horizon ? 0 : 1 + first.further();
    for (unsigned i = 0; i < used; ++i) {
      const Cell cell(__atomic_load_n(among.rows[i] + n, __ATOMIC_ACQUIRE));
      if (cell.raw() < among.horizon || cell.mask() == 0) continue;
      const bool own = cell.strand() == among.now.strand();
      const auto is_it = [&](std::uint64_t strand) { return ((cell.raw() ^ strand) & Cell::strand_mask) == 0; };
      if (!own && std::ranges::none_of(among.before, is_it)) return n;
      if (own && covers(cell.kind(), among.now.kind())) told |= cell.mask();
      if ((static_cast<unsigned>(cell.kind()) & uncovered) != 0) kept |= 1u << i;
    }
    if (told == 0xff) continue;
    if ((kept & 1) != 0) {
      const auto to = static_cast<unsigned>(std::countr_one(kept));
      if (to >= among.writable) return n;
      __atomic_store_n(among.rows[to] + n, first.with_further(0).raw(), __ATOMIC_RELEASE);
      kept |= 1u << to;
    }
    const auto further = static_cast<unsigned>(std::bit_width(kept >> 1));
    __atomic_store_n(among.rows[0] + n, among.now.with_further(further).raw(), __ATOMIC_RELEASE);
  }
  return count;
}
inline std::size_t among(const CellRow::Among& among, std::size_t count) noexcept {
  return one_by_one::among(among, 0, count);
}

// Dead frames and blocks are mostly holes: 16 cells are looked at together.
constexpr std::size_t glanced_at = 16, piece = 4;
using Two [[gnu::vector_size(16), gnu::aligned(8), gnu::may_alias]] = std::uint64_t;

template <std::size_t count> std::uint64_t any(const std::uint64_t* cells) noexcept {
  if constexpr (count == 1) return cells[0];
  Two both{};
  for (std::size_t i = 0; i + 1 < count; i += 2) both |= *reinterpret_cast<const Two*>(cells + i);
  return both[0] | both[1];
}
template <std::size_t count> void clear_piece(std::uint64_t* cells) noexcept {
  if (any<count>(cells) == 0) return;
  for (std::size_t i = 0; i < count; ++i) cells[i] = 0;
}
inline void clear(std::uint64_t* cells, std::size_t count) noexcept {
  std::size_t i = 0;
  for (; i + glanced_at <= count; i += glanced_at)
    if (any<glanced_at>(cells + i) != 0)
      for (std::size_t j = i; j < i + glanced_at; j += piece) clear_piece<piece>(cells + j);
  for (; i + piece <= count; i += piece) clear_piece<piece>(cells + i);
  for (; i < count; ++i) clear_piece<1>(cells + i);
}

} // namespace fletcher::access::one_by_one
