// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/doubts/doubts.hpp"

#include "lib/pass/doubts/counters.hpp"
#include "lib/pass/doubts/flow.hpp"
#include "lib/pass/doubts/kept_inside.hpp"
#include "lib/pass/doubts/lock_sections.hpp"
#include "lib/pass/doubts/locked_updates.hpp"
#include "lib/pass/doubts/promoted_copy.hpp"
#include "lib/pass/needless/checked.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

namespace fletcher::pass {

using namespace llvm;

namespace {

/// An exception that arrives there ends the program.
bool terminates(const BasicBlock& block) {
  return any_of(block, [](const Instruction& i) {
    const auto* const call = dyn_cast<CallBase>(&i);
    return call != nullptr && call->getCalledFunction() != nullptr &&
           call->getCalledFunction()->getName() == "__clang_call_terminate";
  });
}

/// No routine of OpenMP throws, and nothing that prints by C's functions. Headers do not say so: in C++ code that is
/// not optimised each is invoked, with a way that an exception would go.
bool call_what_returns(Module& module) {
  SmallVector<InvokeInst*> invoked;
  for (Function& function : module) {
    if (!function.hasFnAttribute(Attribute::SanitizeThread)) continue;
    for (BasicBlock& block : function) {
      auto* const invoke = dyn_cast<InvokeInst>(block.getTerminator());
      const Function* const callee = invoke == nullptr ? nullptr : invoke->getCalledFunction();
      if (callee == nullptr || !callee->isDeclaration()) continue;
      const bool prints = only_prints(static_cast<const Instruction&>(*invoke)) && !callee->getName().starts_with("_Z");
      if (callee->getName().starts_with("omp_") || (prints && terminates(*invoke->getUnwindDest())))
        invoked.push_back(invoke);
    }
  }
  for (InvokeInst* invoke : invoked) changeToCall(invoke);
  return !invoked.empty();
}

// Numbers of threads.

bool is_only_printed(const Flow& flow) {
  return !flow.leaves && flow.exchanges.empty() &&
         all_of(flow.calls, [](const CallBase* call) { return only_prints(static_cast<const Instruction&>(*call)); }) &&
         decides_only(flow, [](const Instruction& i) { return only_prints(i); });
}

void insert_asking(IRBuilder<>& builder) {
  Module& module = *builder.GetInsertBlock()->getModule();
  builder.CreateCall(module.getOrInsertFunction("__fletcher_asked_thread_num", builder.getVoidTy()));
}

bool ask_later(CallInst& number) {
  const Flow flow = flow_of(number);
  if (!is_only_printed(flow)) return false;
  // Who reads what was stored may find out by it whose it is.
  for (StoreInst* store : flow.stores) {
    IRBuilder<> builder(store->getNextNode());
    builder.SetCurrentDebugLocation(store->getDebugLoc());
    insert_asking(builder);
  }
  number.setCalledFunction(
      number.getModule()->getOrInsertFunction("__fletcher_get_thread_num", number.getFunctionType()));
  return true;
}

/// Nobody counts on a number of threads that is only printed. The size of the team is asked for under another name
/// otherwise: gcc's code asks for it in every static loop, so the library leaves that function alone.
bool only_print(CallInst& number) {
  const Flow flow = flow_of(number);
  const bool printed = is_only_printed(flow) && flow.stores.empty();
  const bool of_team = called_name(number) == "omp_get_num_threads";
  if (!printed && !of_team) return false;
  const char* const name = !printed  ? "__fletcher_ask_num_threads"
                           : of_team ? "__fletcher_get_num_threads"
                                     : "__fletcher_get_max_threads";
  number.setCalledFunction(number.getModule()->getOrInsertFunction(name, number.getFunctionType()));
  return true;
}

/// The place of a thread-local variable tells threads apart as a number does; accesses of it are reported anyway.
bool is_kept(const IntrinsicInst& address) {
  return any_of(address.uses(), [](const Use& use) {
    const auto* store = dyn_cast<StoreInst>(use.getUser());
    const auto* compare = dyn_cast<ICmpInst>(use.getUser());
    return (store != nullptr && use.getOperandNo() != StoreInst::getPointerOperandIndex()) ||
           (compare != nullptr && !isa<Constant>(compare->getOperand(1))) ||
           isa<PtrToIntInst, ReturnInst>(use.getUser());
  });
}

bool ask_by_address(IntrinsicInst& address) {
  if (!is_kept(address)) return false;
  IRBuilder<> builder(address.getNextNode());
  builder.SetCurrentDebugLocation(address.getDebugLoc());
  insert_asking(builder);
  return true;
}

// Sections of locks.

void tell_section(CallBase& call, const char* what) {
  IRBuilder<> builder(&call);
  const FunctionCallee told = call.getModule()->getOrInsertFunction(what, builder.getVoidTy(), builder.getInt32Ty());
  builder.CreateCall(told, {builder.getInt32(1)});
  auto* const invoke = dyn_cast<InvokeInst>(&call);
  builder.SetInsertPoint(invoke == nullptr ? call.getNextNode() : &*invoke->getNormalDest()->getFirstInsertionPt());
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  builder.CreateCall(told, {builder.getInt32(0)});
}

using Told = const char*; ///< the function that says what a section does; null where nothing is known

SmallVector<Told> what_sections_do(Module& module, ArrayRef<CallBase*> locks) {
  SmallVector<Told> told(locks.size(), nullptr);
  SmallVector<SectionBody, 4> bodies;
  SmallVector<std::size_t> updating;
  for (auto&& [i, lock] : enumerate(locks)) {
    auto* const simple = dyn_cast<CallInst>(lock);
    if (auto body = simple != nullptr ? only_updates(*simple) : std::nullopt) {
      bodies.push_back(std::move(*body));
      updating.push_back(i);
    } else if (keeps_inside(*lock)) {
      told[i] = "__fletcher_keeps_inside";
    }
  }
  const CountingStores counting = counting_stores(module, bodies);
  for (const auto [i, body] : zip(updating, bodies))
    told[i] = only_counts(body, counting) ? "__fletcher_only_counts" : "__fletcher_only_updates";
  return told;
}

SmallVector<Told> what_sections_do(Module& module, ArrayRef<CallBase*> locks, bool optimised) {
  if (optimised || locks.empty()) return what_sections_do(module, locks);
  PromotedCopy copy(module);
  SmallVector<CallBase*> copies;
  for (const CallBase* lock : locks) copies.push_back(&copy.of(*lock));
  return what_sections_do(copy.module(), copies);
}

bool tell_sections(Module& module, ArrayRef<CallBase*> locks, bool optimised) {
  bool changed = false;
  for (const auto [lock, told] : zip(locks, what_sections_do(module, locks, optimised))) {
    if (told == nullptr) continue;
    tell_section(*lock, told);
    changed = true;
  }
  return changed;
}

// Thread-local memory.

/// The accesses of the variable, if there are no others and nobody gets its address.
std::optional<SmallVector<Instruction*>> all_accesses(GlobalVariable& variable) {
  SmallVector<Instruction*> accesses;
  const auto is_access = [&](User* user, const Value& address) {
    const auto* load = dyn_cast<LoadInst>(user);
    const auto* store = dyn_cast<StoreInst>(user);
    if (!(load != nullptr && load->isSimple()) &&
        !(store != nullptr && store->isSimple() && store->getValueOperand() != &address))
      return false;
    accesses.push_back(cast<Instruction>(user));
    return true;
  };
  for (User* user : variable.users()) {
    auto* const address = dyn_cast<IntrinsicInst>(user);
    if (address == nullptr || address->getIntrinsicID() != Intrinsic::threadlocal_address) return std::nullopt;
    if (!all_of(address->users(), [&](User* access) { return is_access(access, *address); })) return std::nullopt;
  }
  return accesses;
}

/// What it holds goes nowhere but into itself, and to what prints it.
bool tells_nothing(GlobalVariable& variable, ArrayRef<Instruction*> accesses) {
  const auto is_own = [&](const StoreInst* store) {
    const auto* address = dyn_cast<IntrinsicInst>(store->getPointerOperand());
    return address != nullptr && address->getIntrinsicID() == Intrinsic::threadlocal_address &&
           address->getArgOperand(0) == &variable;
  };
  return all_of(accesses, [&](Instruction* access) {
    auto* const load = dyn_cast<LoadInst>(access);
    if (load == nullptr) return true;
    const Flow flow = flow_of(*load);
    return all_of(flow.stores, is_own) && is_only_printed(flow);
  });
}

bool leave_out(GlobalVariable& variable, const Marks& marks) {
  if (!variable.isThreadLocal() || !variable.hasLocalLinkage()) return false;
  const auto accesses = all_accesses(variable);
  if (!accesses || !tells_nothing(variable, *accesses)) return false;
  for (Instruction* access : *accesses) marks.mark(*access);
  return !accesses->empty();
}

} // namespace

PreservedAnalyses Doubts::run(Module& module, ModuleAnalysisManager&) {
  bool changed = call_what_returns(module);
  SmallVector<CallInst*> numbers, counts;
  SmallVector<CallBase*> locks;
  SmallVector<IntrinsicInst*> addresses;
  for (Function& function : module) {
    if (!function.hasFnAttribute(Attribute::SanitizeThread)) continue;
    for (Instruction& instruction : instructions(function))
      if (called_name(instruction) == "omp_get_thread_num")
        numbers.push_back(cast<CallInst>(&instruction));
      else if (called_name(instruction) == "omp_get_num_threads" || called_name(instruction) == "omp_get_max_threads")
        counts.push_back(cast<CallInst>(&instruction));
      else if (auto* own = dyn_cast<IntrinsicInst>(&instruction);
               own != nullptr && own->getIntrinsicID() == Intrinsic::threadlocal_address)
        addresses.push_back(own);
      else if (auto* call = dyn_cast<CallBase>(&instruction); call != nullptr && locking_of(*call) != nullptr)
        locks.push_back(call);
  }
  for (CallInst* number : numbers) changed |= ask_later(*number);
  for (CallInst* count : counts) changed |= only_print(*count);
  for (IntrinsicInst* address : addresses) changed |= ask_by_address(*address);
  changed |= tell_sections(module, locks, optimised_);
  const Marks marks(module);
  for (GlobalVariable& variable : module.globals()) changed |= leave_out(variable, marks);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace fletcher::pass
