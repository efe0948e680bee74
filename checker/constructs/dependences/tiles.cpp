// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/constructs/dependences/tiles.hpp"

#include "checker/memory/hash.hpp"

#include <algorithm>
#include <utility>

namespace fletcher::constructs {

namespace {

constexpr std::size_t least_row = 64; ///< bytes; smaller matrices are not worth tiles
constexpr std::size_t most_rows = 512;

/// With rows of so many bytes. `distance`: from the beginning of the first to that of the second.
constexpr bool apart_in_rows_of(std::size_t row, std::size_t first, std::size_t second, std::size_t distance) noexcept {
  const std::size_t width = first % row, other = second % row, column = distance % row;
  const bool high = first > row && second > row && width != 0 && other != 0;
  const bool alike = first / row == second / row || width == other;
  return high && alike && column >= width && column + other <= row;
}

} // namespace

bool may_be_tiles(Extent one, Extent other) noexcept {
  if (other.begin < one.begin) std::swap(one, other);
  const std::size_t distance = other.begin - one.begin, less = std::min(one.size, other.size),
                    more = std::max(one.size, other.size);
  const std::size_t element = (less | more | distance) % 4 == 0 ? 4 : 1; // rows are whole elements
  const auto fits = [&](std::size_t row) {
    return row >= least_row && row % element == 0 && apart_in_rows_of(row, one.size, other.size, distance);
  };
  // Equally wide: their lengths differ by whole rows.
  for (std::size_t rows = 1; more != less && rows <= most_rows && (more - less) / rows >= least_row; ++rows)
    if ((more - less) % rows == 0 && fits((more - less) / rows)) return true;
  // Equally high. The longer a row is the narrower are both tiles, and the more columns are between them, as long as
  // they begin in rows that are as far from each other: so of each such stretch the longest row decides.
  for (std::size_t high = 2; high <= most_rows && (less - 1) / (high - 1) >= least_row; ++high) {
    const std::size_t longest = (less - 1) / (high - 1), shortest = more / high + 1;
    for (std::size_t row = longest; row >= shortest && row >= least_row;) {
      if (fits(row - row % element)) return true;
      const std::size_t rows_between = distance / row; // the next shorter row that changes this
      const std::size_t next = distance / (rows_between + 1);
      if (next >= row) break;
      row = next;
    }
  }
  return false;
}

bool Tiles::may_be(Extent one, Extent other) noexcept {
  const Address distance = other.begin - one.begin;
  Answer& known = answers_[memory::spread(distance ^ one.size * 3 ^ other.size * 5) >> 56];
  if (known.distance != distance || known.first != one.size || known.second != other.size)
    known = {distance, one.size, other.size, may_be_tiles(one, other)};
  return known.yes;
}

} // namespace fletcher::constructs
