// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of a variable that a loop writes or uses under a condition, LLVM and gcc read the value before the loop, and
// instrument that read for ThreadSanitizer, though the program makes it only where it comes to the condition's branch.
// With LLVM such a read is known by two things together: there is a way on from it on which nobody needs its value; and
// it has no line of source of its own, as a read that the program makes there has (reports/explanation). gcc gives it
// the line of another statement: there it is known by the way on, and by the loop that the value goes round.
#pragma once

#include "checker/finding.hpp"

#include <cstdint>

namespace fletcher::tool {

enum class Need : std::uint8_t {
  plain, ///< on all ways, on none, or that is not plain
  on_some_ways,
  on_some_ways_in_loop, ///< which the read is not in
};

/// Whether on some way from the call that reports a read to the end of the function its value is used, and on another
/// one it is not. A value that is joined with another one by "and" or "or" is not needed on a way, either: the other
/// one may decide. On other processors than x86-64 `plain`. Not in a signal handler.
Need need_of_read(Address return_address);

/// A data race in code of gcc's that may be none, as gcc may have moved its read out of a loop.
bool may_be_read_before_a_loop(const Finding& finding);

/// Of a data race in code that was instrumented for ThreadSanitizer alone: whether its read may be one of LLVM's.
void tell_unneeded_reads(Finding& finding);

} // namespace fletcher::tool
