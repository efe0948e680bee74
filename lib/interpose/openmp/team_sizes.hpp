// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the program may count on how many threads there are: what it does is only right, then, with as many as it
// was reported.
#pragma once

namespace fletcher::interpose {

/// It has asked for a number of threads, not only to print it.
bool asks_for_threads() noexcept;
/// It has asked whether more than one thread executes a region.
bool asks_whether_parallel() noexcept;
/// As far as is known it does the same with any number of threads, in every team that it does not size itself.
bool leaves_team_sizes_open() noexcept;

} // namespace fletcher::interpose
