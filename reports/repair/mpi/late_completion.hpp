// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A race with a pending operation of MPI as the source has it: where the operation begins, where its buffer is used,
// and the call behind that which completes it.
#pragma once

#include "reports/explanation/diagnostic.hpp"
#include "reports/repair/source/code.hpp"

#include <cstdint>
#include <optional>

namespace fletcher::reports {

/// Lines of one function, that of the completing call.
struct LateCompletion {
  std::uint32_t begun = 0, used = 0, completed = 0;
};

/// Nothing where the run saw no such call, or the three are in several functions.
std::optional<LateCompletion> late_completion(const Diagnostic& race, const Code& code);

/// The block that the line is a statement of: in braces, or of Fortran a branch, an iteration or the whole unit.
/// Nothing in a construct of Fortran.
std::optional<Extent> block_around(std::uint32_t line, const Code& code);

} // namespace fletcher::reports
