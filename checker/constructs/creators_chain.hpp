// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The chain of an undeferred task. It comes after what its creator did, and before what that does next, as if it were a
// part of it: so it goes on in its creator's chain, and what the creator and its other such tasks did comes before
// without a question.
#pragma once

#include "checker/constructs/strand.hpp"

#include <utility>

namespace fletcher::constructs {

/// Not in a unit of work: on the same chain is what its thread did before it.
inline void borrow_chain(access::ThreadState& thread, Task& task) noexcept {
  const Task* const creator = thread.task;
  const bool takes_part = task.undeferred && task.kind == TaskKind::explicit_ && !task.untied && task.depend.empty() &&
                          creator != nullptr && creator == task.parent() && !creator->untied &&
                          creator->has_strands() && unit_of(*creator).chain != creator->chain();
  if (!takes_part) return;
  Activation& now = task.now();
  now.chain = creator->now().chain;
  now.last = creator->now().last;
  now.block_left = 0;
  now.on_creators_chain = true;
}

inline void give_back_chain(Task& task) noexcept {
  Activation &now = task.now(), &creator = task.parent()->now();
  creator.chain = std::exchange(now.chain, ChainId::none);
  creator.last = std::exchange(now.last, StrandId::none);
  creator.block_left = 0;
  now.on_creators_chain = false;
}

} // namespace fletcher::constructs
