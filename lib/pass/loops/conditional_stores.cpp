// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/loops/conditional_stores.hpp"

#include "lib/pass/llvm_versions.hpp"
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace fletcher::pass {

namespace {

using namespace llvm;

constexpr StringLiteral mark = "fletcher.conditional_store", awaits = "fletcher-awaits-inlining";

/// Wherever the loop's body begins it comes to the block, before it can end. (That the loop may not be entered at all
/// is said by a condition around it.)
bool always_executed(const BasicBlock* block, const Loop& loop, const DominatorTree& tree) {
  const BasicBlock* const latch = loop.getLoopLatch();
  if (latch == nullptr || !tree.dominates(block, latch)) return false;
  SmallVector<BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  return all_of(exiting, [&](const BasicBlock* exit) {
    return exit == loop.getHeader() || tree.dominates(block, exit); // the header's condition becomes that around it
  });
}

bool is_private(const Value* address) {
  const Value* const object = getUnderlyingObject(address);
  return isa<AllocaInst>(object) && !may_be_captured(*object);
}

/// The same address in all iterations, also where it is made anew in each.
bool is_invariant(const Value* address, const Loop& loop) {
  if (loop.isLoopInvariant(address)) return true;
  const auto* const element = dyn_cast<GetElementPtrInst>(address);
  return element != nullptr && is_invariant(element->getPointerOperand(), loop) &&
         all_of(element->indices(), [&](const Use& index) { return loop.isLoopInvariant(index); });
}

bool hold_in(const Loop& loop, const LoopInfo& loops, const DominatorTree& tree) {
  SmallVector<StoreInst*, 8> conditional;
  SmallPtrSet<const Value*, 8> written_always;
  for (BasicBlock* block : loop.blocks()) {
    const bool of_inner = loops.getLoopFor(block) != &loop;
    for (Instruction& instruction : *block) {
      auto* const store = dyn_cast<StoreInst>(&instruction);
      if (store == nullptr || !store->isSimple() || !is_invariant(store->getPointerOperand(), loop)) continue;
      // An inner loop may well keep the function's own variable in a register: reductions are made in such.
      if (of_inner && isa<AllocaInst>(getUnderlyingObject(store->getPointerOperand()))) continue;
      if (always_executed(block, loop, tree))
        written_always.insert(store->getPointerOperand());
      else
        conditional.push_back(store);
    }
  }
  bool changed = false;
  for (StoreInst* store : conditional) {
    if (written_always.contains(store->getPointerOperand()) || is_private(store->getPointerOperand())) continue;
    store->setVolatile(true);
    store->setMetadata(mark, MDNode::get(store->getContext(), {}));
    changed = true;
  }
  return changed;
}

} // namespace

PreservedAnalyses AwaitInlining::run(Function& function, FunctionAnalysisManager&) {
  function.addFnAttr(awaits);
  return PreservedAnalyses::all();
}

PreservedAnalyses HoldConditionalStores::run(Function& function, FunctionAnalysisManager& analyses) {
  if (function.hasFnAttribute(awaits)) {
    function.removeFnAttr(awaits);
    return PreservedAnalyses::all();
  }
  if (!function.hasFnAttribute(Attribute::SanitizeThread)) return PreservedAnalyses::all();
  const auto& loops = analyses.getResult<LoopAnalysis>(function);
  const auto& tree = analyses.getResult<DominatorTreeAnalysis>(function);
  bool changed = false;
  for (const Loop* loop : loops.getLoopsInPreorder()) changed |= hold_in(*loop, loops, tree);
  if (!changed) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

PreservedAnalyses ReleaseConditionalStores::run(Function& function, FunctionAnalysisManager&) {
  for (Instruction& instruction : instructions(function))
    if (auto* const store = dyn_cast<StoreInst>(&instruction); store != nullptr && store->hasMetadata(mark)) {
      store->setVolatile(false);
      store->setMetadata(mark, nullptr);
    }
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace fletcher::pass
