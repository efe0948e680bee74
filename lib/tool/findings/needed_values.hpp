// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of a variable that a loop writes under a condition, LLVM reads the value before the loop, and instruments that read
// for ThreadSanitizer, though the program makes it only where it comes to the condition's branch. Such a read is known
// by two things together: there is a way on from it on which nobody needs its value; and it has no line of source of
// its own, as a read that the program makes there has (reports/explanation).
#pragma once

#include "checker/finding.hpp"

#include <cstdint>

namespace fletcher::tool {

/// What may decide that a way is gone.
enum class Branches : std::uint8_t {
  any,
  by_own_values, ///< until the construct ends, nothing that is read on the way: a number of a section, of a thread
};

/// On some way from the call that reports a read to the end of the function its value is used, on another one it is
/// not. False where that is not plain, and on other processors than x86-64. Not in a signal handler.
bool is_needed_on_some_ways(Address return_address, Branches branches);

/// Of a data race in code that was instrumented for ThreadSanitizer alone: whether its read is such a one.
/// ThreadSanitizer reports one race of an address only. So where it judges, what goes on by the program's data counts
/// as needed: a thread that comes to the branch races by its write, of which no report would tell.
void tell_unneeded_reads(Finding& finding, Branches branches);

} // namespace fletcher::tool
