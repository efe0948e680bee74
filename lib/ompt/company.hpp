// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread that comes first to a dynamic loop, to sections or to a single often has all of it, and of the next ones,
// before the others are awake, and the run shows what one thread does. So a run's first regions and constructs are
// begun in company: a thread waits with its first part until the other members have come there, for a short while.
// OpenMP leaves it open who gets which part, and how fast. A thread that has waited for some 15 ms in all waits no
// more.
#pragma once

#include "lib/ompt/local.hpp"

namespace fletcher::ompt {

/// The thread comes to a region or to a construct whose parts its team's members get by chance.
void come(Frame& frame) noexcept;
/// It has got its first part, or needs none, and waits until all others have, too.
void begin_in_company(Frame& frame) noexcept;
/// It has got none, and goes on.
void leave_company(Frame& frame) noexcept;

} // namespace fletcher::ompt
