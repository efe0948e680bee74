// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/doubts/own_values.hpp"

#include "lib/pass/doubts/flow.hpp"
#include "lib/pass/doubts/local_uses.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

const AllocaInst* variable_of(const StoreInst& store) {
  return dyn_cast<AllocaInst>(getUnderlyingObject(store.getPointerOperand()));
}

/// Keeps values, and is not the compiler's own.
bool is_candidate(const AllocaInst& local) { return !is_of_compiler(local) && !is_copy_for_reduction(local); }

bool is_harmless(const Instruction& instruction, const LocalUses& uses) {
  const auto* store = dyn_cast<StoreInst>(&instruction);
  return only_prints(instruction) || called_name(instruction) == "__kmpc_copyprivate" ||
         (store != nullptr && uses.are_of(*store));
}

using Counts = function_ref<bool(const Instruction&)>;

/// What is read there goes nowhere but back into the variable, into copies for reductions, and to what prints it.
bool goes_nowhere(LoadInst& load, const LocalUses& uses, Counts counts) {
  const Flow flow = flow_of(load, counts);
  const auto harmless = [&](const Instruction& i) { return is_harmless(i, uses); };
  return !flow.leaves && flow.exchanges.empty() && all_of(flow.calls, [&](CallBase* call) {
    return harmless(*call);
  }) && all_of(flow.stores, [&](const StoreInst* store) {
    const AllocaInst* const to = variable_of(*store);
    return uses.are_of(*store) || (to != nullptr && is_copy_for_reduction(*to));
  }) && decides_only(flow, harmless);
}

bool matters(const LocalUses::At& at, const LocalUses& uses, Counts counts) {
  auto* const load = dyn_cast<LoadInst>(at.instruction);
  return at.use == LocalUse::given || load == nullptr || !goes_nowhere(*load, uses, counts);
}

/// The loop uses the variable by its address, which was put into another one before.
bool is_used_by_address(const LocalUses& uses, const Loop& loop) {
  return uses.any([&](const LocalUses::At& at) {
    const auto* store = dyn_cast<StoreInst>(at.instruction);
    const AllocaInst* const pointer = store == nullptr || at.use != LocalUse::given ? nullptr : variable_of(*store);
    return pointer != nullptr && pointer != &uses.local() && any_of(pointer->users(), [&](const User* user) {
             return isa<LoadInst, GetElementPtrInst, MemTransferInst>(user) && loop.contains(cast<Instruction>(user));
           });
  });
}

/// What the runtime is asked for the next chunk, or the counter that begins with it.
bool is_bound(const Value& local, bool counter = false) {
  return any_of(local.users(), [&](const User* user) {
    const auto* call = dyn_cast<CallInst>(user);
    const StringRef name = call == nullptr ? StringRef() : called_name(*call);
    const auto* load = isa<StoreInst>(user) && counter ? dyn_cast<LoadInst>(user->getOperand(0)) : nullptr;
    return name.starts_with("__kmpc_dispatch_next_") || name.starts_with("__kmpc_for_static_init_") ||
           (load != nullptr && is_bound(*load->getPointerOperand()));
  });
}

/// Each iteration begins with giving it a value of its own, which is computed with the loop's counter.
bool is_iteration_variable(const LocalUses& uses, const Loop& loop) {
  return uses.any([&](const LocalUses::At& at) {
    if (at.use != LocalUse::fills || !isa<StoreInst>(at.instruction) || !loop.contains(at.instruction)) return false;
    const Value* value = at.instruction->getOperand(0);
    while (isa<BinaryOperator, CastInst>(value))
      value = cast<Instruction>(value)->getOperand(isa<Constant>(cast<Instruction>(value)->getOperand(0)) ? 1 : 0);
    const auto* counter = dyn_cast<LoadInst>(value);
    return counter != nullptr && isa<AllocaInst>(counter->getPointerOperand()) &&
           is_bound(*counter->getPointerOperand(), true);
  });
}

