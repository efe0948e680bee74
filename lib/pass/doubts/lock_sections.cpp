// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/doubts/lock_sections.hpp"

#include "lib/pass/doubts/flow.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

const Value* given_once(const Value& base) {
  const auto* load = dyn_cast<LoadInst>(&base);
  if (load == nullptr || !is_plain_local(load->getPointerOperand())) return &base;
  const Value* given = nullptr;
  for (const User* user : load->getPointerOperand()->users())
    if (const auto* store = dyn_cast<StoreInst>(user)) {
      if (given != nullptr) return &base;
      given = store->getValueOperand();
    }
  return given != nullptr ? given : &base;
}

// The latter are functions of C++'s library that hide POSIX's, where nothing is put into its caller.
constexpr Locking lockings[]{{"__kmpc_critical", "__kmpc_end_critical", 2},
                             {"__kmpc_critical_with_hint", "__kmpc_end_critical", 2},
                             {"omp_set_lock", "omp_unset_lock", 0},
                             {"pthread_mutex_lock", "pthread_mutex_unlock", 0},
                             {"_ZNSt5mutex4lockEv", "_ZNSt5mutex6unlockEv", 0},
                             {"_ZNSt10lock_guardISt5mutexEC2ERS0_", "_ZNSt10lock_guardISt5mutexED2Ev", 0}};

StringRef name_of(const CallBase& call) {
  const Function* const callee = call.getCalledFunction();
  return callee == nullptr ? StringRef() : callee->getName();
}

} // namespace

Place place_of(const Value& pointer, const DataLayout& layout) {
  Place place{nullptr, APInt(layout.getIndexTypeSizeInBits(pointer.getType()), 0)};
  place.base = given_once(*pointer.stripAndAccumulateConstantOffsets(layout, place.offset, true));
  if (const auto* more = dyn_cast<LoadInst>(place.base); more != nullptr) place.base = given_once(*more);
  return place;
}

const Locking* locking_of(const CallBase& call) {
  const StringRef name = name_of(call);
  const auto* found = find_if(lockings, [&](const Locking& locking) { return locking.take == name; });
  return found == std::end(lockings) || call.arg_size() <= found->lock ? nullptr : found;
}

bool lets_go(const Instruction& instruction, const CallBase& take) {
  const auto* const call = dyn_cast<CallBase>(&instruction);
  const Locking& locking = *locking_of(take);
  if (call == nullptr || name_of(*call) != locking.leave || call->arg_size() <= locking.lock) return false;
  const DataLayout& layout = take.getModule()->getDataLayout();
  return place_of(*call->getArgOperand(locking.lock), layout) == place_of(*take.getArgOperand(locking.lock), layout);
}

} // namespace fletcher::pass
