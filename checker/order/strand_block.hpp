// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known about strands, in blocks of a few successive ones of a task; and which of a block hold its locks.
#pragma once

#include "checker/ids.hpp"
#include "checker/order/task_record.hpp"

#include <cstdint>

namespace fletcher::order {

/// Where in a sequence of worksharing constructs a strand is: the construct (none between constructs), and how many
/// begins and ends of constructs its task has met, which tells the earlier of two in one team.
class WorkPlace {
public:
  static constexpr unsigned context_bits = 21, ordinal_bits = 32 - context_bits;
  constexpr WorkPlace() = default;
  constexpr WorkPlace(ContextId construct, std::uint32_t ordinal) noexcept
      : raw_((ordinal << context_bits) | number(construct)) {}
  friend bool operator==(WorkPlace, WorkPlace) = default;
  constexpr ContextId construct() const noexcept { return ContextId{raw_ & ((1u << context_bits) - 1)}; }
  /// Positive where this is later than `other`. Right for places less than 1024 steps apart.
  constexpr std::int32_t steps_after(WorkPlace other) const noexcept {
    const std::uint32_t a = raw_ >> context_bits << context_bits, b = other.raw_ >> context_bits << context_bits;
    return static_cast<std::int32_t>(a - b) >> context_bits;
  }

private:
  std::uint32_t raw_ = 0;
};

/// What is known about up to four successive strands of one task. Strand ids are given in blocks so that a task of a
/// few strands costs one table entry. Those with odd ids hold the locks, the others hold none: what a task does inside
/// and outside of the sections of a lock takes turns in one block.
struct StrandBlock {
  ChainId chain;
  RecordId task;
  LocksetId lockset;
  WorkPlace work;

  static constexpr std::uint32_t strands = strands_per_block;

  static constexpr bool may_hold(StrandId strand) noexcept { return number(strand) % 2 != 0; }
  constexpr LocksetId held_by(StrandId strand) const noexcept { return may_hold(strand) ? lockset : LocksetId::empty; }

  /// How many ids of a new block are passed over before that of a strand which holds `locks`: the block's, or none.
  static constexpr std::uint32_t before_first(LocksetId locks) noexcept { return locks != LocksetId::empty ? 1 : 0; }
  /// From the strand `last` to the next one in its block that holds `locks`: the block's, or none.
  constexpr std::uint32_t step_from(StrandId last, LocksetId locks) const noexcept {
    return lockset != LocksetId::empty && may_hold(last) == (locks != LocksetId::empty) ? 2 : 1;
  }
  /// Strands with the one and with the other locks take turns in the block.
  constexpr bool is_for_both(LocksetId one, LocksetId other) const noexcept {
    return (one == LocksetId::empty || other == LocksetId::empty) && lockset == (one != LocksetId::empty ? one : other);
  }
};
static_assert(sizeof(StrandBlock) == 16);

} // namespace fletcher::order
