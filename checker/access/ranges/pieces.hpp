// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that are the same distance apart: what a loop does, or a function with a matrix.
#pragma once

#include "checker/access/thread_state.hpp"

namespace fletcher::access {

/// `count` pieces of `size` bytes, each `stride` bytes after the one before. Where accesses are checked.
void check_pieces(ThreadState& thread, Address first, std::int64_t stride, std::size_t size, std::size_t count,
                  Kind kind, Address pc);

} // namespace fletcher::access
