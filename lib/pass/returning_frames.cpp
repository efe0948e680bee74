// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/returning_frames.hpp"

#include "lib/pass/task_pointers.hpp"

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
#include <optional>

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
      if (auto* const from = dyn_cast<AllocaInst>(getUnderlyingObject(load->getPointerOperand(), 0)))
        from->getAllocatedType()->isPointerTy() ? add_content(*from) : add_members(*from);
    } else if (isa<Argument>(value)) {
      arguments_ = true;
    }
  }
  /// Of a pointer variable.
  void add_content(AllocaInst& variable) {
    if (!variable.getAllocatedType()->isPointerTy()) return;
    for (User* user : variable.users())
      if (auto* const store = dyn_cast<StoreInst>(user); store != nullptr && store->getPointerOperand() == &variable)
        add(store->getValueOperand());
  }
  /// Of a variable that holds pointers, by code that stores some there.
  void add_members(AllocaInst& variable) {
    if (!holders_.insert(&variable).second) return;
    SmallVector<Value*, 8> open{&variable};
    while (!open.empty())
      for (User* user : open.pop_back_val()->users())
        if (auto* const store = dyn_cast<StoreInst>(user))
          add(store->getValueOperand());
        else if (auto* const copy = dyn_cast<MemCpyInst>(user))
          add_members_of(getUnderlyingObject(copy->getRawSource()));
        else if (isa<GetElementPtrInst>(user))
          open.push_back(user);
  }
  /// Of what is at an address.
  void add_members_of(Value* address) {
    if (auto* const variable = dyn_cast<AllocaInst>(address))
      add_members(*variable);
    else
      add(address);
  }
  /// They may be addresses that the function was given.
  bool contain_arguments() const { return arguments_; }
  bool contain(AllocaInst* variable) const { return variables_.contains(variable); }

private:
  SmallPtrSet<Value*, 16> met_;
  SmallPtrSet<AllocaInst*, 8> variables_, holders_;
  bool arguments_ = false;
};

/// The call that got the memory of a task that is being created; null where it is other memory.
CallBase* task_of(Value* object) {
  if (auto* load = dyn_cast<LoadInst>(object)) object = getUnderlyingObject(load->getPointerOperand());
  auto* const call = dyn_cast<CallBase>(object);
  return call != nullptr && calls(*call, {"__kmpc_omp_task_alloc"}) ? call : nullptr;
}

/// What a function stores in the memory of a task that it creates, and may be or have a variable's address.
struct Kept {
  Instruction* store;
  Value* into;
  CallBase* task;
  Origins variables;
  std::uint64_t size;
};

std::optional<Kept> kept_by(Instruction& instruction) {
  Kept kept{&instruction, nullptr, nullptr, {}, 0};
  if (auto* const store = dyn_cast<StoreInst>(&instruction);
      store && store->getValueOperand()->getType()->isPointerTy()) {
    kept.into = store->getPointerOperand();
    kept.task = task_of(getUnderlyingObject(kept.into));
    kept.size = 8;
    if (kept.task != nullptr) kept.variables.add(store->getValueOperand());
  } else if (auto* const copy = dyn_cast<MemCpyInst>(&instruction); copy && isa<ConstantInt>(copy->getLength())) {
    kept.into = copy->getRawDest();
    kept.task = task_of(getUnderlyingObject(kept.into));
    kept.size = cast<ConstantInt>(copy->getLength())->getZExtValue();
    if (kept.task != nullptr) kept.variables.add_members_of(getUnderlyingObject(copy->getRawSource()));
  }
  return kept.task == nullptr ? std::nullopt : std::optional(std::move(kept));
}

