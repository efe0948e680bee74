// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shadow cell: one past access to (part of) an 8-byte granule, packed into 64 bits. Relies on ids.hpp.
#pragma once

#include "checker/ids.hpp"

#include <cstdint>

namespace fletcher::access {

/// What an access does, as two independent bits, so that "covers" and "conflicts" are one operation each.
enum class Kind : std::uint8_t {
  atomic_read = 0,
  atomic_write = 1,
  read = 2,  ///< plain
  write = 3, ///< plain
};

/// The site is the access's leaf in the calling-context tree (call_tree.hpp).
/// strand:30 | site:21 | further:3 | kind:2 | mask:8. The strand is on top, so that "recorded before the horizon" is a
/// compare of whole cells. `further` is used in the first cell of a granule only: the number of further cells that may
/// be in use, and on top of it a bit for a crowd: all of them are in use, and where the first one records a plain read
/// none records a write, else all record atomic accesses.
class Cell {
public:
  static constexpr unsigned kind_shift = 8, further_shift = 10, site_shift = 13, site_bits = 21, strand_shift = 34,
                            strand_bits = 64 - strand_shift;
  static constexpr std::uint64_t further_mask = std::uint64_t{7} << further_shift;
  static constexpr std::uint64_t strand_mask = ~std::uint64_t{0} << strand_shift;

  constexpr Cell() = default;
  explicit constexpr Cell(std::uint64_t raw) noexcept : raw_(raw) {}
  constexpr Cell(StrandId strand, ContextId site, Kind kind, std::uint8_t mask) noexcept
      : raw_((std::uint64_t{number(strand)} << strand_shift) |
             (std::uint64_t{static_cast<std::uint32_t>(site)} << site_shift) |
             (std::uint64_t{static_cast<std::uint8_t>(kind)} << kind_shift) | mask) {}

  constexpr std::uint64_t raw() const noexcept { return raw_; }
  constexpr StrandId strand() const noexcept { return StrandId{static_cast<std::uint32_t>(raw_ >> strand_shift)}; }
  constexpr ContextId site() const noexcept {
    return ContextId{static_cast<std::uint32_t>(raw_ >> site_shift) & ((1u << site_bits) - 1)};
  }
  constexpr Kind kind() const noexcept { return static_cast<Kind>((raw_ >> kind_shift) & 3); }
  constexpr std::uint8_t mask() const noexcept { return static_cast<std::uint8_t>(raw_); }
  constexpr unsigned further() const noexcept { return static_cast<unsigned>(raw_ >> further_shift) & 3; }
  constexpr Cell with_further(unsigned cells) const noexcept {
    return Cell((raw_ & ~further_mask) | (std::uint64_t{cells} << further_shift));
  }
  constexpr bool is_crowd() const noexcept { return (raw_ & further_mask) == further_mask; }
  constexpr Cell with_crowd() const noexcept { return Cell(raw_ | further_mask); }
  /// Of a crowd: such an access conflicts with none of its cells.
  constexpr bool admits(Kind kind) const noexcept {
    return (static_cast<unsigned>(kind) & (this->kind() == Kind::read ? 1u : 2u)) == 0;
  }
  constexpr Cell with_strand(StrandId strand) const noexcept {
    return Cell((raw_ & ~strand_mask) | strand_part(strand));
  }
  constexpr Cell with_mask(std::uint8_t mask) const noexcept { return Cell((raw_ & ~std::uint64_t{0xff}) | mask); }
  constexpr bool older_than(StrandId horizon) const noexcept { return raw_ < strand_part(horizon); }
  /// The strand where it stands in a cell.
  static constexpr std::uint64_t strand_part(StrandId s) noexcept { return std::uint64_t{number(s)} << strand_shift; }
  /// A cell of the strand, of every kind of access to all bytes.
  static constexpr std::uint64_t telling_all(StrandId s) noexcept { return strand_part(s) | need(Kind::write, 0xff); }
  /// What a cell has to contain to record such an access; see tells().
  static constexpr std::uint64_t need(Kind kind, std::uint8_t mask) noexcept {
    return (std::uint64_t{static_cast<std::uint8_t>(kind)} << kind_shift) | mask;
  }
  /// The cell is of the strand whose strand_part is `strand`, and has all bits of `need`.
  constexpr bool tells(std::uint64_t strand, std::uint64_t need) const noexcept {
    return ((raw_ ^ strand) & (strand_mask | need)) == need;
  }
  friend constexpr bool operator==(Cell, Cell) noexcept = default;

private:
  std::uint64_t raw_ = 0;
};
static_assert(sizeof(Cell) == 8);
static_assert(Cell::site_shift + Cell::site_bits == Cell::strand_shift, "the fields fill the cell");
static_assert(Cell::further_shift + 3 == Cell::site_shift && Cell::kind_shift + 2 == Cell::further_shift);

/// Whatever conflicts with `b` also conflicts with `a`.
constexpr bool covers(Kind a, Kind b) noexcept {
  return (static_cast<unsigned>(a) & static_cast<unsigned>(b)) == static_cast<unsigned>(b);
}
constexpr bool is_atomic(Kind k) noexcept { return k == Kind::atomic_read || k == Kind::atomic_write; }
constexpr bool writes(Kind k) noexcept { return k == Kind::write || k == Kind::atomic_write; }
/// At least one writes, and at least one is not atomic.
constexpr bool conflict(Kind a, Kind b) noexcept { return (static_cast<unsigned>(a) | static_cast<unsigned>(b)) == 3; }
static_assert(!conflict(Kind::atomic_write, Kind::atomic_write) && conflict(Kind::atomic_write, Kind::read));
static_assert(!conflict(Kind::read, Kind::read) && conflict(Kind::read, Kind::write));

/// It records nothing that still matters.
constexpr bool dead(Cell cell, StrandId horizon) noexcept { return cell.mask() == 0 || cell.older_than(horizon); }
/// The same of all cells of a granule, by its first one: recording an access changes that, so nothing was
/// recorded since the horizon that it is older than. What it says of further cells means nothing any more.
constexpr bool all_dead(Cell first, StrandId horizon) noexcept {
  return first.older_than(horizon) || (first.mask() == 0 && first.further() == 0);
}
/// Nothing that `cell` tells is lost where `now`, of the same strand, stands in its place.
constexpr bool covering(Cell now, Cell cell) noexcept {
  return (cell.mask() & now.mask()) == cell.mask() && covers(now.kind(), cell.kind());
}
/// What remains to be recorded of `cell`, an access that comes before `now` and that is covered in the bytes that both
/// touch.
constexpr Cell without(Cell cell, Cell now) noexcept {
  return covers(now.kind(), cell.kind()) ? cell.with_mask(static_cast<std::uint8_t>(cell.mask() & ~now.mask())) : cell;
}
/// Both are of the same place and kind.
constexpr bool same_line(Cell now, Cell cell) noexcept {
  return now.kind() == cell.kind() && now.site() == cell.site();
}
/// `now`, with the bytes of `cell` too.
constexpr Cell widened(Cell now, Cell cell) noexcept {
  return now.with_mask(static_cast<std::uint8_t>(now.mask() | cell.mask()));
}

} // namespace fletcher::access
