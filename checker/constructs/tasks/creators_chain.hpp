// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The chain and the strand of an undeferred task. It comes after what its creator did, and before what that does next,
// as if it were a part of it: so it goes on in its creator's chain, and in the strand that is open there, as long as it
// does nothing that ends a strand. What the creator and its other such tasks did comes before without a question, and
// is recorded already. Which of them made an access is known from the root of its stack (CallTree::part).
#pragma once

#include "checker/constructs/strand.hpp"

#include <utility>

namespace fletcher::constructs {

/// `task` begins on top of its creator. Not in a unit of work: on the same chain is what its thread did before it. And
/// not in the strand where its locks are not the creator's, or where the thread's own memory tells what that has done.
inline void borrow_chain(access::ThreadState& thread, Task& task) noexcept {
  const Task* const creator = thread.task;
  const bool takes_part = task.undeferred && task.kind == TaskKind::explicit_ && !task.untied && task.depend.empty() &&
                          creator != nullptr && creator == task.parent() && !creator->untied &&
                          creator->has_strands() && unit_of(*creator).chain != creator->chain();
  if (!takes_part) return close_strand(thread);
  Activation& now = task.now();
  const Activation& around = creator->now();
  now.chain = around.chain;
  now.last = around.last;
  now.block_left = 0;
  now.on_creators_chain = true;
  if (around.lockset != LocksetId::empty || !around.held.empty() || thread.own_memory.found) close_strand(thread);
  now.strand = thread.strand();
}

/// The creator goes on in its own strand, if that is still open; else after the last one of `task`.
inline void give_back_chain(Task& task) noexcept {
  Activation &now = task.now(), &creator = task.parent()->now();
  creator.chain = std::exchange(now.chain, ChainId::none);
  creator.strand = creator.last == now.last ? now.strand : StrandId::none;
  if (creator.last != now.last) creator.block_left = 0;
  creator.last = std::exchange(now.last, StrandId::none);
  now.on_creators_chain = false;
}

} // namespace fletcher::constructs
