// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells of neighbouring granules, many at a time: what a range of memory costs is what these loops cost. With AVX2 four
// cells are looked at together; elsewhere one by one. Relies on cell.hpp and on cells of one plane being neighbours.
#pragma once

#include "checker/access/cells/alike.hpp"
#include "checker/access/cells/cell.hpp"

#include <cstddef>
#include <span>

namespace fletcher::access {

/// A row of first cells (or of cells of one further plane), and how to walk along it. Other threads may change cells at
/// any time; each is read and written as a whole.
class CellRow {
public:
  CellRow() noexcept;

  /// How many leading cells tell that the strand has made the access. O(answer).
  std::size_t told(const std::uint64_t* cells, std::size_t count, std::uint64_t strand,
                   std::uint64_t need) const noexcept {
    return told_(cells, count, strand, need);
  }
  /// Of how many leading granules one of the cells, the first of which is in `cells` and the others so many cells
  /// further on each, records a read of all bytes. O(answer).
  std::size_t told_of_reads(const std::uint64_t* cells, std::size_t plane_distance, std::size_t count,
                            const Alike& alike) const noexcept {
    return told_of_reads_(cells, plane_distance, count, alike);
  }
  /// Stores `now` in the leading cells in which that is all that has to be done, and tells how many: nothing that still
  /// matters is recorded there, or only what this strand did and `now` covers (it records all bytes).
  std::size_t record(std::uint64_t* cells, std::size_t count, std::uint64_t horizon, Cell now) const noexcept {
    return record_(cells, count, horizon, now);
  }

  /// Empties them. Memory that holds none is only read: that of pages that were never written costs nothing.
  void clear(std::uint64_t* cells, std::size_t count) const noexcept { clear_(cells, count); }

  /// A change to a granule: where its cells in the first `used` planes are like `seen` (in the bits of `care`), the
  /// first one moves to plane `moved` (0: it is dropped), and `now` takes its place.
  struct Change {
    std::uint64_t* const* rows; ///< of all planes
    const std::uint64_t* seen;
    unsigned used;
    std::uint64_t care;
    unsigned moved;
    Cell now;
  };
  /// Makes the change to the leading granules that look so, and tells how many did.
  std::size_t repeat(const Change& change, std::size_t count) const noexcept { return repeat_(change, count); }

  static constexpr unsigned planes = 4; ///< of cells for each granule, at most
  static constexpr std::size_t most_before = 16;
  /// A plain access to all bytes of granules of which others have accesses recorded, too, each in its own way.
  struct Among {
    std::uint64_t* const* rows;            ///< of all planes
    unsigned writable;                     ///< so many of them, from the first one on, may be written
    std::uint64_t horizon;                 ///< as a strand part, like the following
    std::span<const std::uint64_t> before; ///< most_before strands at most, which come before this one
    Cell now;
  };
  /// Records it in the leading granules where that takes no more than what is known here: each cell that still matters
  /// is of this strand or one of `before`, and there is room. Tells how many.
  std::size_t record_among(const Among& among, std::size_t count) const noexcept { return among_(among, count); }

private:
  std::size_t (*told_)(const std::uint64_t*, std::size_t, std::uint64_t, std::uint64_t) noexcept;
  std::size_t (*told_of_reads_)(const std::uint64_t*, std::size_t, std::size_t, const Alike&) noexcept;
  std::size_t (*record_)(std::uint64_t*, std::size_t, std::uint64_t, Cell) noexcept;
  std::size_t (*repeat_)(const Change&, std::size_t) noexcept;
  std::size_t (*among_)(const Among&, std::size_t) noexcept;
  void (*clear_)(std::uint64_t*, std::size_t) noexcept;
};

} // namespace fletcher::access
