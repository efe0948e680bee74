// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a construct is where its return address says: a function whose last statement is a construct jumps to the
// runtime, which then returns to wherever that function was called.
#pragma once

#include "checker/finding.hpp"

namespace fletcher::interpose {

/// The instruction before the address calls an entry point of LLVM's OpenMP runtime, and nothing in between. False also
/// where that cannot be known (other processors than x86-64). gcc's calls do not count: they have the lines of whatever
/// stands near.
bool is_call_of_the_runtime(Address return_address) noexcept;

/// Of all places of the finding's steps.
bool are_calls_of_the_runtime(const Finding& finding) noexcept;

} // namespace fletcher::interpose
