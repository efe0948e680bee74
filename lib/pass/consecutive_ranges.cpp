// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/consecutive_ranges.hpp"

#include "lib/pass/entry_points.hpp"
#include "lib/pass/quiet_loops.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/DomTreeUpdater.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
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
        quiet_(dominators_, analyses.getResult<ScalarEvolutionAnalysis>(function),
               analyses.getResult<TargetLibraryAnalysis>(function)) {}

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
  for (const Loop* loop = loops_.getLoopFor(check.getParent()); loop != nullptr && quiet_.is_quiet(*loop);
       loop = loop->getParentLoop())
    if (quiet_.can_check_at_exits(*loop)) best = loop;
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
  const auto keep = [&](Value* first_now, Value* length_now) {
    builder.CreateStore(first_now, begin);
    builder.CreateStore(length_now, length);
  };
  const auto tell = [&] {
    auto* const call = cast<CallInst>(check.clone());
    call->setArgOperand(0, builder.CreateLoad(first->getType(), begin));
    call->setArgOperand(1, builder.CreateLoad(size->getType(), length));
    call->setMetadata(joined, MDNode::get(function_.getContext(), {}));
    builder.Insert(call);
    call->setDebugLoc(check.getDebugLoc()); // not the builder's
  };
  builder.SetInsertPoint(loop.getLoopPreheader()->getTerminator());
  keep(Constant::getNullValue(first->getType()), builder.getInt64(0));

  builder.SetInsertPoint(&check);
  Value* const so_far = builder.CreateLoad(size->getType(), length);
  Value* const end = builder.CreatePtrAdd(builder.CreateLoad(first->getType(), begin), so_far);
  Value* const elsewhere = builder.CreateAnd(builder.CreateICmpNE(first, end), builder.CreateIsNotNull(size));
  MDNode* const seldom = MDBuilder(function_.getContext()).createUnlikelyBranchWeights();
  builder.SetInsertPoint(SplitBlockAndInsertIfThen(elsewhere, check.getIterator(), false, seldom, &updater_, &loops_));
  tell();
  keep(first, builder.getInt64(0));
  builder.SetInsertPoint(&check);
  builder.CreateStore(builder.CreateAdd(builder.CreateLoad(size->getType(), length), size), length);

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
  if (!function.hasFnAttribute(Attribute::SanitizeThread)) return PreservedAnalyses::all();
  if (analyses.getResult<LoopAnalysis>(function).empty() || !Planner(function, analyses).run())
    return PreservedAnalyses::all();
  return PreservedAnalyses::none();
}

} // namespace fletcher::pass
