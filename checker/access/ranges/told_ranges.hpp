// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges of memory that a thread checked lately, as a whole: a row, a column or a copy that the strand comes to again
// needs no look at its granules. One record for as long as a block has one history, as in Wilcox, Finch, Flanagan and
// Freund, Array Shadow State Compression for Precise Dynamic Race Detection, ASE 2015, but beside shadow memory, which
// stays as it is: other threads never ask here.
#pragma once

#include "checker/access/cells/cell.hpp"
#include "checker/ids.hpp"
#include "checker/memory/hash.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace fletcher::access {

/// `count` pieces of `size` bytes, each `step` bytes after the one before.
struct Pieces {
  Address first = 0, step = 0;
  std::size_t size = 0, count = 0;
  friend bool operator==(const Pieces&, const Pieces&) = default;
};

/// Direct-mapped. Not thread-safe: only its own thread touches it. Each function costs O(1), except for forget() once
/// in 2^32 times.
class ToldRanges {
public:
  /// Smaller ones are as soon looked at as looked up, in bytes.
  static constexpr std::size_t least = 128;

  /// The strand that is the thread's `strand`-th has made the access, or of a read one of the `twins` before it has,
  /// whose reads are as good.
  bool tell(const Pieces& pieces, Kind kind, std::uint32_t strand, std::uint32_t twins) const noexcept {
    const Range& range = ranges_[slot(pieces)];
    const std::uint32_t ago = strand - range.strand;
    return range.pieces == pieces && range.life == life_ && covers(range.kind, kind) &&
           (ago == 0 || (ago <= twins && range.kind == Kind::read && kind == Kind::read));
  }
  void remember(const Pieces& pieces, Kind kind, std::uint32_t strand) noexcept {
    ranges_[slot(pieces)] = {pieces, strand, life_, kind};
  }
  /// Memory begins or ends its life by what the thread does.
  void forget() noexcept {
    if (++life_ != 0) return;
    ranges_.fill({});
    life_ = 1;
  }

private:
  struct Range {
    Pieces pieces;
    std::uint32_t strand = 0;
    std::uint32_t life = 0;
    Kind kind = Kind::read;
  };
  static std::size_t slot(const Pieces& pieces) noexcept {
    constexpr unsigned shift = 64 - 7;
    return memory::spread(memory::spread(pieces.first) + pieces.size) >> shift;
  }
  std::array<Range, 128> ranges_{};
  std::uint32_t life_ = 1;
};

} // namespace fletcher::access
