// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables of a function's frame as llvm-symbolizer tells them: by offsets from a base that it does not name. For
// installations without frame-variables (stack_variables.hpp), which knows the base.
#pragma once

#include "reports/symbols/symbolizer.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fletcher::reports {

struct FrameLayout {
  struct Variable {
    FrameAnswer told;
    Address start = 0; ///< in the process
  };
  std::vector<FrameAnswer> variables;
  bool maybe_clang = true; ///< who compiled the function is not certain

  /// The one that holds the address. Nothing where that depends on which compiler's base it is: a wrong name is worse
  /// than none.
  std::optional<Variable> at(Address frame_pointer, Address address) const;
};

} // namespace fletcher::reports
