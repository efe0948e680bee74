// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/loops/loop_ranges.hpp"

#include "lib/pass/accesses.hpp"
#include "lib/pass/checks/entry_points.hpp"
#include "lib/pass/llvm_versions.hpp"
#include "lib/pass/loops/narrow_indices.hpp"
#include "lib/pass/loops/quiet_loops.hpp"
#include "lib/pass/loops/quotients.hpp"
#include "lib/pass/loops/ranges.hpp"
#include "lib/pass/needless/checked.hpp"
#include "lib/pass/program_order.hpp"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

/// Accesses of one kind, on one line, that touch or overlap: the bytes [begin, end) from the address of the first.
struct Group {
  SmallVector<Access, 4> accesses; ///< in program order
  const SCEV* address = nullptr;   ///< of the first
  std::int64_t begin = 0, end = 0;
  Executions executions;
  SmallVector<Guard, 2> guards; ///< without which that is not the address

  const Access& first() const { return accesses.front(); }
  bool writes() const { return first().writes; }
};

/// What is to be inserted before a loop. Nothing is accessed unless all guards hold.
struct Plan {
  Range range;
  const Loop* loop = nullptr;
  SmallVector<Guard, 2> guards;
};

class Planner {
public:
  Planner(Function& function, FunctionAnalysisManager& analyses)
      : function_(function), loops_(analyses.getResult<LoopAnalysis>(function)),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(function)),
        evolution_(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        costs_(analyses.getResult<TargetIRAnalysis>(function)), marks_(*function.getParent()),
        quiet_(dominators_, evolution_), quotients_(function, evolution_, dominators_), order_(function, loops_),
        expander_(expander(evolution_, function.getParent()->getDataLayout(), "fletcher")) {}

  void run() {
    for (const Loop* loop : loops_.getLoopsInPreorder())
      if (quiet_.is_quiet(*loop))
        for (Group& group : groups(*loop)) check_before(*loop, group);
  }

private:
  SmallVector<Group> groups(const Loop& loop);
  bool join(Group& group, const Group& other);
  void check_before(const Loop& loop, const Group& group);
  std::optional<Plan> outermost(const Loop& loop, const Group& group);
  std::optional<Executions> guarded(const Loop& loop, const BasicBlock*& block, SmallVector<Guard, 2>& guards);
  bool can_insert(const Plan& plan, const Instruction& end);
  Value* all_hold(ArrayRef<Guard> guards, Instruction* end);
  bool is_small(const Range& range) const;

  Function& function_;
  LoopInfo& loops_;
  DominatorTree& dominators_;
  ScalarEvolution& evolution_;
  TargetTransformInfo& costs_;
  Marks marks_;
  QuietLoops quiet_;
  Quotients quotients_;
  ProgramOrder order_;
  SCEVExpander expander_;
};

/// Takes `other` into the group where one check serves both. A read of what the same line writes, or of what is written
/// later in the same block (so does the compiler's own instrumentation), is part of that write, and so is a read that
/// the optimiser made and that has no line.
bool Planner::join(Group& group, const Group& other) {
  const Instruction& first = *group.first().instruction;
  const Instruction& second = *other.first().instruction;
  const bool same_line = on_same_line(first, second);
  if (group.executions.times != other.executions.times) return false;
  const bool same_block = first.getParent() == second.getParent();
  if (!same_line && !same_block && has_line(second)) return false;
  const auto* difference = dyn_cast<SCEVConstant>(evolution_.getMinusSCEV(other.address, group.address));
  if (difference == nullptr || difference->getAPInt().getSignificantBits() > 32) return false;
  const std::int64_t distance = difference->getAPInt().getSExtValue();
  const std::int64_t begin = distance + other.begin, end = distance + other.end;
  if (group.writes() == other.writes() && same_line) {
    if (begin > group.end || end < group.begin) return false;
  } else {
    const bool inside = begin >= group.begin && end <= group.end;
    if (!group.writes() || other.writes() || !inside) return false;
    if (!same_line && has_line(second) && !second.comesBefore(&first)) return false;
  }
  group.begin = std::min(group.begin, begin);
  group.end = std::max(group.end, end);
  group.accesses.append(other.accesses);
  group.guards.append(other.guards);
  return true;
}