bool carries(const LocalUses& uses, const Loop& loop, bool optimises) {
  if (is_iteration_variable(uses, loop)) return false;
  bool own = false, written = false; // a variable of one iteration; a variable that iterations write
  const bool is_given = uses.any([&](const LocalUses::At& at) {
    if (loop.contains(at.instruction)) {
      own |= at.use == LocalUse::begins;
      written |= at.use != LocalUse::reads && at.use != LocalUse::begins;
    }
    return false;
  }) || uses.any([](const LocalUses::At& at) { return at.use == LocalUse::given; });
  if (own || (is_given && !optimises)) return false;
  if (is_given && is_used_by_address(uses, loop)) return true;
  if (!written) return false;
  bool result = false;
  uses.reached_from(
      *loop.getHeader(), [&](const BasicBlock& block) { return loop.contains(&block); },
      [&](const LocalUses::At& at) {
        result = result || matters(at, uses, [&](const Instruction& i) { return loop.contains(&i); });
      });
  return result;
}

/// The loop over the chunks that the call asks for, one after the other.
const Loop* dynamic_loop(const Instruction& next, const LoopInfo& loops) {
  return called_name(next).starts_with("__kmpc_dispatch_next_") ? loops.getLoopFor(next.getParent()) : nullptr;
}

void tell(Instruction& before) {
  IRBuilder<> builder(&before);
  builder.CreateCall(before.getModule()->getOrInsertFunction("__fletcher_knows_thread", builder.getVoidTy()));
}

/// A construct that the thread executes, or a part of it, because it is the one that it is.
struct Construct {
  SmallPtrSet<const BasicBlock*, 16> blocks;
  SmallVector<Instruction*, 2> ends; ///< before these it is over
  bool single = false;
};

class Constructs {
public:
  Constructs(Function& function, FunctionAnalysisManager& analyses, ArrayRef<StaticLoop> loops)
      : dominators_(analyses.getResult<DominatorTreeAnalysis>(function)) {
    const LoopInfo& all_loops = analyses.getResult<LoopAnalysis>(function);
    for (const StaticLoop& loop : loops) add(*loop.loop, {loop.exit});
    for (Instruction& instruction : instructions(function)) {
      const StringRef name = called_name(instruction);
      if (const Loop* loop = dynamic_loop(instruction, all_loops)) {
        SmallVector<BasicBlock*, 4> exits;
        loop->getUniqueExitBlocks(exits);
        add(*loop, exits);
      } else if (name == "__kmpc_single" || name == "__kmpc_master" || name == "__kmpc_masked") {
        add_block(cast<CallInst>(instruction));
      }
      if (name.starts_with("__kmpc_dispatch_next_") || name.starts_with("__kmpc_for_static_init_"))
        note_last(cast<CallInst>(instruction));
    }
  }

  ArrayRef<Construct> all() const { return all_; }
  /// Only the thread of the last iteration comes here (lastprivate).
  bool is_of_last(const Instruction& instruction) const {
    return any_of(of_last_, [&](const BasicBlock* b) { return dominators_.dominates(b, instruction.getParent()); });
  }

private:
  void add(const Loop& loop, ArrayRef<BasicBlock*> exits) {
    Construct construct;
    construct.blocks.insert(loop.block_begin(), loop.block_end());
    for (BasicBlock* exit : exits)
      if (!exit->isEHPad()) construct.ends.push_back(&*exit->getFirstInsertionPt());
    all_.push_back(std::move(construct));
  }

  /// The ways on which a condition on `value` is true.
  static SmallVector<BasicBlock*, 1> where_true(const Value& value) {
    SmallVector<BasicBlock*, 1> result;
    for (const User* compare : value.users())
      if (isa<ICmpInst>(compare))
        for (const User* user : compare->users())
          if (const auto* branch = dyn_cast<BranchInst>(user); branch != nullptr && branch->isConditional())
            result.push_back(branch->getSuccessor(0));
    return result;
  }

  void add_block(CallInst& call) {
    for (BasicBlock* body : where_true(call)) {
      if (body->getSinglePredecessor() == nullptr) continue;
      Construct construct;
      construct.single = called_name(call) == "__kmpc_single";
      SmallVector<BasicBlock*> blocks;
      dominators_.getDescendants(body, blocks);
      construct.blocks.insert(blocks.begin(), blocks.end());
      for (BasicBlock* block : blocks)
        for (Instruction& instruction : *block)
          if (called_name(instruction).starts_with("__kmpc_end_")) construct.ends.push_back(&instruction);
      all_.push_back(std::move(construct));
    }
  }

