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

/// But not for the tasks that these have created.
bool waits_for_children(const Instruction& instruction) { return calls(instruction, {"__kmpc_omp_taskwait"}); }

bool waits_for_all(const Instruction& instruction) {
  return calls(instruction, {"__kmpc_end_taskgroup", "__kmpc_barrier"});
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

/// What runs after certain instructions, and before others.
class Reached {
public:
  bool contains(const Instruction& instruction) const { return met_.contains(&instruction); }
  bool empty() const { return met_.empty(); }

  /// What runs after `from`, up to where `ends` holds.
  template <class Ends> void follow(Instruction& from, Ends ends) {
    SmallVector<Instruction*, 8> open{from.getNextNode()};
    while (!open.empty()) {
      Instruction* at = open.pop_back_val();
      while (at != nullptr && met_.insert(at).second && !ends(*at)) {
        if (at->isTerminator())
          for (BasicBlock* next : successors(at)) open.push_back(&next->front());
        at = at->getNextNode();
      }
    }
  }

private:
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
  Reached unfinished, unawaited; // descendants of the function's task; its children
  for (Instruction& instruction : instructions(function))
    if (creates_task(instruction)) {
      unfinished.follow(instruction, waits_for_all);
      unawaited.follow(instruction, [](const Instruction& i) { return waits_for_all(i) || waits_for_children(i); });
    }
  if (unfinished.empty()) return PreservedAnalyses::all();
  SmallVector<ReturnInst*, 4> returns;
  SmallVector<AllocaInst*, 4> captured;
  for (Instruction& instruction : instructions(function)) {
    if (auto* end = dyn_cast<ReturnInst>(&instruction); end != nullptr && unfinished.contains(*end))
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
    const char* const name = unawaited.contains(*end) ? "__fletcher_frame_returns" : "__fletcher_frame_returns_awaited";
    for (AllocaInst* variable : captured) {
      const auto size = variable->getAllocationSize(module.getDataLayout());
      if (!size || size->isScalable()) continue;
      builder.CreateCall(
          module.getOrInsertFunction(name, builder.getVoidTy(), builder.getPtrTy(), builder.getInt64Ty()),
          {variable, builder.getInt64(size->getFixedValue())});
      changed = true;
    }
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace fletcher::pass
