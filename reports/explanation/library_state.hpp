// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a library's function keeps from one call to the next, for all its callers: it has no name in the program, and
// what helps is another function.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fletcher::reports {

struct LibraryState {
  std::string words;  ///< "the state that strtok keeps between its calls"
  std::string advice; ///< what to change where two calls race for it
};

/// Of a variable of Fletcher's that stands for it; nothing for others.
std::optional<LibraryState> library_state(std::string_view variable);

} // namespace fletcher::reports
