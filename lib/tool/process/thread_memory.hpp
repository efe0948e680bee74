// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the current thread's stack and its static thread-local storage lie.
#pragma once

#include "lib/tool/thread.hpp"

namespace fletcher::tool {

using MemoryRange = StackBounds;

/// Without what lies above the stack in the same mapping (thread-local storage). Zero where unknown.
StackBounds own_stack() noexcept;

/// The block that holds the thread-local variables of the executable and of the libraries loaded with it.
MemoryRange own_tls() noexcept;

/// Measures that block; its shape is the same for all threads. Once, on the thread that starts the session.
void measure_tls() noexcept;

} // namespace fletcher::tool
