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

/// What the loads, sums and choices of a value go back to, through the function's own pointer variables: the variables
/// whose addresses it may be.
class Origins {
public:
  void add(Value* value) {
    value = getUnderlyingObject(value, 0);
    if (!met_.insert(value).second) return;
    if (auto* const variable = dyn_cast<AllocaInst>(value)) {
      variables_.insert(variable);
    } else if (auto* const choice = dyn_cast<PHINode>(value)) {
      for (Value* one : choice->incoming_values()) add(one);
    } else if (auto* const select = dyn_cast<SelectInst>(value)) {
      add(select->getTrueValue());
      add(select->getFalseValue());
    } else if (auto* const load = dyn_cast<LoadInst>(value)) {
      if (auto* const from = dyn_cast<AllocaInst>(load->getPointerOperand())) add_content(*from);
    }
  }
  /// Of a pointer variable.
  void add_content(AllocaInst& variable) {
    if (!variable.getAllocatedType()->isPointerTy()) return;
    for (User* user : variable.users())
      if (auto* const store = dyn_cast<StoreInst>(user); store != nullptr && store->getPointerOperand() == &variable)
        add(store->getValueOperand());
  }
  bool contain(AllocaInst* variable) const { return variables_.contains(variable); }

private:
  SmallPtrSet<Value*, 16> met_;
  SmallPtrSet<AllocaInst*, 8> variables_;
};

/// The memory of a task that is being created.
bool is_task(const Value* object) {
  if (const auto* load = dyn_cast<LoadInst>(object)) object = getUnderlyingObject(load->getPointerOperand());
  const auto* const call = dyn_cast<CallBase>(object);
  return call != nullptr && calls(*call, {"__kmpc_omp_task_alloc"});
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

/// A variable whose size is known when the function runs, as it was when it was made last; 0 bytes where it was not.
struct Made {
  AllocaInst *address, *size;
};

Made remember_last(AllocaInst& variable) {
  IRBuilder<> entry(&*variable.getFunction()->getEntryBlock().getFirstInsertionPt());
  const Made made{entry.CreateAlloca(entry.getPtrTy()), entry.CreateAlloca(entry.getInt64Ty())};
  entry.CreateStore(ConstantPointerNull::get(entry.getPtrTy()), made.address);
  entry.CreateStore(entry.getInt64(0), made.size);
  IRBuilder<> behind(variable.getNextNode());
  const DataLayout& layout = variable.getModule()->getDataLayout();
  const std::uint64_t element = layout.getTypeAllocSize(variable.getAllocatedType()).getKnownMinValue();
  Value* const count = behind.CreateZExtOrTrunc(variable.getArraySize(), behind.getInt64Ty());
  behind.CreateStore(&variable, made.address);
  behind.CreateStore(behind.CreateMul(count, behind.getInt64(element)), made.size);
  return made;
}

/// In front of a return and of what the compiler ends there. None where a call takes the frame's place.
Instruction* before_return(ReturnInst& end) {
  if (end.getParent()->getTerminatingMustTailCall() != nullptr) return nullptr;
  Instruction* at = &end;
  while (Instruction* previous = at->getPrevNode()) {
    const auto* call = dyn_cast<IntrinsicInst>(previous);
    const bool ends = call != nullptr && (call->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(call) ||
                                          call->getIntrinsicID() == Intrinsic::stackrestore);
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
  Origins kept; // by pointers that tasks have
  SmallVector<ReturnInst*, 4> returns;
  SmallVector<AllocaInst*, 4> variables;
  for (Instruction& instruction : instructions(function)) {
    if (auto* end = dyn_cast<ReturnInst>(&instruction); end != nullptr && unfinished.contains(*end))
      returns.push_back(end);
    else if (auto* store = dyn_cast<StoreInst>(&instruction);
             store != nullptr && is_task(getUnderlyingObject(store->getPointerOperand())))
      kept.add(store->getValueOperand());
    else if (auto* variable = dyn_cast<AllocaInst>(&instruction)) {
      variables.push_back(variable);
      if (is_captured(*variable)) kept.add_content(*variable);
    }
  }
  llvm::erase_if(variables, [&](AllocaInst* one) { return !is_captured(*one) && !kept.contain(one); });
  if (returns.empty() || variables.empty()) return PreservedAnalyses::all();
  SmallVector<Made, 2> of_any_size;
  for (AllocaInst* variable : variables)
    if (!variable->isStaticAlloca()) of_any_size.push_back(remember_last(*variable));
  Module& module = *function.getParent();
  bool changed = !of_any_size.empty();
  for (ReturnInst* end : returns) {
    Instruction* const at = before_return(*end);
    if (at == nullptr) continue;
    IRBuilder<> builder(at);
    builder.SetCurrentDebugLocation(end->getDebugLoc());
    const FunctionCallee returned = module.getOrInsertFunction(
        unawaited.contains(*end) ? "__fletcher_frame_returns" : "__fletcher_frame_returns_awaited", builder.getVoidTy(),
        builder.getPtrTy(), builder.getInt64Ty());
    for (AllocaInst* variable : variables) {
      const auto size = variable->getAllocationSize(module.getDataLayout());
      if (!variable->isStaticAlloca() || !size || size->isScalable()) continue;
      builder.CreateCall(returned, {variable, builder.getInt64(size->getFixedValue())});
      changed = true;
    }
    for (const Made& made : of_any_size)
      builder.CreateCall(returned, {builder.CreateLoad(builder.getPtrTy(), made.address),
                                    builder.CreateLoad(builder.getInt64Ty(), made.size)});
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace fletcher::pass
