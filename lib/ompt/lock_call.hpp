// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the program calls a lock routine. The runtime keeps one return address for each thread, and its GOMP_ entry
// points leave theirs behind, so that the next lock routine's events carry the place of the region; interposed routines
// know better.
#pragma once

#include "checker/ids.hpp"

namespace fletcher::ompt {

struct LockCall {
  Address lock = 0;
  Address pc = 0;    ///< where the call returns to
  bool told = false; ///< the listeners know of it (MutexStep::releasing)
};
/// This thread's last call through an interposer.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local LockCall lock_call{};

} // namespace fletcher::ompt
