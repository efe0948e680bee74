// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/returning_frames.hpp"

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

/// In front of a return and of what the compiler ends there. None where a call takes the frame's place.
Instruction* before_return(ReturnInst& end) {
  if (end.getParent()->getTerminatingMustTailCall() != nullptr) return nullptr;
  Instruction* at = &end;
  while (Instruction* previous = at->getPrevNode()) {
    const auto* call = dyn_cast<IntrinsicInst>(previous);
    const bool ends = call != nullptr && (call->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(call));
    if (!ends && !isa<LoadInst>(previous)) break;
    at = previous;
  }
  return at;
}

} // namespace

PreservedAnalyses ReturningFrames::run(Function& function, FunctionAnalysisManager&) {
  // A coroutine returns when it is suspended, and keeps its variables.
  if (!function.hasFnAttribute(Attribute::SanitizeThread) || function.isPresplitCoroutine())
    return PreservedAnalyses::all();
  const Unawaited unawaited(function);
  if (unawaited.empty()) return PreservedAnalyses::all();
  SmallVector<ReturnInst*, 4> returns;
  SmallVector<AllocaInst*, 4> captured;
  for (Instruction& instruction : instructions(function)) {
    if (auto* end = dyn_cast<ReturnInst>(&instruction); end != nullptr && unawaited.contains(*end))
      returns.push_back(end);
    else if (auto* variable = dyn_cast<AllocaInst>(&instruction);
             variable != nullptr && variable->isStaticAlloca() && is_captured(*variable))
      captured.push_back(variable);
  }
  Module& module = *function.getParent();
  bool changed = false;
  for (ReturnInst* end : returns) {
    Instruction* const at = before_return(*end);
    if (at == nullptr) continue;
    IRBuilder<> builder(at);
    builder.SetCurrentDebugLocation(end->getDebugLoc());
    for (AllocaInst* variable : captured) {
      const auto size = variable->getAllocationSize(module.getDataLayout());
      if (!size || size->isScalable()) continue;
      builder.CreateCall(module.getOrInsertFunction("__fletcher_frame_returns", builder.getVoidTy(), builder.getPtrTy(),
                                                    builder.getInt64Ty()),
                         {variable, builder.getInt64(size->getFixedValue())});
      changed = true;
    }
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace fletcher::pass
