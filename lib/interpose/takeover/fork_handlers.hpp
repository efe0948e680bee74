// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where this library was preloaded, threads that began after the take-over are unknown to ThreadSanitizer's runtime.
// Its handlers of fork take each thread that forks for one that they know, and would crash on these. They were
// registered before any constructor ran, and the C library takes none back.
#pragma once

#include "checker/ids.hpp"

namespace fletcher::interpose::fork_handlers {

/// Those that code between the two addresses registered before this library's constructors ran are not called any more.
void leave_out(Address code_begin, Address code_end) noexcept;

} // namespace fletcher::interpose::fork_handlers
