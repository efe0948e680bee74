// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/initialised_copies.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

/// Clang's function(copy, original). The parameters are stored to their slots first.
bool reads_original(const Function& function) {
  if (!function.getName().starts_with(".omp_initializer.") || function.arg_size() != 2) return false;
  return any_of(function.getArg(1)->users(), [](const User* user) {
    const auto* store = dyn_cast<StoreInst>(user);
    return store == nullptr || any_of(store->getPointerOperand()->users(),
                                      [](const User* other) { return isa<LoadInst>(other) && !other->use_empty(); });
  });
}

} // namespace

PreservedAnalyses InitialisedCopies::run(Module& module, ModuleAnalysisManager&) {
  bool changed = false;
  for (Function& function : module) {
    if (function.isDeclaration() || !reads_original(function)) continue;
    const auto call = [&](StringRef name, Instruction& before) {
      IRBuilder<> builder(&before);
      builder.CreateCall(module.getOrInsertFunction(name, builder.getVoidTy()));
    };
    for (Instruction& instruction : instructions(function))
      if (isa<ReturnInst, ResumeInst>(instruction)) call("fletcher_ignore_end", instruction);
    call("fletcher_ignore_begin", *function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace fletcher::pass
