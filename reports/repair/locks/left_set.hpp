// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock that stays set where its task ends: it is unset on each way out of the block that set it, or, where another
// lock is unset in its place, by its own name.
#pragma once

#include "reports/repair/repair.hpp"
#include "reports/repair/source/calls/lock_call.hpp"

#include <cstdint>
#include <optional>

namespace fletcher::reports {

/// `set` stands at `line`.
std::optional<Repair> repair_left_set(const Code& code, std::uint32_t line, LockCall set);

} // namespace fletcher::reports
