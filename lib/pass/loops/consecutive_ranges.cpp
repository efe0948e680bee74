// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/loops/consecutive_ranges.hpp"

#include "lib/pass/checks/entry_points.hpp"
#include "lib/pass/llvm_versions.hpp"
#include "lib/pass/loops/quiet_loops.hpp"
#include "lib/pass/program_order.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/DomTreeUpdater.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

constexpr StringRef joined = "fletcher.joined"; ///< metadata of checks that say what was put together

class Planner {
public:
  Planner(Function& function, FunctionAnalysisManager& analyses)
      : function_(function), loops_(analyses.getResult<LoopAnalysis>(function)),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(function)),
        updater_(dominators_, DomTreeUpdater::UpdateStrategy::Eager),
        quiet_(dominators_, analyses.getResult<ScalarEvolutionAnalysis>(function)) {}

  bool run();

private:
  const Loop* outermost_around(const CallInst& check);
  void join(const Loop& loop, CallInst& check);

  Function& function_;
  LoopInfo& loops_;
  DominatorTree& dominators_;
  DomTreeUpdater updater_;
  QuietLoops quiet_;
  SmallVector<AllocaInst*> kept_;
};

/// One piece whose length only the run knows: others seldom lie end to end where LoopRanges has not seen it.
bool is_candidate(const CallInst& call) {
  return is_check(call) && call.getCalledFunction()->getName().ends_with("_range") && !call.hasMetadata(joined) &&
         !isa<ConstantInt>(call.getArgOperand(1));
}

const Loop* Planner::outermost_around(const CallInst& check) {
  const Loop* best = nullptr;
  for (const Loop* loop = loops_.getLoopFor(check.getParent()); loop != nullptr && quiet_.is_silent(*loop);
       loop = loop->getParentLoop())
    if (QuietLoops::can_check_at_exits(*loop)) best = loop;
  return best;
}

bool Planner::run() {
  MapVector<const Loop*, SmallVector<CallInst*, 4>> checks;
  for (Instruction& instruction : instructions(function_))
    if (auto* const call = dyn_cast<CallInst>(&instruction); call != nullptr && is_candidate(*call))
      if (const Loop* const loop = outermost_around(*call)) checks[loop].push_back(call);
  constexpr std::size_t most = 8; // each needs two registers in the loop
  for (const auto& [loop, calls] : checks)
    if (calls.size() <= most)
      for (CallInst* const check : calls) join(*loop, *check);
  PromoteMemToReg(kept_, dominators_);
  return !kept_.empty();
}

/// Keeps begin and size of what is put together in two variables, which become registers.
void Planner::join(const Loop& loop, CallInst& check) {
  IRBuilder<> builder(&*function_.getEntryBlock().getFirstInsertionPt());
  Value* const first = check.getArgOperand(0);
  Value* const size = check.getArgOperand(1);
  const auto kept = [&](Type* type, const char* name) {
    kept_.push_back(builder.CreateAlloca(type, nullptr, name));
    return kept_.back();
  };
  AllocaInst* const begin = kept(first->getType(), "fletcher.begin");
  AllocaInst* const length = kept(size->getType(), "fletcher.length");
  const auto tell = [&] {
    auto* const call = cast<CallInst>(check.clone());
    call->setArgOperand(0, builder.CreateLoad(first->getType(), begin));
    call->setArgOperand(1, builder.CreateLoad(size->getType(), length));
    call->setMetadata(joined, MDNode::get(function_.getContext(), {}));
    builder.Insert(call);
    call->setDebugLoc(check.getDebugLoc()); // not the builder's
  };
  builder.SetInsertPoint(loop.getLoopPreheader()->getTerminator());
  builder.CreateStore(Constant::getNullValue(first->getType()), begin);
  builder.CreateStore(builder.getInt64(0), length);

  // What lies before it and ends where it begins is the rarer case: a walk downwards.
  builder.SetInsertPoint(&check);
  MDNode* const rarely = unlikely(function_.getContext());
  const auto begin_now = [&] { return builder.CreateLoad(first->getType(), begin); };
  const auto length_now = [&] { return builder.CreateLoad(size->getType(), length); };
  Value* const behind = builder.CreateICmpNE(first, advanced(builder, begin_now(), length_now()));
  Value* const not_behind = builder.CreateAnd(behind, builder.CreateIsNotNull(size));
  Instruction* const before_it = SplitBlockAndInsertIfThen(not_behind, &check, false, rarely, &updater_, &loops_);
  builder.SetInsertPoint(before_it);
  Value* const elsewhere = builder.CreateICmpNE(advanced(builder, first, size), begin_now());
  Instruction* const apart = SplitBlockAndInsertIfThen(elsewhere, before_it, false, rarely, &updater_, &loops_);
  builder.SetInsertPoint(apart);
  tell();
  builder.CreateStore(builder.getInt64(0), length);
  builder.SetInsertPoint(before_it);
  builder.CreateStore(first, begin);
  builder.SetInsertPoint(&check);
  builder.CreateStore(builder.CreateAdd(length_now(), size), length);

  SmallVector<BasicBlock*, 4> exits;
  loop.getUniqueExitBlocks(exits);
  for (BasicBlock* const exit : exits) {
    builder.SetInsertPoint(exit, exit->getFirstInsertionPt());
    tell();
  }
  check.eraseFromParent();
}

} // namespace

PreservedAnalyses ConsecutiveRanges::run(Function& function, FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(Attribute::SanitizeThread) || offloads(*function.getParent()))
    return PreservedAnalyses::all();
  if (analyses.getResult<LoopAnalysis>(function).empty() || !Planner(function, analyses).run())
    return PreservedAnalyses::all();
  return PreservedAnalyses::none();
}

} // namespace fletcher::pass
