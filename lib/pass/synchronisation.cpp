// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/synchronisation.hpp"

#include "lib/pass/checks/entry_points.hpp"
#include "lib/pass/known_functions.hpp"
#include "lib/pass/llvm_versions.hpp"

#include <llvm/IR/IntrinsicInst.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

// By itself it orders nothing: what fences make of it happens at the fences.
bool is_relaxed(const Instruction& atomic) {
  const auto relaxed = [](AtomicOrdering order) { return !isStrongerThanMonotonic(order); };
  if (const auto* load = dyn_cast<LoadInst>(&atomic)) return relaxed(load->getOrdering());
  if (const auto* store = dyn_cast<StoreInst>(&atomic)) return relaxed(store->getOrdering());
  if (const auto* update = dyn_cast<AtomicRMWInst>(&atomic)) return relaxed(update->getOrdering());
  if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&atomic))
    return relaxed(exchange->getSuccessOrdering()) && relaxed(exchange->getFailureOrdering());
  return false;
}

} // namespace

bool is_read_modify_write(const Instruction& instruction) {
  return isa<AtomicRMWInst>(instruction) || isa<AtomicCmpXchgInst>(instruction);
}

bool may_synchronise(const Instruction& instruction) {
  if (instruction.isVolatile() || (instruction.isAtomic() && !is_relaxed(instruction))) return true;
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (call == nullptr) return false;
  if (call->isInlineAsm() || call->isConvergent()) return true;
  if (isa<MemIntrinsic>(call)) return false; // a volatile one is above
  if (isa<IntrinsicInst>(call)) return !call->hasFnAttr(Attribute::NoSync);
  if (call->doesNotAccessMemory() || is_check(*call) || only_calculates(*call)) return false;
  // What the OpenMP runtime is asked (omp_get_thread_num) matters to the checker, though it orders nothing; such
  // functions read memory that the program cannot access.
  const MemoryEffects effects = call->getMemoryEffects();
  const bool within_program = effects.getModRef(MemoryEffects::Location::InaccessibleMem) == ModRefInfo::NoModRef;
  return !call->hasFnAttr(Attribute::NoSync) || !within_program;
}

} // namespace fletcher::pass
