// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that call routines which libgomp's and LLVM's runtime do not have alike, and what they say on either.
#pragma once

#include <string>

namespace fletcher::test {

/// Events, allocators, leagues: each is of no use where another runtime than the one that runs gets the call.
/// Below level native LLVM's runtime needs room for three teams: KMP_TEAMS_THREAD_LIMIT.
extern const std::string newer_routines_c, newer_routines_say;
extern const std::string newer_routines_fortran, newer_routines_say_in_fortran;

} // namespace fletcher::test
