// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sequence of worksharing constructs and barriers that a team's members meet, which must be the same for all
// (OpenMP 5.1, 2.11): who comes to the n-th one first leaves what it is, the others compare. The last few are kept.
// Made for members that hardly ever disagree: a look at a shared cache line each time, no lock.
#pragma once

#include "checker/ids.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

namespace fletcher::constructs {

enum class Met : std::uint8_t { loop, sections, single, workshare, scope, barrier, implied_barrier, region_end };

/// What a member met.
struct Meeting {
  Met what = Met::loop;
  std::uint16_t member = 0; ///< its index in the team
  Address pc = 0;           ///< 0 where unknown
};

class Sequence {
public:
  /// `own` is the `ordinal`-th of its member. What another member met there first, if that is something else or at
  /// another place. Thread-safe.
  std::optional<Meeting> compare(std::uint64_t ordinal, const Meeting& own) noexcept {
    Point& point = points_[ordinal % points_.size()];
    const std::uint64_t mine = ((ordinal + 1) << ordinal_shift) | (std::uint64_t{own.member} << member_shift) |
                               static_cast<std::uint64_t>(own.what);
    for (int tries = 0; tries < patience; ++tries) {
      std::uint64_t there = point.key.load(std::memory_order_acquire);
      if (there == being_written) continue;
      if (there >> ordinal_shift > ordinal + 1) return std::nullopt; // the others are far ahead
      if (there >> ordinal_shift == ordinal + 1) {
        const Address pc = point.pc.load(std::memory_order_acquire);
        if (point.key.load(std::memory_order_relaxed) != there) continue;
        const Meeting other{static_cast<Met>(there & 0xff),
                            static_cast<std::uint16_t>((there >> member_shift) & 0xffff), pc};
        if (other.what == own.what && other.pc == own.pc) return std::nullopt;
        return other;
      }
      if (!point.key.compare_exchange_weak(there, being_written, std::memory_order_acquire)) continue;
      point.pc.store(own.pc, std::memory_order_relaxed);
      point.key.store(mine, std::memory_order_release);
      return std::nullopt;
    }
    return std::nullopt;
  }

private:
  struct Point {
    std::atomic<std::uint64_t> key{0}; ///< ordinal + 1, member, what
    std::atomic<Address> pc{0};
  };
  static constexpr int member_shift = 8, ordinal_shift = 24, patience = 64;
  static constexpr std::uint64_t being_written = 1; ///< no key of a member, as its ordinal is 0
  std::array<Point, 16> points_;
};

} // namespace fletcher::constructs
