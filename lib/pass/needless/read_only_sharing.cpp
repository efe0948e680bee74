// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/needless/read_only_sharing.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

constexpr unsigned region_operand = 2; ///< of __kmpc_fork_call(place, count, region, shared variables...)
constexpr unsigned own_parameters = 2; ///< of a region's function: two numbers of the thread

bool begins_region(const CallBase& call) {
  const Function* const callee = call.getCalledFunction();
  return callee != nullptr && (callee->getName() == "__kmpc_fork_call" || callee->getName() == "__kmpc_fork_teams");
}

/// What a function that nobody else calls gets there; null where the call is of another kind.
Argument* parameter_for(const Use& use) {
  const auto* const call = dyn_cast<CallBase>(use.getUser());
  if (call == nullptr || !call->isArgOperand(&use)) return nullptr;
  const unsigned at = call->getArgOperandNo(&use);
  Function* callee = call->getCalledFunction();
  unsigned parameter = at;
  if (begins_region(*call)) {
    if (at <= region_operand) return nullptr;
    callee = dyn_cast<Function>(call->getArgOperand(region_operand));
    parameter = at - region_operand - 1 + own_parameters;
  }
  const bool is_known =
      callee != nullptr && !callee->isDeclaration() && callee->hasLocalLinkage() && callee->hasOneUse();
  return is_known && parameter < callee->arg_size() ? callee->getArg(parameter) : nullptr;
}

/// Nothing is done with the address but to read there, also by the functions that get it. Adds their parameters.
bool is_only_read(const Argument& address, SmallVectorImpl<Argument*>& parameters) {
  return all_of(address.uses(), [&](const Use& use) {
    if (const auto* const load = dyn_cast<LoadInst>(use.getUser())) return load->isSimple();
    Argument* const parameter = parameter_for(use);
    if (parameter == nullptr) return false;
    parameters.push_back(parameter);
    return is_only_read(*parameter, parameters);
  });
}

/// The address is known to the variable's own function, which reads and writes there, and to functions that only read.
bool is_shared_to_read(const AllocaInst& local, SmallVectorImpl<Argument*>& parameters) {
  return all_of(local.uses(), [&](const Use& use) {
    const User* const user = use.getUser();
    if (const auto* const load = dyn_cast<LoadInst>(user)) return load->isSimple();
    if (const auto* const store = dyn_cast<StoreInst>(user))
      return store->isSimple() && store->getPointerOperand() == &local;
    if (const auto* const intrinsic = dyn_cast<IntrinsicInst>(user)) return intrinsic->isLifetimeStartOrEnd();
    Argument* const parameter = parameter_for(use);
    if (parameter == nullptr) return false;
    parameters.push_back(parameter);
    return is_only_read(*parameter, parameters);
  });
}

} // namespace

PreservedAnalyses ReadOnlySharing::run(Module& module, ModuleAnalysisManager&) {
  bool changed = false;
  for (Function& function : module)
    for (Instruction& instruction : instructions(function)) {
      const auto* const local = dyn_cast<AllocaInst>(&instruction);
      SmallVector<Argument*> parameters;
      if (local == nullptr || !is_shared_to_read(*local, parameters)) continue;
      for (Argument* const parameter : parameters) parameter->addAttr(Attribute::NoAlias);
      changed |= !parameters.empty();
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace fletcher::pass
