// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/ended_variables.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace fletcher::pass {

namespace {

using namespace llvm;

bool calls(const Instruction& instruction, ArrayRef<StringRef> names) {
  const auto* const call = dyn_cast<CallBase>(&instruction);
  const Function* const function = call == nullptr ? nullptr : call->getCalledFunction();
  return function != nullptr && is_contained(names, function->getName());
}

bool creates_task(const Instruction& instruction) {
  return calls(instruction, {"__kmpc_omp_task", "__kmpc_omp_task_with_deps"});
}

bool waits_for_tasks(const Instruction& instruction) {
  return calls(instruction, {"__kmpc_omp_taskwait", "__kmpc_end_taskgroup", "__kmpc_barrier"});
}

/// The address is put into a structure of the function's own, as clang does with what a task uses by reference.
bool is_captured(const AllocaInst& variable) {
  return std::ranges::any_of(variable.users(), [&](const User* user) {
    const auto* const store = dyn_cast<StoreInst>(user);
    if (store == nullptr || store->getValueOperand() != &variable) return false;
    const auto* const into = dyn_cast<AllocaInst>(getUnderlyingObject(store->getPointerOperand()));
    return into != nullptr && into->getAllocatedType()->isStructTy();
  });
}

/// What runs after the creation of a task, and before anything waits for it.
class Unawaited {
public:
  explicit Unawaited(Function& function) {
    for (Instruction& instruction : instructions(function))
      if (creates_task(instruction)) follow(instruction);
  }
  bool contains(const Instruction& instruction) const { return met_.contains(&instruction); }
  bool empty() const { return met_.empty(); }

private:
  void follow(Instruction& creation) {
    SmallVector<Instruction*, 8> open{creation.getNextNode()};
    while (!open.empty()) {
      Instruction* at = open.pop_back_val();
      while (at != nullptr && met_.insert(at).second && !waits_for_tasks(*at)) {
        if (at->isTerminator())
          for (BasicBlock* next : successors(at)) open.push_back(&next->front());
        at = at->getNextNode();
      }
    }
  }
  SmallPtrSet<const Instruction*, 32> met_;
};

} // namespace

PreservedAnalyses EndedVariables::run(Function& function, FunctionAnalysisManager&) {
  const Unawaited unawaited(function);
  if (unawaited.empty()) return PreservedAnalyses::all();
  SmallVector<std::pair<Instruction*, AllocaInst*>, 4> ends;
  for (Instruction& instruction : instructions(function)) {
    auto* const end = dyn_cast<IntrinsicInst>(&instruction);
    if (end == nullptr || end->getIntrinsicID() != Intrinsic::lifetime_end || !unawaited.contains(*end)) continue;
    auto* const variable = dyn_cast<AllocaInst>(end->getArgOperand(end->arg_size() - 1)->stripPointerCasts());
    if (variable != nullptr && is_captured(*variable)) ends.emplace_back(end, variable);
  }
  const DataLayout& layout = function.getParent()->getDataLayout();
  for (const auto& [end, variable] : ends) {
    const auto size = variable->getAllocationSize(layout);
    if (!size || size->isScalable()) continue;
    IRBuilder<> builder(end);
    builder.CreateCall(function.getParent()->getOrInsertFunction("__fletcher_variable_ends", builder.getVoidTy(),
                                                                 builder.getPtrTy(), builder.getInt64Ty()),
                       {variable, builder.getInt64(size->getFixedValue())});
  }
  return ends.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace fletcher::pass
