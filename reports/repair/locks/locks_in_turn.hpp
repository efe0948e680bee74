// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two locks that one function takes, one right behind the other, in the order of what it is called with: the smaller
// index, or the element that comes first in memory, is locked first, or one guard of C++ takes both.
#pragma once

#include "reports/repair/repair.hpp"

#include <cstdint>
#include <optional>
#include <set>

namespace fletcher::reports {

std::optional<Repair> repair_locks_in_turn(const Diagnostic& leader, Codes& codes);

/// The lines of the finding and of its steps; nothing where they are in several files.
std::optional<std::set<std::uint32_t>> lines_of_steps(const Diagnostic& leader);

} // namespace fletcher::reports
