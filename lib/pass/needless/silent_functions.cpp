// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/needless/silent_functions.hpp"

#include "lib/pass/accesses.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <utility>

namespace fletcher::pass {

using namespace llvm;

namespace {

/// Calls whose callee may turn out to be silent.
using Callers = DenseMap<const Function*, SmallVector<Function*, 4>>;

bool is_candidate(const Function& function) {
  return function.hasFnAttribute(Attribute::SanitizeThread) && function.hasExactDefinition();
}

/// The instruction says nothing to the library, as far as can be seen in it: what the callee of a call does is another
/// question, and `callee` is who has to be asked.
bool is_silent(Instruction& instruction, const Function*& callee) {
  callee = nullptr;
  if (const auto* const call = dyn_cast<CallBase>(&instruction)) {
    if (isa<DbgInfoIntrinsic>(call) || call->doesNotAccessMemory()) return !call->isInlineAsm();
    if (call->isLifetimeStartOrEnd() || isa<AssumeInst>(call)) return true;
    callee = call->getCalledFunction();
    return callee != nullptr && is_candidate(*callee);
  }
  if (!instruction.mayReadOrWriteMemory()) return true;
  if (isa<LoadInst, StoreInst>(instruction) && instruction.hasMetadata(LLVMContext::MD_nosanitize)) return true;
  const auto access = plain_access_of(instruction);
  return access && nobody_else_sees(access->pointer, access->writes);
}

} // namespace

PreservedAnalyses SilentFunctions::run(Module& module, ModuleAnalysisManager&) {
  Callers callers;
  DenseMap<const Function*, bool> silent;
  SmallVector<const Function*, 16> changed;
  for (Function& function : module) {
    if (!is_candidate(function)) continue;
    bool all = true;
    for (Instruction& instruction : instructions(function)) {
      const Function* callee = nullptr;
      all = all && is_silent(instruction, callee);
      if (callee != nullptr) callers[callee].push_back(&function);
    }
    silent[&function] = all;
    if (!all) changed.push_back(&function);
  }
  while (!changed.empty()) {
    const Function* const function = changed.pop_back_val();
    for (const Function* caller : callers[function])
      if (std::exchange(silent[caller], false)) changed.push_back(caller);
  }
  for (Function& function : module)
    if (silent.lookup(&function)) function.addFnAttr(Attribute::DisableSanitizerInstrumentation);
  return PreservedAnalyses::all();
}

} // namespace fletcher::pass
