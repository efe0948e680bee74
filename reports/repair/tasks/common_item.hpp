// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sibling tasks that share memory which their depend clauses do not name alike: one list item for all of them.
#pragma once

#include "reports/repair/repair.hpp"

namespace fletcher::reports {

/// For races whose cause is a missing dependence.
std::optional<Repair> common_item(const Group& group, Codes& codes);

} // namespace fletcher::reports
