// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A taskwait or barrier in a section of a lock that the tasks which are waited for need, too.
#pragma once

#include "reports/repair/repair.hpp"

namespace fletcher::reports {

/// A lock that is held in a wait, and let go of right behind it: the wait comes behind. One that is set right in front
/// of it: the wait comes in front. So it is with a critical construct of which the wait is the first or the last thing.
std::optional<Repair> wait_without_lock(const Group& group, Codes& codes);

} // namespace fletcher::reports