  void note_last(const CallInst& call) {
    constexpr unsigned of_static = 3, of_dynamic = 2;
    const bool dynamic = called_name(call).starts_with("__kmpc_dispatch");
    const Value* const last = call.getArgOperand(dynamic ? of_dynamic : of_static);
    for (const User* user : last->users())
      if (isa<LoadInst>(user)) append_range(of_last_, where_true(*user));
  }

  DominatorTree& dominators_;
  SmallVector<Construct, 4> all_;
  SmallVector<BasicBlock*, 4> of_last_;
};

/// What the single construct leaves in it, the others of the team are given.
bool is_copied_to_all(const LocalUses& uses) {
  return uses.any([](const LocalUses::At& at) {
    const auto* store = dyn_cast<StoreInst>(at.instruction);
    const AllocaInst* const list = store == nullptr || at.use != LocalUse::given ? nullptr : variable_of(*store);
    return list != nullptr && any_of(list->users(), [](const User* user) {
             const auto* call = dyn_cast<CallInst>(user);
             return call != nullptr && called_name(*call) == "__kmpc_copyprivate";
           });
  });
}

/// A thread that executes the construct a second time finds there what was in the variable when it left.
bool finds_again(const Construct& construct, const LocalUses& uses) {
  bool result = false;
  const auto inside = [&](const Instruction& i) { return construct.blocks.contains(i.getParent()); };
  for (const BasicBlock* block : construct.blocks)
    for (const BasicBlock* next : successors(block))
      if (!construct.blocks.contains(next))
        uses.reached_from(
            *next, [](const BasicBlock&) { return true; },
            [&](const LocalUses::At& at) {
              result = result || (inside(*at.instruction) && matters(at, uses, inside));
            });
  return result;
}

bool leaves_value(const Construct& construct, const LocalUses& uses, const Constructs& constructs) {
  if (construct.single && is_copied_to_all(uses)) return false;
  SmallVector<const Instruction*, 8> writers;
  for (const BasicBlock* block : construct.blocks)
    for (const LocalUses::At& at : uses.in(*block))
      if (at.use != LocalUse::reads && at.use != LocalUse::begins) writers.push_back(at.instruction);
  bool result = false;
  const auto outside = [&](const Instruction& i) { return !construct.blocks.contains(i.getParent()); };
  uses.reached_from(writers, [&](const LocalUses::At& at) {
    result =
        result || (outside(*at.instruction) && !constructs.is_of_last(*at.instruction) && matters(at, uses, outside));
  });
  return result || (construct.single && !writers.empty() && finds_again(construct, uses));
}

template <class Do> void for_each_candidate(const Function& function, Do act) {
  for (const Instruction& instruction : function.getEntryBlock())
    if (const auto* local = dyn_cast<AllocaInst>(&instruction); local != nullptr && is_candidate(*local))
      for (const Part& part : parts_of(*local)) act(LocalUses(*local, part));
}

} // namespace

bool carries_values(const Loop& loop, bool optimises) {
  bool result = false;
  for_each_candidate(*loop.getHeader()->getParent(),
                     [&](const LocalUses& uses) { result = result || carries(uses, loop, optimises); });
  return result;
}

bool tell_own_values(Function& function, FunctionAnalysisManager& analyses, ArrayRef<StaticLoop> loops) {
  const Constructs constructs(function, analyses, loops);
  if (constructs.all().empty()) return false;
  SmallPtrSet<const Construct*, 4> telling;
  for_each_candidate(function, [&](const LocalUses& uses) {
    for (const Construct& construct : constructs.all())
      if (!telling.contains(&construct) && leaves_value(construct, uses, constructs)) telling.insert(&construct);
  });
  for (const Construct* construct : telling)
    for (Instruction* end : construct->ends) tell(*end);
  return !telling.empty();
}

bool tell_carrying_loops(Function& function, const LoopInfo& loops, bool optimises) {
  SmallVector<Instruction*, 2> begins;
  for (const Instruction& instruction : instructions(function))
    if (const Loop* loop = dynamic_loop(instruction, loops); loop != nullptr && carries_values(*loop, optimises))
      if (const BasicBlock* before = loop->getLoopPredecessor())
        begins.push_back(const_cast<Instruction*>(before->getTerminator()));
  for (Instruction* begin : begins) tell(*begin);
  return !begins.empty();
}

} // namespace fletcher::pass
