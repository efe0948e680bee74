// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime's memory of tasks whose body ended while their event is open: it dies when the event is fulfilled, where
// the runtime cannot be asked for it any more. And the place of a waiting half between its callbacks. Rare, so a lock
// will do.
#pragma once

#include "checker/ids.hpp"

#include <cstddef>
#include <omp-tools.h>

namespace fletcher::ompt {

struct Block {
  Address address = 0;
  std::size_t size = 0;
};

void remember_block(TaskId task, Block block);
/// An empty block where none is known.
Block forget_block(TaskId task);

/// The taskwait with depend, or the waiting half of an undeferred task with depend, that this thread is in. It is known
/// by its data, which stays empty: see quirks::is_waiting_half.
struct WaitingHalf {
  const ompt_data_t* data = nullptr;
  Address pc = 0;
};
[[gnu::tls_model("initial-exec")]] inline constinit thread_local WaitingHalf waiting_half{};

} // namespace fletcher::ompt
