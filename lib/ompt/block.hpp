// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the runtime's that holds a task.
#pragma once

#include "checker/ids.hpp"

#include <cstddef>

namespace fletcher::ompt {

struct Block {
  Address address = 0;
  std::size_t size = 0;
};

/// Of the taskloop construct whose entry point this thread has just called: the pattern of its tasks.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local Block taskloop_pattern{};

} // namespace fletcher::ompt
