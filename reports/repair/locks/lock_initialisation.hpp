// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock that nobody has initialised, or that each thread of a team initialises.
#pragma once

#include "reports/repair/repair.hpp"

namespace fletcher::reports {

std::optional<Repair> lock_initialisation(const Group& group, const Code& code);

} // namespace fletcher::reports
