// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Updates, and sets of a number, that become atomic operations.
#pragma once

#include "reports/repair/data/accesses.hpp"

#include <optional>

namespace fletcher::reports {

/// `of_constants`: what only sets the variable becomes atomic, too.
std::optional<Repair> atomic_construct(const Accesses& accesses, bool of_constants = false);
/// An atomic update, and behind it a statement that reads the result: both together are one atomic operation.
std::optional<Repair> atomic_capture(const Accesses& accesses);
/// A critical construct around nothing but an update.
std::optional<Repair> atomic_for_critical(const Accesses& accesses);

/// All sites set it to a number that stands there: none of them computes one from what others have set.
bool are_constants(const Accesses& accesses);

} // namespace fletcher::reports
