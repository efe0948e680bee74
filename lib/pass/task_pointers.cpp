// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/task_pointers.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace fletcher::pass {

namespace {

using namespace llvm;

/// Follows an address through a function and into those that it calls.
class Pointers {
public:
  /// Memory is accessed through a pointer that is in the memory at `address`, or may be.
  bool are_followed(Value& address) { return reaches(address, true); }

private:
  static constexpr unsigned deepest = 8; ///< calls
  /// `content`: not the address itself matters, but pointers that are read from there.
  bool reaches(Value& value, bool content) {
    if (!met_[content].insert(&value).second) return false;
    return llvm::any_of(value.uses(), [&](Use& use) { return is_reached(use, content); });
  }

  bool is_reached(Use& use, bool content) {
    auto* const user = dyn_cast<Instruction>(use.getUser());
    if (user == nullptr) return false;
    if (isa<GetElementPtrInst, CastInst, PHINode, SelectInst>(user))
      return user->getType()->isPointerTy() && reaches(*user, content);
    if (auto* const load = dyn_cast<LoadInst>(user)) {
      if (!content) return true;
      return load->getType()->isPointerTy() && reaches(*load, false);
    }
    if (auto* const store = dyn_cast<StoreInst>(user)) {
      if (use.getOperandNo() == StoreInst::getPointerOperandIndex()) return !content;
      auto* const variable = dyn_cast<AllocaInst>(store->getPointerOperand());
      return variable == nullptr ? true : is_read_back(*variable, content);
    }
    if (isa<AtomicRMWInst, AtomicCmpXchgInst>(user)) return !content;
    if (auto* const call = dyn_cast<CallBase>(user)) return call->isArgOperand(&use) && is_passed(*call, use, content);
    return false;
  }

  /// `variable` has the address.
  bool is_read_back(AllocaInst& variable, bool content) {
    return llvm::any_of(variable.users(), [&](User* user) {
      auto* const load = dyn_cast<LoadInst>(user);
      return load != nullptr && load->getType()->isPointerTy() && reaches(*load, content);
    });
  }

  bool is_passed(CallBase& call, Use& use, bool content) {
    if (const auto* const intrinsic = dyn_cast<IntrinsicInst>(&call)) {
      if (isa<DbgInfoIntrinsic>(intrinsic) || intrinsic->isLifetimeStartOrEnd()) return false;
      auto* const copy = dyn_cast<MemTransferInst>(&call);
      if (copy == nullptr || !content) return true;
      return call.getArgOperandNo(&use) == 1 && reaches(*copy->getRawDest(), true);
    }
    Function* const callee = call.getCalledFunction();
    if (callee == nullptr || callee->isDeclaration() || call.getArgOperandNo(&use) >= callee->arg_size() ||
        depth_ >= deepest)
      return true;
    ++depth_;
    const bool is = reaches(*callee->getArg(call.getArgOperandNo(&use)), content);
    --depth_;
    return is;
  }

  SmallPtrSet<Value*, 16> met_[2];
  unsigned depth_ = 0;
};

/// What an argument is stored in, as the front end does first, was read from: the argument.
Argument* argument_in(Value* value) {
  if (auto* const load = dyn_cast<LoadInst>(value))
    if (auto* const variable = dyn_cast<AllocaInst>(load->getPointerOperand()))
      for (User* user : variable->users())
        if (auto* const store = dyn_cast<StoreInst>(user); store != nullptr && store->getPointerOperand() == variable)
          return dyn_cast<Argument>(store->getValueOperand());
  return dyn_cast<Argument>(value);
}

/// The call of the task's code, to which `entry` gives the function that says where its copies are.
CallBase* call_of_code(Function& entry, Function*& map, unsigned& number) {
  for (Instruction& instruction : instructions(entry))
    if (auto* const call = dyn_cast<CallBase>(&instruction);
        call != nullptr && call->getCalledFunction() != nullptr && !call->getCalledFunction()->isDeclaration())
      for (unsigned i = 1; i < call->arg_size(); ++i)
        if (auto* const function = dyn_cast<Function>(call->getArgOperand(i)); function != nullptr) {
          map = function;
          number = i;
          return call;
        }
  return nullptr;
}

} // namespace

TaskPointers::TaskPointers(Function& entry) {
  Function* map = nullptr;
  unsigned number = 0;
  CallBase* const call = call_of_code(entry, map, number);
  if (call == nullptr || map->isDeclaration()) return;
  const DataLayout& layout = entry.getParent()->getDataLayout();
  APInt begin(64, 0); // of the copies, in the task's memory
  call->getArgOperand(number - 1)->stripAndAccumulateConstantOffsets(layout, begin, true);
  DenseMap<unsigned, std::uint64_t> offsets; // by the arguments of `map`
  for (Instruction& instruction : instructions(*map))
    if (auto* const store = dyn_cast<StoreInst>(&instruction)) {
      APInt offset(64, 0);
      const Argument* const of =
          argument_in(store->getValueOperand()->stripAndAccumulateConstantOffsets(layout, offset, true));
      const Argument* const to = argument_in(store->getPointerOperand());
      if (of != nullptr && of->getArgNo() == 0 && to != nullptr && to->getArgNo() != 0)
        offsets[to->getArgNo()] = (begin + offset).getZExtValue();
    }
  for (Instruction& instruction : instructions(*call->getCalledFunction())) {
    auto* const asked = dyn_cast<CallBase>(&instruction);
    if (asked == nullptr) continue;
    const Argument* const callee = argument_in(asked->getCalledOperand());
    if (callee == nullptr || callee->getArgNo() != number) continue;
    for (const auto& [argument, offset] : offsets) {
      if (argument >= asked->arg_size()) continue;
      for (User* user : asked->getArgOperand(argument)->users())
        if (auto* const load = dyn_cast<LoadInst>(user))
          used_[offset] = used_[offset] || Pointers().are_followed(*load);
    }
  }
}

} // namespace fletcher::pass
