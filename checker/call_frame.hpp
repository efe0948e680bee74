// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function's frame as a call shows it: all that debug information needs to say which of the function's variables is
// where. Nothing else is relied on.
#pragma once

#include "checker/ids.hpp"

namespace fletcher {

struct CallFrame {
  Address pc = 0;            ///< where the call returns to; 0: nothing is known
  Address stack_pointer = 0; ///< of the caller before the call: its frame is above
  Address frame_pointer = 0; ///< the frame pointer's register, whatever the caller uses it for

  bool known() const noexcept { return pc != 0; }
  friend bool operator==(const CallFrame&, const CallFrame&) = default;
};

} // namespace fletcher
