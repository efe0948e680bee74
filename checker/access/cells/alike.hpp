// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which cells stand for a read, or an atomic operation, that a strand need not record. Relies on the layout of
// cell.hpp.
#pragma once

#include "checker/access/cells/cell.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace fletcher::access {

/// Strands, as they stand in cells, whose reads and atomic operations are as good as the current one's: the strand
/// itself and its twins, the units of work right before it that its thread executed without releasing or learning
/// anything in between. A strand that is concurrent with one of them is so with the other, so the chunks of a dynamic
/// loop need not record one by one what all of them read. But a twin's write does not stand for a read: another thread
/// could have executed one of the two units. And the joint strands (order/joint.hpp) that it met lately: it is one of
/// those whose reads their cells record. Several, since a program's tables are seldom all read by the same members of
/// a team.
struct Alike {
  std::uint64_t since = 0, span = 0;                           ///< the first strand, and how many
  std::uint64_t never = 0;                                     ///< a cell that has this bit does not record a read
  static constexpr std::uint64_t no_joint = Cell::strand_mask; ///< no cell has that strand
  /// Each at its slot. The strand, a write, which its cells do not record, and the bytes that the current strand has
  /// read where a cell has this strand, or that no such cell has.
  using Joints = std::array<std::uint64_t, joint_slots>;
  Joints joints{no_joint, no_joint, no_joint, no_joint, no_joint, no_joint, no_joint, no_joint};

  /// A cell's bits, shifted by so many, that are eight times its joint strand's slot. Joint strands that are made one
  /// after the other have slots of their own (joint_slot).
  static constexpr unsigned slot_shift = Cell::strand_shift - 1;
  static constexpr std::uint64_t slot_mask = 8 * (std::tuple_size_v<Joints> - 1);
  static constexpr std::size_t slot(std::uint64_t cell) noexcept { return (cell >> slot_shift & slot_mask) / 8; }

  static constexpr Alike itself(StrandId strand) noexcept {
    return {Cell::strand_part(strand), Cell::strand_part(StrandId{strand != StrandId::none}), 0};
  }
  static constexpr Alike twins(StrandId first, StrandId current) noexcept {
    return {Cell::strand_part(first), Cell::strand_part(StrandId{number(current) - number(first) + 1}),
            Cell::need(Kind::atomic_write, 0)};
  }
  constexpr void meet(std::uint64_t joint) noexcept { joints[slot(joint)] = joint; }
  /// A cell is of such a joint strand, and records a read of the bytes by this one.
  constexpr bool told_jointly(std::uint64_t cell, std::uint64_t need) const noexcept {
    return ((cell ^ joints[slot(cell)]) & (Cell::strand_mask | need)) == 0;
  }
  constexpr bool has(Cell cell) const noexcept { return cell.raw() - since < span; }
  constexpr bool has_twins() const noexcept { return span > Cell::strand_part(StrandId{1}); }
  constexpr StrandId first() const noexcept { return Cell(since).strand(); }
  /// A cell is of one of the strands, and records a read of the bytes; `need` as Cell::need. Without a branch.
  constexpr unsigned tells(std::uint64_t cell, std::uint64_t need) const noexcept {
    return (static_cast<unsigned>(cell - since < span) & static_cast<unsigned>(((cell ^ need) & (need | never)) == 0)) |
           static_cast<unsigned>(told_jointly(cell, need));
  }
  /// The same for an atomic operation: atomic ones do not race with each other, so that a twin's stands for it, but a
  /// plain write of a twin's does not.
  constexpr bool tell_of_atomic(Cell cell, std::uint64_t need) const noexcept {
    return cell.raw() - since < span && ((cell.raw() ^ need) & need) == 0 && cell.kind() != Kind::write;
  }
};
static_assert(sizeof(Alike) == 88 && offsetof(Alike, since) == 0 && offsetof(Alike, span) == 8 &&
                  offsetof(Alike, never) == 16 && offsetof(Alike, joints) == 24 && Alike::slot_mask == 0x38,
              "code that the compiler plugin makes relies on it");

} // namespace fletcher::access
