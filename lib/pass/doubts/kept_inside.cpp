// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/doubts/kept_inside.hpp"

#include "lib/pass/accesses.hpp"
#include "lib/pass/checks/entry_points.hpp"
#include "lib/pass/doubts/flow.hpp"
#include "lib/pass/doubts/lock_sections.hpp"
#include "lib/pass/known_functions.hpp"
#include "lib/pass/llvm_versions.hpp"
#include "lib/pass/needless/runtime_memory.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

constexpr std::size_t most_inside = 2000, most_functions = 200;

/// Functions of libraries that learn nothing, and whose writes the library sees or which nobody finds a place by. What
/// they throw says that memory, or room in an object, is used up.
bool is_known(StringRef name) {
  constexpr StringRef known[]{"malloc",
                              "calloc",
                              "free",
                              "strlen",
                              "strcmp",
                              "memcmp",
                              "bcmp",
                              "memcpy",
                              "memmove",
                              "memset",
                              "_Znwm",
                              "_Znam",
                              "_ZdlPv",
                              "_ZdlPvm",
                              "_ZdaPv",
                              "_ZSt9terminatev",
                              "__cxa_begin_catch",
                              "__cxa_end_catch",
                              "__cxa_rethrow",
                              "__clang_call_terminate",
                              "_ZSt17__throw_bad_allocv",
                              "_ZSt20__throw_length_errorPKc",
                              "_ZSt20__throw_system_errori",
                              "_ZSt28__throw_bad_array_new_lengthv",
                              "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_",
                              "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_",
                              "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base",
                              "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base",
                              "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base",
                              "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base",
                              "_ZNSt8__detail15_List_node_base7_M_hookEPS0_",
                              "_ZNSt8__detail15_List_node_base9_M_unhookEv",
                              "_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm",
                              "_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm"};
  return is_contained(known, name);
}

bool is_harmless_library(const CallBase& call) {
  const Function& callee = *call.getCalledFunction();
  return is_known(callee.getName()) || only_prints(static_cast<const Instruction&>(call)) || only_calculates(call) ||
         call.doesNotAccessMemory() || is_check(call);
}

bool allows_call(const CallBase& call, SmallPtrSetImpl<const Function*>& seen);

/// All that it may do is in code that is seen: it is instrumented, calls such functions only, and no locks.
bool is_seen_through(const Function& function, SmallPtrSetImpl<const Function*>& seen) {
  if (!seen.insert(&function).second) return true;
  if (seen.size() > most_functions || function.isInterposable()) return false;
  if (is_known(function.getName())) return true;
  if (!function.hasFnAttribute(Attribute::SanitizeThread)) return false;
  return all_of(instructions(function), [&](const Instruction& i) {
    const auto* const call = dyn_cast<CallBase>(&i);
    return call == nullptr || allows_call(*call, seen);
  });
}

bool allows_call(const CallBase& call, SmallPtrSetImpl<const Function*>& seen) {
  if (isa<IntrinsicInst>(call)) return true;
  if (is_compiler_barrier(call)) return true;
  const Function* const callee = call.getCalledFunction();
  if (callee == nullptr) return false;
  return callee->isDeclaration() ? is_harmless_library(call) : is_seen_through(*callee, seen);
}

class Section {
public:
  explicit Section(CallBase& take) : take_(take) {}

  bool keeps() {
    return collect() && all_of(inside_, [&](const Instruction* i) {
             return stays(*i) && all_of(written_by(*i), [&](const Value* object) { return may_be_kept_in(*object); });
           });
  }

private:
  static Instruction* behind(CallBase& call) {
    auto* const invoke = dyn_cast<InvokeInst>(&call);
    return invoke == nullptr ? call.getNextNode() : &invoke->getNormalDest()->front();
  }

  /// False where it has several ends from which the function goes on, or does what is not seen. An exception that a
  /// container throws is no way on.
  bool collect() {
    SmallPtrSet<BasicBlock*, 16> blocks;
    SmallVector<Instruction*, 16> work{behind(take_)};
    const Instruction* end = nullptr;
    while (!work.empty())
      for (Instruction* i = work.pop_back_val(); i != nullptr; i = i->getNextNode()) {
        if (lets_go(*i, take_)) {
          if (end != i && goes_on(*i)) {
            if (end != nullptr) return false;
            end = i;
          }
          break;
        }
        if (i->isDebugOrPseudoInst()) continue;
        if (!inside_.insert(i).second) break;
        if (inside_.size() > most_inside || !allows(*i)) return false;
        if (!i->isTerminator()) continue;
        for (BasicBlock* next : successors(i->getParent()))
          if (blocks.insert(next).second) work.push_back(&next->front());
      }
    return end != nullptr;
  }

