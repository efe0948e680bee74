// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/doubts/flow.hpp"

#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

/// Its result is computed from its operands alone.
bool computes(const Instruction& user) {
  if (isa<IntToPtrInst, GetElementPtrInst>(user)) return false;
  if (user.getType()->isPtrOrPtrVectorTy()) return false;
  if (const auto* call = dyn_cast<CallBase>(&user)) return call->doesNotAccessMemory() && !call->isTerminator();
  return isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst, PHINode, FreezeInst, ExtractValueInst,
             InsertValueInst, ExtractElementInst, InsertElementInst, ShuffleVectorInst>(user);
}

class Follow {
public:
  Follow(Flow& flow, function_ref<bool(const Instruction&)> counts) : flow_(flow), counts_(counts) {}

  void operator()(Instruction& from) {
    add(from);
    while (!work_.empty() && !flow_.leaves) {
      Instruction* const value = work_.pop_back_val();
      for (Use& use : value->uses()) visit(use);
    }
  }

private:
  void add(Instruction& value) {
    if (counts_(value) && flow_.values.insert(&value).second) work_.push_back(&value);
  }

  void visit(Use& use) {
    auto* const user = cast<Instruction>(use.getUser());
    if (!counts_(*user)) return;
    if (auto* store = dyn_cast<StoreInst>(user)) {
      if (use.getOperandNo() == StoreInst::getPointerOperandIndex())
        flow_.leaves = true;
      else if (is_plain_local(store->getPointerOperand()))
        for (User* reader : store->getPointerOperand()->users()) {
          if (auto* load = dyn_cast<LoadInst>(reader)) add(*load);
        }
      else if (store->isSimple())
        flow_.stores.push_back(store);
      else
        flow_.leaves = true;
    } else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(user)) {
      if (use.getOperandNo() == AtomicCmpXchgInst::getPointerOperandIndex())
        flow_.leaves = true;
      else
        flow_.exchanges.push_back(exchange);
    } else if (isa<BranchInst, SwitchInst>(user)) {
      flow_.branches.push_back(user);
    } else if (isa<AssumeInst, DbgInfoIntrinsic>(user)) {
      return;
    } else if (const auto* barrier = dyn_cast<CallBase>(user); barrier != nullptr && is_compiler_barrier(*barrier)) {
      return;
    } else if (computes(*user)) {
      add(*user);
    } else if (auto* call = dyn_cast<CallBase>(user); call != nullptr && call->isDataOperand(&use)) {
      flow_.calls.push_back(call);
    } else {
      flow_.leaves = true;
    }
  }

  Flow& flow_;
  function_ref<bool(const Instruction&)> counts_;
  SmallVector<Instruction*, 16> work_;
};

} // namespace

void add_flow(Flow& flow, Instruction& value) {
  Follow(flow, [](const Instruction&) { return true; })(value);
}

Flow flow_of(Instruction& value) {
  Flow flow;
  add_flow(flow, value);
  return flow;
}

Flow flow_of(Instruction& value, function_ref<bool(const Instruction&)> counts) {
  Flow flow;
  Follow(flow, counts)(value);
  return flow;
}

bool is_compiler_barrier(const CallBase& call) {
  const auto* const code = dyn_cast<InlineAsm>(call.getCalledOperand());
  return code != nullptr && code->getAsmString().empty() && call.getType()->isVoidTy();
}

namespace {
StringRef name_called_by(const CallBase* call) {
  const Function* const callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee == nullptr || !callee->isDeclaration() ? StringRef() : callee->getName();
}
} // namespace

StringRef called_name(const Instruction& instruction) { return name_called_by(dyn_cast<CallInst>(&instruction)); }

bool only_prints(const Instruction& instruction) {
  constexpr StringRef printing[]{"printf",
                                 "fprintf",
                                 "puts",
                                 "fputs",
                                 "putchar",
                                 "__printf_chk",
                                 "__fprintf_chk",
                                 "perror",
                                 "fflush",
                                 "omp_get_wtime",
                                 "omp_get_num_threads",
                                 "omp_get_max_threads",
                                 "__fletcher_get_num_threads",
                                 "__fletcher_ask_num_threads",
                                 "__fletcher_get_max_threads"};
  const StringRef name = name_called_by(dyn_cast<CallBase>(&instruction)); // in C++ code that is not optimised, invoked
  if (!name.empty()) return is_contained(printing, name) || name.starts_with("_ZNSolsE");
  const auto* load = dyn_cast<LoadInst>(&instruction);
  const auto* stream = load == nullptr ? nullptr : dyn_cast<GlobalVariable>(load->getPointerOperand());
  return stream != nullptr && (stream->getName() == "stdout" || stream->getName() == "stderr");
}

bool is_plain_local(const Value* pointer) {
  const auto* local = dyn_cast<AllocaInst>(pointer);
  return local != nullptr && all_of(local->users(), [local](const User* user) {
           if (const auto* load = dyn_cast<LoadInst>(user)) return load->isSimple();
           if (const auto* store = dyn_cast<StoreInst>(user))
             return store->isSimple() && store->getValueOperand() != local;
           const auto* call = dyn_cast<IntrinsicInst>(user);
           return call != nullptr && (call->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(call));
         });
}

bool decides_only(const Flow& flow, function_ref<bool(const Instruction&)> harmless) {
  if (flow.branches.empty()) return true;
  PostDominatorTree tree(*flow.branches.front()->getFunction());
  const auto is_among = [&](const Value& value) { return flow.values.contains(&value); };
  for (Instruction* branch : flow.branches) {
    BasicBlock* const from = branch->getParent();
    const auto* const node = tree.getNode(from);
    const auto* const after = node == nullptr ? nullptr : node->getIDom();
    BasicBlock* const meeting = after == nullptr ? nullptr : after->getBlock();
    if (meeting == nullptr) return false; // its ways do not meet
    SmallPtrSet<BasicBlock*, 8> blocks;
    SmallVector<BasicBlock*, 8> work(successors(from));
    while (!work.empty()) {
      BasicBlock* const block = work.pop_back_val();
      if (block != meeting && blocks.insert(block).second) work.append(succ_begin(block), succ_end(block));
    }
    for (const PHINode& phi : meeting->phis()) {
      const auto ways = count_if(phi.blocks(), [&](BasicBlock* b) { return b == from || blocks.contains(b); });
      if (ways > 1 && !is_among(phi)) return false;
    }
    for (const BasicBlock* block : blocks)
      for (const Instruction& i : *block) {
        if (isa<PHINode>(i) && !is_among(i)) return false;
        const auto* load = dyn_cast<LoadInst>(&i);
        const auto* store = dyn_cast<StoreInst>(&i);
        const bool is_local =
            (load != nullptr && is_plain_local(load->getPointerOperand())) ||
            (store != nullptr && is_plain_local(store->getPointerOperand()) && is_among(*store->getValueOperand()));
        if (is_local || i.isDebugOrPseudoInst() || harmless(i)) continue;
        if (i.mayReadOrWriteMemory() || isa<CallBase, ReturnInst, UnreachableInst>(i)) return false;
      }
  }
  return true;
}

} // namespace fletcher::pass
