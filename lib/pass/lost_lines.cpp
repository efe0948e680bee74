// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/lost_lines.hpp"

#include "lib/pass/accesses.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/DebugInfoMetadata.h>
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

/// The line of a target construct, by the name of its region: ".__omp_offloading_<file>_<function>_l<line>.region_id".
unsigned line_of_region(StringRef name) {
  const std::size_t at = name.consume_back(".region_id") ? name.rfind("_l") : StringRef::npos;
  unsigned line = 0;
  return at == StringRef::npos || name.substr(at + 2).take_while(isDigit).getAsInteger(10, line) ? 0 : line;
}

void give_line(CallBase& call) {
  const Function* const callee = call.getCalledFunction();
  DISubprogram* const scope = call.getFunction()->getSubprogram();
  if (callee == nullptr || scope == nullptr || callee->getName() != "__tgt_target_kernel") return;
  constexpr unsigned region = 4;
  if (call.arg_size() <= region) return;
  if (const unsigned line = line_of_region(call.getArgOperand(region)->stripPointerCasts()->getName()); line != 0)
    call.setDebugLoc(DILocation::get(call.getContext(), line, 0, scope));
}

} // namespace

PreservedAnalyses LostLines::run(Function& function, FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(Attribute::SanitizeThread)) return PreservedAnalyses::all();
  const auto& tree = analyses.getResult<DominatorTreeAnalysis>(function);
  for (Instruction& instruction : instructions(function)) {
    if (auto* const call = dyn_cast<CallBase>(&instruction); call != nullptr && !has_line(*call)) give_line(*call);
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
