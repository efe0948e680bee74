// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/lost_lines.hpp"

#include "lib/pass/accesses.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

/// An access to the pointer of `load`, after it, that has a line, or what uses the value; null where there is none.
const Instruction* with_line(const LoadInst& load, const DominatorTree& tree) {
  const Instruction* found = nullptr;
  for (const User* user : load.getPointerOperand()->users()) {
    const auto* access = dyn_cast<Instruction>(user);
    if (access == nullptr || access->getFunction() != load.getFunction() || !has_line(*access) ||
        getLoadStorePointerOperand(access) != load.getPointerOperand() || !tree.dominates(&load, access))
      continue;
    if (isa<StoreInst>(access)) return access;
    found = access;
  }
  if (found != nullptr) return found;
  for (const User* user : load.users())
    if (const auto* use = dyn_cast<Instruction>(user); use != nullptr && has_line(*use)) return use;
  return nullptr;
}

/// The load of what `store` changes (`e = e->next`), on the only way that leads there: of two stores that were made
/// one, in front of a loop and at its end, it is the one at the end.
const Instruction* with_line(const StoreInst& store) {
  constexpr int farthest = 256; // instructions
  const Instruction* at = &store;
  for (int steps = 0; steps < farthest; ++steps) {
    if (const Instruction* previous = at->getPrevNode())
      at = previous;
    else if (const BasicBlock* block = at->getParent()->getSinglePredecessor())
      at = block->getTerminator();
    else
      return nullptr;
    const auto* load = dyn_cast<LoadInst>(at);
    if (load != nullptr && load->getPointerOperand() == store.getPointerOperand() && has_line(*load)) return load;
  }
  return nullptr;
}

} // namespace

PreservedAnalyses LostLines::run(Function& function, FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(Attribute::SanitizeThread)) return PreservedAnalyses::all();
  const auto& tree = analyses.getResult<DominatorTreeAnalysis>(function);
  for (Instruction& instruction : instructions(function)) {
    if (isa<LoadInst, StoreInst>(instruction) && !has_line(instruction)) {
      const auto* load = dyn_cast<LoadInst>(&instruction);
      if (const Instruction* access =
              load != nullptr ? with_line(*load, tree) : with_line(cast<StoreInst>(instruction)))
        instruction.setDebugLoc(access->getDebugLoc());
    }
  }
  return PreservedAnalyses::all();
}

} // namespace fletcher::pass