/// The task goes where pointers point that it has a copy of there.
bool is_used(const Kept& kept, const DataLayout& layout) {
  auto* const entry = dyn_cast<Function>(kept.task->getArgOperand(5));
  APInt offset(64, 0);
  return entry != nullptr && !entry->isDeclaration() &&
         kept.into->stripAndAccumulateConstantOffsets(layout, offset, true) == kept.task &&
         TaskPointers(*entry).are_used(offset.getZExtValue());
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

/// The library looks in the copy for addresses in these bytes.
void tell_kept(const Kept& copy, IRBuilder<>& builder, Value* begin, Value* size) {
  Type* const pointer = builder.getPtrTy();
  Type* const number = builder.getInt64Ty();
  const FunctionCallee keeps = copy.store->getModule()->getOrInsertFunction(
      "__fletcher_task_keeps", builder.getVoidTy(), pointer, pointer, number, pointer, number);
  builder.CreateCall(keeps, {copy.task, copy.into, builder.getInt64(copy.size), begin, size});
}

void tell_kept(const Kept& copy, AllocaInst& variable, const std::optional<Made>& made) {
  IRBuilder<> builder(copy.store->getNextNode());
  if (made)
    tell_kept(copy, builder, builder.CreateLoad(builder.getPtrTy(), made->address),
              builder.CreateLoad(builder.getInt64Ty(), made->size));
  else if (const auto size = variable.getAllocationSize(variable.getModule()->getDataLayout());
           size && !size->isScalable())
    tell_kept(copy, builder, &variable, builder.getInt64(size->getFixedValue()));
}

/// Whose variable it is, a caller of the function knows: the library is to look for any in the stack.
void tell_kept_of_callers(const Kept& copy) {
  IRBuilder<> builder(copy.store->getNextNode());
  tell_kept(copy, builder, ConstantPointerNull::get(builder.getPtrTy()), builder.getInt64(0));
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

// A function that is met again meanwhile is a recursion: what it leaves, another call in it shows.
bool ReturningFrames::leaves_tasks(Function& function) {
  if (const auto [known, added] = leaves_tasks_.try_emplace(&function, false); !added) return known->second;
  if (function.isDeclaration() || function.isPresplitCoroutine()) return false;
  Reached unawaited;
  for (Instruction& instruction : instructions(function))
    if (creates_task(instruction) || calls_leaving(instruction))
      unawaited.follow(instruction, [](const Instruction& i) { return waits_for_all(i) || waits_for_children(i); });
  bool leaves = false;
  for (Instruction& instruction : instructions(function))
    leaves = leaves || (isa<ReturnInst>(instruction) && unawaited.contains(instruction));
  return leaves_tasks_[&function] = leaves;
}

bool ReturningFrames::calls_leaving(Instruction& instruction) {
  auto* const call = dyn_cast<CallBase>(&instruction);
  return call != nullptr && call->getCalledFunction() != nullptr && leaves_tasks(*call->getCalledFunction());
}

PreservedAnalyses ReturningFrames::run(Function& function, FunctionAnalysisManager&) {
  // A coroutine returns when it is suspended, and keeps its variables.
  if (!function.hasFnAttribute(Attribute::SanitizeThread) || function.isPresplitCoroutine())
    return PreservedAnalyses::all();
  Reached unfinished, unawaited;     // descendants of the function's task; its children
  SmallVector<CallBase*, 4> leaving; // calls that leave tasks
  for (Instruction& instruction : instructions(function))
    if (const bool creates = creates_task(instruction); creates || calls_leaving(instruction)) {
      if (creates)
        unfinished.follow(instruction, waits_for_all);
      else
        leaving.push_back(cast<CallBase>(&instruction));
      unawaited.follow(instruction, [](const Instruction& i) { return waits_for_all(i) || waits_for_children(i); });
    }
  if (unawaited.empty()) return PreservedAnalyses::all();
  Origins kept; // by pointers that tasks have
  for (CallBase* call : leaving)
    for (Value* argument : call->args())
      if (argument->getType()->isPointerTy()) {
        kept.add(argument);
        kept.add_members_of(getUnderlyingObject(argument));
      }
  SmallVector<Kept, 4> copies;
  SmallVector<ReturnInst*, 4> returns;
  SmallVector<AllocaInst*, 4> variables;
  for (Instruction& instruction : instructions(function)) {
    if (auto* end = dyn_cast<ReturnInst>(&instruction); end && (unfinished.contains(*end) || unawaited.contains(*end)))
      returns.push_back(end);
    else if (std::optional<Kept> copy = kept_by(instruction))
      copies.push_back(*std::move(copy));
    else if (auto* variable = dyn_cast<AllocaInst>(&instruction)) {
      variables.push_back(variable);
      if (is_captured(*variable)) kept.add_content(*variable);
    }
  }
  llvm::erase_if(variables, [&](AllocaInst* one) {
    return !is_captured(*one) && !kept.contain(one) &&
           llvm::none_of(copies, [&](const Kept& copy) { return copy.variables.contain(one); });
  });
  Module& module = *function.getParent();
  SmallVector<Made, 2> of_any_size;
  SmallVector<const Kept*, 4> used;
  for (const Kept& copy : copies)
    if (is_used(copy, module.getDataLayout())) used.push_back(&copy);
  for (const Kept* copy : used)
    if (copy->variables.contain_arguments()) tell_kept_of_callers(*copy);
  if (returns.empty() || variables.empty()) return used.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
  for (AllocaInst* variable : variables) {
    std::optional<Made> made;
    if (!variable->isStaticAlloca()) made = of_any_size.emplace_back(remember_last(*variable));
    for (const Kept* copy : used)
      if (copy->variables.contain(variable)) tell_kept(*copy, *variable, made);
  }
  bool changed = !of_any_size.empty() || !used.empty();
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
