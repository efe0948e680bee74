// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variable with static storage that is local to a function has a symbol that no other function's has. This file finds
// the name that the user wrote. Knows clang's, gcc's and gfortran's spellings.
#pragma once

#include <string>
#include <string_view>

namespace fletcher::reports {

/// "counter" of "main.counter" and "counter.0". C++ names and those of the compilers' own variables stay.
std::string user_variable(std::string_view symbol);
/// The program's name of the critical construct that has this variable as its lock; empty where there is none.
std::string critical_name(std::string_view symbol);

} // namespace fletcher::reports
