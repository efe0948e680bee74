// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/synchronisation.hpp"

#include "lib/pass/entry_points.hpp"
#include "lib/pass/llvm_versions.hpp"

#include <llvm/IR/IntrinsicInst.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

// With errno (the default) these write memory and have no attribute that would tell.
bool is_mathematical(const CallBase& call, const TargetLibraryInfo& libraries) {
  LibFunc function;
  if (!libraries.getLibFunc(call, function) || !libraries.has(function)) return false;
  switch (function) {
#define FLETCHER_MATHEMATICAL(name)                                                                                    \
  case LibFunc_##name:                                                                                                 \
  case LibFunc_##name##f:                                                                                              \
  case LibFunc_##name##l:
    FLETCHER_MATHEMATICAL(acos)
    FLETCHER_MATHEMATICAL(acosh)
    FLETCHER_MATHEMATICAL(asin)
    FLETCHER_MATHEMATICAL(asinh)
    FLETCHER_MATHEMATICAL(atan)
    FLETCHER_MATHEMATICAL(atan2)
    FLETCHER_MATHEMATICAL(atanh)
    FLETCHER_MATHEMATICAL(cbrt)
    FLETCHER_MATHEMATICAL(ceil)
    FLETCHER_MATHEMATICAL(cos)
    FLETCHER_MATHEMATICAL(cosh)
    FLETCHER_MATHEMATICAL(exp)
    FLETCHER_MATHEMATICAL(exp2)
    FLETCHER_MATHEMATICAL(expm1)
    FLETCHER_MATHEMATICAL(fabs)
    FLETCHER_MATHEMATICAL(floor)
    FLETCHER_MATHEMATICAL(fmod)
    FLETCHER_MATHEMATICAL(ldexp)
    FLETCHER_MATHEMATICAL(log)
    FLETCHER_MATHEMATICAL(log10)
    FLETCHER_MATHEMATICAL(log1p)
    FLETCHER_MATHEMATICAL(log2)
    FLETCHER_MATHEMATICAL(pow)
    FLETCHER_MATHEMATICAL(rint)
    FLETCHER_MATHEMATICAL(round)
    FLETCHER_MATHEMATICAL(sin)
    FLETCHER_MATHEMATICAL(sinh)
    FLETCHER_MATHEMATICAL(sqrt)
    FLETCHER_MATHEMATICAL(tan)
    FLETCHER_MATHEMATICAL(tanh)
    FLETCHER_MATHEMATICAL(trunc)
#undef FLETCHER_MATHEMATICAL
    return true;
  default:
    return false;
  }
}

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

bool may_synchronise(const Instruction& instruction, const TargetLibraryInfo& libraries) {
  if (instruction.isVolatile() || (instruction.isAtomic() && !is_relaxed(instruction))) return true;
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (call == nullptr) return false;
  if (call->isInlineAsm() || call->isConvergent()) return true;
  if (isa<MemIntrinsic>(call)) return false; // a volatile one is above
  if (isa<IntrinsicInst>(call)) return !call->hasFnAttr(Attribute::NoSync);
  if (call->doesNotAccessMemory() || is_check(*call)) return false;
  // What the OpenMP runtime is asked (omp_get_thread_num) matters to the checker, though it orders nothing; such
  // functions read memory that the program cannot access.
  const MemoryEffects effects = call->getMemoryEffects();
  const bool within_program = effects.getModRef(MemoryEffects::Location::InaccessibleMem) == ModRefInfo::NoModRef;
  if (call->hasFnAttr(Attribute::NoSync) && within_program) return false;
  return !is_mathematical(*call, libraries);
}

} // namespace fletcher::pass
