// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of the running thread's calls has an address in its frame: asks the unwinder, as exceptions do.
#pragma once

#include "checker/call_frame.hpp"

namespace fletcher::tool {

/// Unknown where `address` is not on this thread's stack above the caller's frame, or where a function in between has
/// no unwind information. About a microsecond for each frame.
CallFrame call_around(Address address) noexcept;

} // namespace fletcher::tool
