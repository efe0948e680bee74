// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gfortran's array descriptors (libgfortran's ABI 8, GCC 9 and later), and the elements that a library function
// accesses by one.
#pragma once

#include "lib/interpose/observe.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace fletcher::interpose::fortran {

inline constexpr std::size_t most_dimensions = 15;

/// Strides are in elements; an extent is upper - lower + 1, and nothing where that is not positive.
struct Dimension {
  std::ptrdiff_t stride, lower, upper;
};

struct Descriptor {
  char* base; ///< of the first element; null: not allocated
  std::size_t offset;
  std::size_t element_size;
  std::int32_t version;
  std::int8_t rank, type;
  std::int16_t attribute;
  std::ptrdiff_t span;
  std::array<Dimension, most_dimensions> dimensions; ///< `rank` of them are there
};
static_assert(offsetof(Descriptor, rank) == 28 && offsetof(Descriptor, dimensions) == 40 && sizeof(Dimension) == 24);

/// All elements, each of `size` bytes; those that touch each other as one range.
inline void access_elements(access::ThreadState& thread, const Descriptor& array, std::size_t size, access::Kind kind,
                            Address pc) {
  const auto rank = static_cast<std::size_t>(array.rank);
  if (array.base == nullptr || array.rank < 0 || rank > most_dimensions) return;
  if (rank == 0) return access_range(thread, array.base, size, kind, pc);
  std::array<std::ptrdiff_t, most_dimensions> extent{}, step{}, at{};
  for (std::size_t i = 0; i < rank; ++i) {
    const Dimension& dimension = array.dimensions[i];
    extent[i] = dimension.upper - dimension.lower + 1;
    step[i] = dimension.stride * static_cast<std::ptrdiff_t>(array.element_size);
    if (extent[i] <= 0) return;
  }
  const bool touching = step[0] == static_cast<std::ptrdiff_t>(size);
  const char* row = array.base;
  for (;;) {
    if (touching)
      access_range(thread, row, size * static_cast<std::size_t>(extent[0]), kind, pc);
    else
      for (std::ptrdiff_t i = 0; i < extent[0]; ++i) access_range(thread, row + i * step[0], size, kind, pc);
    std::size_t dimension = 1;
    for (; dimension < rank; ++dimension) {
      row += step[dimension];
      if (++at[dimension] < extent[dimension]) break;
      row -= step[dimension] * extent[dimension];
      at[dimension] = 0;
    }
    if (dimension == rank) return;
  }
}

} // namespace fletcher::interpose::fortran
