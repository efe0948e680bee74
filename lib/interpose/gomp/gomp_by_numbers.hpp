// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gcc's loops that LLVM's runtime (up to LLVM 19) gets wrong. The tasks of a taskloop that counts down, begins below
// zero or has no iterations get wrong bounds, some of them outside of the loop; and where the runtime hands out the
// iterations of a loop over addresses or unsigned numbers that counts down, it executes none. It is given the numbers
// of the iterations instead, which count up from 0, and the program gets what belongs to them.
#pragma once

#include "lib/interpose/gomp/gomp_detach.hpp"

#include <cstdint>

namespace fletcher::interpose {

/// GOMP_taskloop, with bounds of 64 bits with a sign, and GOMP_taskloop_ull.
using GompTaskloop = void(GompBody*, void* data, GompCopy*, long size, long align, unsigned flags, unsigned long tasks,
                          int priority, std::uint64_t start, std::uint64_t end, std::uint64_t step);

/// GOMP_TASK_FLAG_UP, of a call of them.
inline constexpr unsigned gomp_flag_up = 1u << 8;

/// What they have to do without that flag, and where their loop is not one of iterations from 0 on.
GompTaskloop gomp_taskloop_by_numbers, gomp_taskloop_ull_by_numbers;

} // namespace fletcher::interpose
