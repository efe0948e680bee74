// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of one argument that a call uses, as few pieces.
#pragma once

#include "lib/effects/arguments.hpp"

#include <algorithm>

namespace fletcher::effects {

/// `count` pieces of `size` bytes, each `step` bytes after the one before.
struct Pieces {
  std::byte* first;
  std::size_t size, step, count;
};

/// What one effect of a call is about. Rows and columns are those of the formula.
struct Extent {
  const Effect* effect = nullptr;
  std::byte* first = nullptr;
  std::size_t element = 0;
  std::int64_t rows = 0, columns = 1, step = 1;
  std::int64_t below = 0, above = 0;
  char triangle = 0; ///< U, L, or all of it
  bool unit = false;
  bool transposed = false;    ///< the caller's array has rows and columns exchanged
  bool array_by_rows = false; ///< the array of a band has its own rows one after the other, as LAPACKE wants it
  bool exchanged = false;     ///< it is not columns of the matrix that lie in one piece, but rows

  /// Nothing is used where that is so.
  bool empty() const noexcept { return first == nullptr || rows <= 0 || columns <= 0; }
};

/// Empty where the condition does not hold, or the arguments are none that the function accepts.
Extent extent_of(const Arguments& arguments, const Effect& effect) noexcept;

/// Calls `use(const Pieces&)`, for a matrix, a vector or a packed triangle once, else for each column.
template <class Function> void each_piece(const Arguments& arguments, const Extent& extent, Function&& use) {
  if (extent.empty()) return;
  const std::size_t element = extent.element;
  const auto bytes = [&](std::int64_t elements) { return static_cast<std::size_t>(elements) * element; };
  const auto at = [&](std::int64_t index) { return extent.first + index * static_cast<std::int64_t>(element); };
  if (extent.effect->shape == Shape::swapped) {
    const auto row = [&](std::int64_t index) {
      if (extent.exchanged)
        use(Pieces{at(index * extent.step), bytes(extent.columns), 0, 1});
      else
        use(Pieces{at(index), element, bytes(extent.step), static_cast<std::size_t>(extent.columns)});
    };
    for (std::int64_t i = extent.rows; i <= extent.above; ++i) { // rows are counted from 1
      const std::int64_t pivot = extent.rows - 1 + (i - extent.rows) * extent.below;
      const std::int64_t with = arguments.element(extent.effect->pivots, pivot);
      if (with == i || with < 1) continue;
      row(i - 1);
      row(with - 1);
    }
    return;
  }
  if (extent.effect->shape != Shape::matrix)
    return use(Pieces{extent.first, element, bytes(extent.step), static_cast<std::size_t>(extent.rows)});
  const std::int64_t rows = extent.exchanged ? extent.columns : extent.rows;
  const std::int64_t columns = extent.exchanged ? extent.rows : extent.columns;
  const bool is_upper = extent.triangle == (extent.exchanged ? 'L' : 'U');
  const bool is_lower = extent.triangle == (extent.exchanged ? 'U' : 'L');
  if (!extent.effect->is_band && !is_upper && !is_lower)
    return use(Pieces{extent.first, bytes(rows), bytes(extent.step), static_cast<std::size_t>(columns)});
  // Further diagonals of a triangle are on its other side.
  const bool is_band = extent.effect->is_band;
  const std::int64_t further = is_band ? 0 : extent.below;
  const std::int64_t below = is_band ? (extent.exchanged ? extent.above : extent.below) : rows;
  const std::int64_t above = is_band ? (extent.exchanged ? extent.below : extent.above) : columns;
  for (std::int64_t j = 0; j < columns; ++j) {
    std::int64_t begin = std::max<std::int64_t>(0, j - above), end = std::min(rows, j + below + 1);
    if (is_upper) end = std::min(end, j + further + (extent.unit ? 0 : 1));
    if (is_lower) begin = std::max(begin, j - further + (extent.unit ? 1 : 0));
    if (begin >= end) continue;
    // A band's diagonal is in one row of its array: the first of a lower triangle, else behind those above it.
    const std::int64_t row = is_band ? begin - j + (is_lower ? 0 : above) : begin;
    if (extent.array_by_rows)
      use(Pieces{at(row * extent.step + j), element, bytes(extent.step), static_cast<std::size_t>(end - begin)});
    else
      use(Pieces{at(j * extent.step + row), bytes(end - begin), 0, 1});
  }
}

} // namespace fletcher::effects