SmallVector<Group> Planner::groups(const Loop& loop) {
  SmallVector<Group> all;
  for (BasicBlock* block : loop.blocks()) {
    if (loops_.getLoopFor(block) != &loop) continue;
    const auto executions = quiet_.executions(loop, *block);
    if (!executions) continue;
    for (Instruction& instruction : *block) {
      if (marks_.is_marked(instruction)) continue;
      const auto access = access_of(instruction);
      if (!access || !order_.may_leave_loops(*access)) continue;
      SmallVector<Guard, 2> guards;
      const SCEV* const address =
          with_wide_indices(evolution_.getSCEVAtScope(access->pointer, &loop), loop, evolution_, guards);
      all.push_back({{*access}, address, 0, static_cast<std::int64_t>(access->size), *executions, guards});
    }
  }
  constexpr std::size_t most = 64; // every pair is looked at
  for (std::size_t i = 0; i < all.size() && all.size() <= most; ++i)
    for (std::size_t other = 0; other < all.size(); ++other) {
      if (other == i || !join(all[i], all[other])) continue;
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(other));
      i -= other < i ? 1 : 0;
      other = std::size_t(-1); // the group has grown: look at all again
    }
  return all;
}

/// Few bytes, whose check costs about what the call does.
bool Planner::is_small(const Range& range) const {
  const auto* size = dyn_cast<SCEVConstant>(range.size);
  return range.count == nullptr && size != nullptr && size->getAPInt().ule(512);
}

/// How often the block is executed, apart from the conditions that it needs: goes up from it to one that every
/// iteration gets to. Such is what guards a loop inside that may have no iteration.
std::optional<Executions> Planner::guarded(const Loop& loop, const BasicBlock*& block, SmallVector<Guard, 2>& guards) {
  while (true) {
    if (const auto executions = quiet_.executions(loop, *block)) return executions;
    const BasicBlock* const before = block->getSinglePredecessor();
    if (before == nullptr || loops_.getLoopFor(before) != &loop) return std::nullopt;
    const auto* branch = dyn_cast<BranchInst>(before->getTerminator());
    if (branch == nullptr) return std::nullopt;
    if (branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1)) {
      const auto* condition = dyn_cast<ICmpInst>(branch->getCondition());
      if (condition == nullptr || !evolution_.isSCEVable(condition->getOperand(0)->getType())) return std::nullopt;
      const bool holds = branch->getSuccessor(0) == block;
      guards.push_back({holds ? condition->getPredicate() : condition->getInversePredicate(),
                        evolution_.getSCEVAtScope(condition->getOperand(0), &loop),
                        evolution_.getSCEVAtScope(condition->getOperand(1), &loop)});
    }
    block = before;
  }
}

/// The place before the loop, or before one that encloses it where that makes fewer checks.
std::optional<Plan> Planner::outermost(const Loop& loop, const Group& group) {
  Type* const wide = Type::getInt64Ty(function_.getContext());
  Range range{
      evolution_.getAddExpr(group.address, evolution_.getConstant(wide, static_cast<std::uint64_t>(group.begin), true)),
      evolution_.getConstant(wide, static_cast<std::uint64_t>(group.end - group.begin))};
  SmallVector<Guard, 2> guards = group.guards;
  std::optional<Plan> best;
  const BasicBlock* block = group.first().instruction->getParent();
  for (const Loop* around = &loop; around != nullptr && quiet_.is_quiet(*around); around = around->getParentLoop()) {
    const auto executions = guarded(*around, block, guards);
    const bool guards_stay = all_of(guards, [&](const Guard& guard) {
      return evolution_.isLoopInvariant(guard.left, around) && evolution_.isLoopInvariant(guard.right, around);
    });
    if (!executions || !guards_stay) break;
    if (range.is_invariant(*around, evolution_)) {
      if (executions->may_be_zero) break;
      best = Plan{range, around, guards};
    } else {
      if (executions->times == nullptr) break;
      const bool was_small = is_small(range);
      const auto all = repeated(range, *around, executions->times, executions->may_be_zero, evolution_);
      if (!all) break;
      range = *all;
      if (around == &loop || was_small) best = Plan{range, around, guards};
    }
    block = around->getLoopPreheader();
    if (block == nullptr) break;
  }
  return best;
}

