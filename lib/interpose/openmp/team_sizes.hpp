// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the program may count on how many threads there are: what it does is only right, then, with as many as it
// was told.
#pragma once

namespace fletcher::interpose {

/// It has asked for a number of threads, not only to print it.
bool asks_for_threads() noexcept;
/// It has asked whether more than one thread executes a region.
bool asks_whether_parallel() noexcept;

} // namespace fletcher::interpose
