// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "reports/repair/repair.hpp"

namespace fletcher::reports {

/// Tasks that are not siblings, so that their dependences order nothing: the tasks around them get the dependences, or
/// the construct that creates the first one ends with a barrier.
std::optional<Repair> repair_non_siblings(const Group& group, Codes& codes);

} // namespace fletcher::reports
