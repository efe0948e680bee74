// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fortran's loops, and the branches of its conditions, around a line: what blocks in braces say in C.
#pragma once

#include "reports/repair/source/code.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fletcher::reports {

/// The lines between a loop's head and its end, or those of one branch.
struct FortranBlock {
  std::uint32_t first = 0, last = 0;
  bool is_loop = false;
  bool contains(std::uint32_t line) const noexcept { return first <= line && line <= last; }
};

/// Those within an extent, from the innermost one outward. Nothing where the text is not clear, as with `do 10 i = 1,
/// n`.
std::optional<std::vector<FortranBlock>> fortran_blocks_around(const Code& code, std::uint32_t line, const Extent& in);

} // namespace fletcher::reports
