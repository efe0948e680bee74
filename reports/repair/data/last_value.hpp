// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variable that the iterations of a loop set and do not read: what it has afterwards is what the last iteration sets,
// as without threads, where the construct says so (lastprivate).
#pragma once

#include "reports/repair/repair.hpp"

namespace fletcher::reports {

std::optional<Repair> last_value(const Diagnostic& race, const std::vector<Site>& sites, const Code& code);

} // namespace fletcher::reports
