// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Array sections of two dimensions, as depend clauses name the tiles of a matrix. A runtime is told where a list item
// begins, and how far it is from its first byte to its last: for a tile that includes what lies between its rows, so
// that tiles which stand beside each other seem to overlap.
#pragma once

#include "checker/ids.hpp"

#include <array>
#include <cstddef>

namespace fletcher::constructs {

/// Where a list item begins, and the bytes from its first to its last one.
struct Extent {
  Address begin;
  std::size_t size;
};

/// The two share bytes, but there is a matrix of which they could be tiles that do not: some length of its rows makes
/// both several rows high, equally high or equally wide, and puts them into different columns. O(rows of a tile), at
/// most about a thousand steps.
bool may_be_tiles(Extent one, Extent other) noexcept;

/// The same, and remembers it: tasks name tiles of a few sizes. Not thread-safe.
class Tiles {
public:
  bool may_be(Extent one, Extent other) noexcept;

private:
  struct Answer {
    Address distance = 0; ///< from the first to the second
    std::size_t first = 0, second = 0;
    bool yes = false;
  };
  std::array<Answer, 256> answers_{};
};

} // namespace fletcher::constructs
