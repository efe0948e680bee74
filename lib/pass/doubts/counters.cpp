// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/doubts/counters.hpp"

#include "lib/pass/doubts/flow.hpp"
#include "lib/pass/doubts/lock_sections.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <array>

namespace fletcher::pass {

using namespace llvm;

namespace {

/// Its thread waits for each region at once. Threads that it made itself it would have to keep out by a lock.
bool is_outside_regions(const Function& function) {
  return function.getName() == "main" && function.use_empty() &&
         none_of(instructions(function), [](const Instruction& instruction) {
           const auto* const call = dyn_cast<CallBase>(&instruction);
           return call != nullptr && locking_of(*call) != nullptr;
         });
}

/// Who knows a variable, wherever its address goes.
class Uses {
public:
  explicit Uses(ArrayRef<SectionBody> sections) : sections_(sections) {}

  /// In regions nobody looks at it. A local variable's own function waits for each of its regions at once.
  bool only_counted(const AllocaInst& local) { return follow({&local, false}); }
  bool only_counted(const GlobalVariable& variable) {
    return !variable.isThreadLocal() && variable.hasLocalLinkage() && follow({&variable, true});
  }
  /// What the sections write there.
  ArrayRef<const Instruction*> counting() const { return counting_; }

private:
  struct Address {
    const Value* value;
    bool in_region;
  };

  bool follow(Address variable) {
    add(variable.value, variable.in_region);
    while (!work_.empty()) {
      const Address address = work_.pop_back_val();
      if (!all_of(address.value->uses(), [&](const Use& use) { return follow(use, address.in_region); })) return false;
    }
    return true;
  }

  void add(const Value* value, bool in_region) {
    if (seen_[in_region].insert(value).second) work_.push_back({value, in_region});
  }

  bool follow(const Use& use, bool in_region) {
    const User* const user = use.getUser();
    const auto* const instruction = dyn_cast<Instruction>(user);
    if (instruction != nullptr && in_region && isa<GlobalVariable>(getUnderlyingObject(use.get())))
      in_region = !is_outside_regions(*instruction->getFunction());
    if (isa<GEPOperator, BitCastOperator, AddrSpaceCastOperator>(user)) return add(user, in_region), true;
    if (instruction == nullptr) return false;
    if (isa<LoadInst>(instruction)) return !in_region || in_section(*instruction);
    if (const auto* store = dyn_cast<StoreInst>(instruction)) {
      if (use.getOperandNo() != StoreInst::getPointerOperandIndex()) return follow_kept(*store, in_region);
      if (in_section(*store)) return counting_.push_back(store), true;
      return !in_region;
    }
    const auto* const call = dyn_cast<CallBase>(instruction);
    return call != nullptr && (call->isLifetimeStartOrEnd() || (isa<MemIntrinsic>(call) && !in_region) ||
                               follow_given(*call, use, in_region));
  }

  /// The address is kept in a variable of which only loads and this store know.
  bool follow_kept(const StoreInst& store, bool in_region) {
    if (!is_plain_local(store.getPointerOperand())) return false;
    return all_of(store.getPointerOperand()->users(), [&](const User* user) {
      if (isa<LoadInst>(user)) add(user, in_region);
      return user == &store || !isa<StoreInst>(user);
    });
  }

  /// Of a function that nobody else calls, who could give it the address of another variable.
  bool follow_given(const CallBase& call, const Use& use, bool in_region) {
    constexpr unsigned region_operand = 2; // of __kmpc_fork_call(place, count, region, shared variables...)
    constexpr unsigned own_parameters = 2; // of a region's function: two numbers of the thread
    if (!call.isArgOperand(&use)) return false;
    const Function* callee = call.getCalledFunction();
    unsigned parameter = call.getArgOperandNo(&use);
    if (callee != nullptr && callee->getName() == "__kmpc_fork_call") {
      if (parameter <= region_operand) return false;
      callee = dyn_cast<Function>(call.getArgOperand(region_operand));
      parameter = parameter - region_operand - 1 + own_parameters;
      in_region = true;
    }
    const bool is_known =
        callee != nullptr && !callee->isDeclaration() && callee->hasLocalLinkage() && callee->hasOneUse();
    if (!is_known || parameter >= callee->arg_size()) return false;
    return add(callee->getArg(parameter), in_region), true;
  }

  bool in_section(const Instruction& access) const {
    return any_of(sections_, [&](const SectionBody& section) { return section.contains(&access); });
  }

  const ArrayRef<SectionBody> sections_;
  SmallVector<const Instruction*, 4> counting_;
  SmallVector<Address, 8> work_;
  std::array<SmallPtrSet<const Value*, 8>, 2> seen_; ///< out of a region, in one
};

} // namespace

CountingStores counting_stores(Module& module, ArrayRef<SectionBody> sections) {
  CountingStores result;
  if (sections.empty()) return result;
  const auto add = [&](const auto& variable) {
    Uses uses(sections);
    if (uses.only_counted(variable)) result.insert(uses.counting().begin(), uses.counting().end());
  };
  for (const GlobalVariable& variable : module.globals()) add(variable);
  for (const Function& function : module)
    for (const Instruction& instruction : instructions(function))
      if (const auto* local = dyn_cast<AllocaInst>(&instruction)) add(*local);
  return result;
}

bool only_counts(const SectionBody& section, const CountingStores& stores) {
  bool counts = false;
  return all_of(section,
                [&](const Instruction* instruction) {
                  const auto* const store = dyn_cast<StoreInst>(instruction);
                  if (store == nullptr || is_plain_local(store->getPointerOperand())) return true;
                  counts = true;
                  return stores.contains(store);
                }) &&
         counts;
}

} // namespace fletcher::pass
