// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/loops/quiet_loops.hpp"

#include "lib/pass/synchronisation.hpp"

#include <llvm/Analysis/ValueTracking.h>

namespace fletcher::pass {

using namespace llvm;

QuietLoops::Kind QuietLoops::kind(const Loop& loop) {
  if (const auto known = kinds_.find(&loop); known != kinds_.end()) return known->second;
  const Kind found = find_kind(loop);
  kinds_[&loop] = found;
  return found;
}

namespace {

template <class Predicate> bool has(const Loop& loop, Predicate predicate) {
  return any_of(loop.blocks(), [&](const BasicBlock* block) { return any_of(*block, predicate); });
}
bool is_atomic(const Instruction& instruction) { return instruction.isAtomic(); }

} // namespace

QuietLoops::Kind QuietLoops::find_kind(const Loop& loop) {
  // An endless loop is allowed to C where its condition is constant, and where it has atomic operations, by which it
  // may wait for others; what comes after it would never be accessed.
  const bool countable = evolution_.hasLoopInvariantBackedgeTakenCount(&loop);
  Kind result = countable || (isMustProgress(&loop) && !has(loop, is_atomic)) ? Kind::quiet : Kind::silent;
  for (const Loop* inner : loop) result = std::min(result, kind(*inner));
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block)
      if (may_synchronise(instruction) || !isGuaranteedToTransferExecutionToSuccessor(&instruction)) return Kind::loud;
  return result;
}

bool QuietLoops::is_silent(const Loop& loop) { return kind(loop) != Kind::loud; }

bool QuietLoops::is_quiet(const Loop& loop) { return kind(loop) == Kind::quiet; }

bool QuietLoops::can_check_at_exits(const Loop& loop) {
  if (!loop.isLoopSimplifyForm() || has(loop, is_read_modify_write)) return false;
  SmallVector<BasicBlock*, 4> exits;
  loop.getUniqueExitBlocks(exits);
  constexpr std::size_t most_exits = 4; // each has all checks
  return !exits.empty() && exits.size() <= most_exits &&
         none_of(exits, [](const BasicBlock* exit) { return exit->isEHPad(); });
}

std::optional<Executions> QuietLoops::executions(const Loop& loop, const BasicBlock& block) const {
  SmallVector<BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  const BasicBlock* const latch = loop.getLoopLatch();
  if (exiting.empty() || latch == nullptr || !dominators_.dominates(&block, latch)) return std::nullopt;
  const SCEV* const repeated = evolution_.getBackedgeTakenCount(&loop);
  const bool countable = !isa<SCEVCouldNotCompute>(repeated);
  Type* const wide = Type::getInt64Ty(block.getContext());
  const SCEV* const backedges = countable ? evolution_.getTruncateOrZeroExtend(repeated, wide) : nullptr;
  // Each iteration gets to the block before it can leave the loop: also the last one.
  if (all_of(exiting, [&](const BasicBlock* exit) { return dominators_.dominates(&block, exit); }))
    return Executions{countable ? evolution_.getAddExpr(backedges, evolution_.getOne(wide)) : nullptr, false};
  // The last iteration leaves before.
  if (exiting.size() == 1 && countable && exiting.front() != &block && dominators_.dominates(exiting.front(), &block))
    return Executions{backedges, true};
  return std::nullopt;
}

} // namespace fletcher::pass
