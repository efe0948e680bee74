// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a thread remembers of joint strands (order/joint.hpp), by which memory that all members of a team read takes one
// cell: which of them record reads by its current strand, and which one a cell's readers and its own make together.
// Relies on alike.hpp.
#pragma once

#include "checker/access/cells/alike.hpp"
#include "checker/memory/hash.hpp"

#include <array>

namespace fletcher::access {

/// Of one thread, which alone looks at it, except for a sweep. Each operation O(1).
class JointReads {
public:
  /// New ones in a strand and its twins, at most. Readers of memory that is used at random make many sets.
  static constexpr std::uint8_t most_new = 64;
  /// Of these, such whose members have read different bytes.
  static constexpr std::uint8_t most_mixed = 16;
  static constexpr std::uint8_t most_apart = 64;

  /// As Alike::joint, of a joint strand that has been met since `since` (Alike::first); 0 where it has not.
  std::uint64_t met(StrandId joint, StrandId since) const noexcept {
    const Met& met = met_[number(joint) / 4 % met_.size()];
    return met.since == since && Cell(met.joint).strand() == joint ? met.joint : 0;
  }
  void meet(std::uint64_t joint, StrandId since) noexcept {
    met_[number(Cell(joint).strand()) / 4 % met_.size()] = {since, joint};
    if (lately_.since != since) lately_ = {since, Alike().joints};
    lately_.joints[Alike::slot(joint)] = joint;
  }
  /// Those that were met since then go on recording its reads.
  void recall(Alike& alike, StrandId since) const noexcept {
    if (lately_.since == since) alike.joints = lately_.joints;
  }

  /// The strand for the readers of `cell` and who reads `now`, if it was asked for lately.
  StrandId joined(Cell cell, Cell now) const noexcept {
    const Joined& known = joined_[slot(cell, now)];
    return known.cell == readers(cell) && known.now == readers(now) ? known.joint : StrandId::none;
  }
  void join(Cell cell, Cell now, StrandId joint) noexcept {
    joined_[slot(cell, now)] = {readers(cell), readers(now), joint};
  }

  /// The strand for those that are twins of `first`, if it was asked for.
  StrandId of_twins(StrandId first) const noexcept { return twins_.first == first ? twins_.joint : StrandId::none; }
  void keep_of_twins(StrandId first, StrandId joint) noexcept { twins_ = {first, joint}; }

  /// Joint strands mean something else from now on.
  void forget(std::uint32_t generation) noexcept {
    if (generation_ == generation) return;
    met_.fill({});
    joined_.fill({});
    lately_ = {};
    twins_ = {};
    generation_ = generation;
  }
  /// Calls `f(strand)` for all that it names.
  template <class F> void each_strand(F f) const {
    for (const Met& met : met_) f(Cell(met.joint).strand());
    lately_.each_strand(f);
    f(twins_.joint);
    for (const Joined& known : joined_) {
      f(Cell(known.cell).strand());
      f(Cell(known.now).strand());
      f(known.joint);
    }
  }
  std::uint8_t new_left = 0; ///< so many more may be made
  std::uint8_t mixed_left = 0;
  /// So many reads more that several twins' reads are kept apart for: enough for a loop whose units race regularly.
  std::uint8_t apart_left = 0;
  /// A strand and its twins begin.
  void begin() noexcept {
    new_left = most_new;
    mixed_left = most_mixed;
    apart_left = most_apart;
  }

private:
  struct Met {
    StrandId since = StrandId::none;
    std::uint64_t joint = 0;
  };
  struct Lately {
    StrandId since = StrandId::none;
    Alike::Joints joints = Alike().joints;
    template <class F> void each_strand(F f) const {
      for (const std::uint64_t joint : joints)
        if (joint != Alike::no_joint) f(Cell(joint).strand());
    }
  };
  struct Joined {
    std::uint64_t cell = 0, now = 0;
    StrandId joint = StrandId::none;
  };
  struct OfTwins {
    StrandId first = StrandId::none, joint = StrandId::none;
  };
  static constexpr unsigned slot_bits = 8;
  static std::uint64_t readers(Cell cell) noexcept { return cell.raw() & (Cell::strand_mask | 0xff); }
  static std::size_t slot(Cell cell, Cell now) noexcept {
    return memory::spread(memory::spread(readers(cell)) ^ readers(now)) >> (64 - slot_bits);
  }
  std::array<Met, 128> met_{};
  std::array<Joined, std::size_t{1} << slot_bits> joined_{};
  Lately lately_;
  OfTwins twins_;
  std::uint32_t generation_ = 0;
};

} // namespace fletcher::access
