// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The known answer: which pairs of a program's lines race, and which of them a run has to show.
#pragma once

#include "program.hpp"

#include <set>
#include <utility>
#include <vector>

namespace fletcher::compiled {

using LinePair = std::pair<std::uint32_t, std::uint32_t>; ///< the smaller line first

struct Answer {
  /// All that may be reported: two accesses in conflict that nothing orders or excludes, with any number of threads,
  /// whoever gets a single, a section or an iteration of a dynamic loop.
  std::set<LinePair> races;
  /// At least one of each set must be reported: of the pairs that race whoever gets the units of work, and that the
  /// run's order of locks cannot hide. More than one where a checker need not remember each access by itself: one that
  /// comes after it stands for it, or one that it was told to race with. Of a variable with many accesses not all are
  /// kept: only some of each line, and none need be reported where there are many lines.
  std::vector<std::set<LinePair>> required;
};

Answer answer(const Program& program, std::uint32_t threads);

} // namespace fletcher::compiled