  static bool goes_on(Instruction& end) {
    SmallPtrSet<BasicBlock*, 16> blocks;
    SmallVector<BasicBlock*, 16> work{end.getParent()};
    while (!work.empty()) {
      BasicBlock* const block = work.pop_back_val();
      if (isa<ReturnInst>(block->getTerminator())) return true;
      for (BasicBlock* next : successors(block))
        if (blocks.insert(next).second) work.push_back(next);
    }
    return false;
  }

  bool allows(Instruction& i) {
    if (const auto* call = dyn_cast<CallBase>(&i)) return allows_call(*call, seen_);
    if (const auto* load = dyn_cast<LoadInst>(&i)) return !load->isAtomic();
    if (const auto* store = dyn_cast<StoreInst>(&i)) return !store->isAtomic();
    return !isa<ReturnInst>(i) && (!i.mayReadOrWriteMemory() || isa<ResumeInst, UnreachableInst>(i));
  }

  bool is_inside(const Value& value) const {
    const auto* const i = dyn_cast<Instruction>(&value);
    return i != nullptr && inside_.contains(i);
  }

  /// Nobody behind the section uses its value, or it is computed of values from before.
  bool stays(const Instruction& i) const {
    return is_from_before(i, 0) || none_of(i.users(), [&](const User* user) {
             return !is_inside(*user) && !lets_go(*cast<Instruction>(user), take_);
           });
  }

  bool is_from_before(const Value& value, int depth) const {
    constexpr int deep = 8;
    if (!is_inside(value)) return true;
    const auto& i = cast<Instruction>(value);
    if (depth > deep || i.mayReadOrWriteMemory() || isa<PHINode, AllocaInst, CallBase, LandingPadInst>(i)) return false;
    return all_of(i.operands(), [&](const Use& use) { return is_from_before(*use, depth + 1); });
  }

  /// The objects that it may write to.
  static SmallVector<const Value*> written_by(const Instruction& i) {
    SmallVector<const Value*> objects;
    const auto add = [&](const Value* pointer) { getUnderlyingObjects(pointer, objects, nullptr, 0); };
    if (const auto* store = dyn_cast<StoreInst>(&i)) {
      add(store->getPointerOperand());
    } else if (const auto* call = dyn_cast<CallBase>(&i);
               call != nullptr && !i.isLifetimeStartOrEnd() && !is_check(*call) && !is_compiler_barrier(*call)) {
      for (unsigned n = 0; n < call->arg_size(); ++n)
        if (call->getArgOperand(n)->getType()->isPointerTy() && !call->onlyReadsMemory(n) && !call->onlyReadsMemory())
          add(call->getArgOperand(n));
    }
    return objects;
  }

  /// Who reads there is seen to; or nobody behind the section does.
  bool may_be_kept_in(const Value& object) const {
    if (isa<Constant>(object)) return true;
    if (const auto* const argument = dyn_cast<Argument>(&object))
      return is_thread_number(argument->getParent()->getArg(0)) || may_be_captured(object);
    if (!nobody_else_sees(&object, false) && (!isa<AllocaInst>(object) || may_be_captured(object))) return true;
    return is_left(object);
  }

  bool is_left(const Value& address) const {
    return all_of(address.users(), [&](const User* user) {
      const auto* const i = cast<Instruction>(user);
      if (is_inside(*i) || i->isLifetimeStartOrEnd() || i->isDebugOrPseudoInst() || lets_go(*i, take_)) return true;
      if (i == &take_) return true;
      if (const auto* store = dyn_cast<StoreInst>(i)) return store->getValueOperand() != &address;
      return isa<GetElementPtrInst, BitCastInst, AddrSpaceCastInst>(i) && is_left(*i);
    });
  }

  CallBase& take_;
  SmallPtrSet<const Instruction*, 32> inside_;
  SmallPtrSet<const Function*, 16> seen_;
};

} // namespace

bool keeps_inside(CallBase& lock) { return Section(lock).keeps(); }

} // namespace fletcher::pass
