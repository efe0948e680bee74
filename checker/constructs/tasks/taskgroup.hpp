// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What of finished tasks waits to be waited for, and the taskgroups that do.
#pragma once

#include "checker/memory/spin_lock.hpp"
#include "checker/order/chains.hpp"
#include "checker/order/gathered.hpp"

#include <memory>

namespace fletcher::constructs {

struct Task;

/// The ends of finished tasks that some construct will wait for: a taskwait, a taskgroup's end or a barrier.
struct Ended {
  order::ChainList chains;
  order::Gathered knowledge; ///< what those tasks know beyond what their waiter knows anyway

  bool empty() const noexcept { return chains.empty() && knowledge.empty(); }
};

struct Taskgroup {
  Task* owner = nullptr;
  std::unique_ptr<Taskgroup> outer; ///< the next one that the same task is in
  Taskgroup* inherited = nullptr;   ///< the group that the owner itself belongs to
  memory::SpinLock lock;
  Ended direct; ///< the owner's own children: a taskwait joins them too
  Ended deep;   ///< further descendants
};

} // namespace fletcher::constructs
