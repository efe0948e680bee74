// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data that one thread or task hands over to another one too early, or without the order that its flag could have.
#pragma once

#include "reports/repair/repair.hpp"

namespace fletcher::reports {

/// A flag that has an order, but not the one that it needs, where the thread that sees it does what the thread that
/// raised it has done.
std::optional<Repair> repair_handed_turn(const Group& group, Codes& codes);
/// The event of a task is fulfilled in front of an access that who waits for the task takes for done: why, and advice
/// without edits.
std::optional<Repair> explain_early_fulfilment(const Group& group, Codes& codes);

} // namespace fletcher::reports
