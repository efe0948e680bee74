// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The task that this thread executes, without a look into the table of all.
#pragma once

#include "lib/annotate/records.hpp"

namespace fletcher::annotate {

/// The record is in the table for as long.
struct Running {
  TaskId id = TaskId::none;
  Task* task = nullptr;
};
[[gnu::tls_model("initial-exec")]] inline constinit thread_local Running running{};

} // namespace fletcher::annotate
