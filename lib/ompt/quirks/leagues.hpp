// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many teams the host makes of a teams construct that leaves their number open. LLVM's runtime makes one, where a
// device has hundreds: what would go wrong between two teams is not in the run then. The number is the implementation's
// choice (OpenMP 5.1, 2.7), so a right program bears two.
#pragma once

#include <cstdint>

namespace fletcher::ompt {

/// Before the runtime reads its environment: room for `teams` with two threads each, however few the processors are,
/// and for some more that a program may ask for.
/// Nothing where the environment says anything of the number of teams or threads in a league.
void make_room_for_leagues(std::uint32_t teams) noexcept;

/// After that: makes it `teams` where there is room. The program may still say another number.
void open_leagues() noexcept;

} // namespace fletcher::ompt
