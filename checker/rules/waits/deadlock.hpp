// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dependence-cycle, barrier-mismatch and the self-deadlock of lock-misuse: tasks that wait for each other at this
// moment, as findings whose steps go round the circle.
#pragma once

#include "checker/checker.hpp"
#include "checker/constructs/execution.hpp"
#include "checker/rules/reporter.hpp"

namespace fletcher::rules {

/// While no thread tells an event.
std::vector<Deadlock> deadlocks(constructs::Execution& execution, bool strangers);
void report(Reporter& reporter, const Deadlock& deadlock);
/// `waiter` begins to wait for an iteration that cannot come before its own: reported whether or not it will hang.
void report_later_sink(constructs::Execution& execution, Reporter& reporter, const constructs::Task& waiter);

} // namespace fletcher::rules