bool Planner::can_insert(const Plan& plan, const Instruction& end) {
  constexpr unsigned budget = 160; // most of it moves out of enclosing loops; a loop's worth of checks pays for it
  SmallVector<const SCEV*, 4> parts;
  for (const SCEV* part : {plan.range.first, plan.range.size, plan.range.stride, plan.range.count})
    if (part != nullptr) parts.push_back(part);
  for (const Guard& guard : plan.guards) parts.append({guard.left, guard.right});
  return all_of(parts, [&](const SCEV* part) { return expander_.isSafeToExpandAt(part, &end); }) &&
         !expander_.isHighCostExpansion(parts, const_cast<Loop*>(plan.loop), budget, &costs_, &end);
}

/// Nothing where there are no guards. An inner one means something only where the outer ones, which come later, hold.
Value* Planner::all_hold(ArrayRef<Guard> guards, Instruction* end) {
  Value* all = nullptr;
  for (const Guard& guard : reverse(guards)) {
    Value* const left = expander_.expandCodeFor(guard.left, guard.left->getType(), end);
    Value* const right = expander_.expandCodeFor(guard.right, guard.right->getType(), end);
    IRBuilder<> builder(end);
    Value* const holds = builder.CreateICmp(guard.predicate, left, right);
    all = all == nullptr ? holds : builder.CreateLogicalAnd(all, holds);
  }
  return all;
}

void Planner::check_before(const Loop& loop, const Group& group) {
  auto plan = outermost(loop, group);
  if (!plan || plan->loop->getLoopPreheader() == nullptr) return;
  Instruction* const end = plan->loop->getLoopPreheader()->getTerminator();
  for (const SCEV** part : {&plan->range.first, &plan->range.size, &plan->range.stride, &plan->range.count})
    if (*part != nullptr) *part = quotients_.replaced(*part, *end);
  if (!can_insert(*plan, *end)) return;
  const auto value = [&](const SCEV* part) {
    return part == nullptr ? nullptr : expander_.expandCodeFor(part, part->getType(), end);
  };
  const Range& range = plan->range;
  Check check{value(range.first), value(range.size), value(range.stride), value(range.count), nullptr, group.writes()};
  if (Value* const accessed = all_hold(plan->guards, end)) {
    Value*& amount = check.count != nullptr ? check.count : check.size;
    amount = IRBuilder<>(end).CreateSelect(accessed, amount, Constant::getNullValue(amount->getType()));
  }
  IRBuilder<> builder(end);
  insert_check(builder, check, group.first().instruction->getDebugLoc());
  for (const Access& access : group.accesses) marks_.mark(*access.instruction);
}

} // namespace

PreservedAnalyses LoopRanges::run(Function& function, FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(Attribute::SanitizeThread)) return PreservedAnalyses::all();
  LoopInfo& loops = analyses.getResult<LoopAnalysis>(function);
  if (loops.empty()) return PreservedAnalyses::all();
  for (Loop* loop : SmallVector<Loop*, 8>(loops.begin(), loops.end()))
    simplifyLoop(loop, &analyses.getResult<DominatorTreeAnalysis>(function), &loops,
                 &analyses.getResult<ScalarEvolutionAnalysis>(function),
                 &analyses.getResult<AssumptionAnalysis>(function), nullptr, false);
  Planner(function, analyses).run();
  PreservedAnalyses preserved;
  preserved.preserve<DominatorTreeAnalysis>();
  preserved.preserve<LoopAnalysis>();
  preserved.preserve<ScalarEvolutionAnalysis>();
  return preserved;
}

} // namespace fletcher::pass
