// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the iterations of a divided loop do to each other's data, done as the loop without the construct does it: in the
// loop's order, or by the last iteration only.
#pragma once

#include "reports/repair/repair.hpp"

namespace fletcher::reports {

/// Statements that iterations have to execute one after the other go into an ordered construct.
std::optional<Repair> in_order_of_loop(const Group& group, const Code& code);

/// A place that all iterations set and none reads: the last one sets it.
std::optional<Repair> only_last_iteration(const std::vector<Site>& sites, const std::string& name, const Code& code);

} // namespace fletcher::reports
