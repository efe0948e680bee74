// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/effects/extent.hpp"

#include <cstring>

namespace fletcher::effects {

namespace {

/// The rows that an array needs for columns `step` apart.
std::int64_t stored_rows(const Extent& extent) noexcept {
  const std::int64_t rows = extent.exchanged ? extent.columns : extent.rows;
  if (!extent.effect->is_band) return rows;
  return extent.triangle == 'U'   ? extent.above + 1
         : extent.triangle == 'L' ? extent.below + 1
                                  : extent.below + extent.above + 1;
}

/// A length that no array has is one of arguments that the function refuses, or that are no lengths.
constexpr std::int64_t longest = std::int64_t{1} << 40;

/// Where the memory begins that an effect is about.
std::byte* begin_of(const Arguments& arguments, const Effect& effect) noexcept {
  std::byte* begin = arguments.address(effect.parameter);
  if (effect.through.given() && begin != nullptr)
    std::memcpy(&begin, begin + arguments.value(effect.through), sizeof begin);
  return begin;
}

} // namespace

Extent extent_of(const Arguments& arguments, const Effect& effect) noexcept {
  Extent extent;
  if (!arguments.holds(effect.condition)) return extent;
  extent.effect = &effect;
  extent.element = arguments.signature().element_size(arguments.signature().parameter(effect.parameter).kind);
  extent.rows = arguments.value(effect.rows);
  std::byte* const first = begin_of(arguments, effect);
  if (extent.rows <= 0 || extent.rows > longest) return extent;
  switch (effect.shape) {
  case Shape::vector:
    if (effect.step.given()) extent.step = arguments.value(effect.step);
    if (extent.step < 0) extent.step = -extent.step; // it goes through the same memory from the other end
    if (extent.step == 0) extent.rows = 1;
    if (extent.step > longest) return extent;
    break;
  case Shape::packed:
    extent.rows = extent.rows * (extent.rows + 1) / 2;
    break;
  case Shape::swapped:
    extent.columns = arguments.value(effect.above);
    extent.above = arguments.value(effect.columns);
    extent.step = arguments.value(effect.step);
    extent.below = arguments.value(effect.below); // between the pivots of two rows
    if (extent.below < 0) extent.below = -extent.below;
    extent.exchanged = arguments.by_rows();
    break;
  case Shape::matrix:
    extent.columns = arguments.value(effect.columns);
    if (extent.columns <= 0 || extent.columns > longest) return extent;
    extent.step = effect.step.given() ? arguments.value(effect.step) : extent.rows;
    extent.triangle = arguments.letter(effect.triangle);
    extent.unit = arguments.letter(effect.unit) == 'U';
    if (effect.below.given()) extent.below = arguments.value(effect.below);
    if (effect.above.given()) extent.above = arguments.value(effect.above);
    if (effect.is_band && (extent.below < 0 || extent.above < 0)) return extent;
    const char transposed = arguments.letter(effect.transposed);
    extent.transposed = transposed == 'T' || transposed == 'C';
    extent.array_by_rows =
        effect.is_band && arguments.by_rows() && arguments.signature().form().convention == Convention::lapacke;
    extent.exchanged = extent.transposed != (arguments.by_rows() && !extent.array_by_rows);
    if (effect.is_band && extent.triangle == 'U') extent.below = 0;
    if (effect.is_band && extent.triangle == 'L') extent.above = 0;
    if (extent.step < (extent.array_by_rows ? extent.columns : stored_rows(extent)) || extent.step > longest)
      return extent;
    break;
  }
  extent.first = first;
  return extent;
}

} // namespace fletcher::effects
