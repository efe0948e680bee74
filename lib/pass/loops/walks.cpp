// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/loops/walks.hpp"

#include "lib/pass/accesses.hpp"
#include "lib/pass/checks/entry_points.hpp"
#include "lib/pass/loops/quiet_loops.hpp"
#include "lib/pass/loops/walkers.hpp"
#include "lib/pass/needless/checked.hpp"
#include "lib/pass/program_order.hpp"

#include <llvm/Transforms/Utils/SSAUpdater.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

/// An access at each place that a walker comes to.
struct Walk {
  Access access;
  Course course;
  SmallVector<Instruction*, 2> instructions; ///< that make it, each in some of the iterations
};

class Planner {
public:
  Planner(Function& function, FunctionAnalysisManager& analyses)
      : loops_(analyses.getResult<LoopAnalysis>(function)),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(function)),
        evolution_(analyses.getResult<ScalarEvolutionAnalysis>(function)), marks_(*function.getParent()),
        quiet_(dominators_, evolution_) {}

  bool run() {
    bool changed = false;
    for (const Loop* loop : loops_.getLoopsInPreorder()) {
      if (!ends(*loop) || !QuietLoops::can_check_at_exits(*loop)) continue;
      for (const Walk& walk : walks(*loop)) {
        check_at_exits(*loop, walk);
        changed = true;
      }
    }
    return changed;
  }

private:
  bool ends(const Loop& loop);
  SmallVector<Access> candidates(const Loop& loop);
  SmallVector<Walk> walks(const Loop& loop);
  bool is_part_of(const Walk& walk, const Walk& other) const;
  void check_at_exits(const Loop& loop, const Walk& walk);

  LoopInfo& loops_;
  DominatorTree& dominators_;
  ScalarEvolution& evolution_;
  Marks marks_;
  QuietLoops quiet_;
};

bool Planner::ends(const Loop& loop) {
  if (quiet_.is_quiet(loop)) return true;
  const auto is_atomic = [](const BasicBlock* block) {
    return any_of(*block, [](const Instruction& instruction) { return instruction.isAtomic(); });
  };
  return quiet_.is_silent(loop) && Walkers::takes_pointers_on(loop) && none_of(loop.blocks(), is_atomic);
}

/// What `other` says of its addresses, in each iteration that makes both accesses, needs no saying of `walk`: they are
/// of the same bytes, and what races with `walk` races with `other`. As in LoopRanges, a read gives way to a write
/// after it in the same block, as the program's text has it in `a[i]++`.
bool Planner::is_part_of(const Walk& walk, const Walk& other) const {
  const Instruction& one = *walk.access.instruction;
  const Instruction& by = *other.access.instruction;
  if (walk.access.size != other.access.size || (walk.access.writes && !other.access.writes)) return false;
  if (walk.instructions.size() > 1 || other.instructions.size() > 1) return false;
  if (evolution_.getSCEV(walk.access.pointer) != evolution_.getSCEV(other.access.pointer)) return false;
  if (dominators_.dominates(&by, &one)) return true;
  return !walk.access.writes && other.access.writes && one.getParent() == by.getParent();
}

SmallVector<Access> Planner::candidates(const Loop& loop) {
  SmallVector<Access> all;
  for (BasicBlock* block : loop.blocks()) {
    const Loop* const inside = loops_.getLoopFor(block);
    // What has a known number of iterations is for the vectoriser.
    if (inside != &loop && evolution_.hasLoopInvariantBackedgeTakenCount(inside)) continue;
    for (Instruction& instruction : *block) {
      if (marks_.is_marked(instruction)) continue;
      const auto access = access_of(instruction);
      if (access && access->pointer->getType()->getPointerAddressSpace() == 0) all.push_back(*access);
    }
  }
  return all;
}

SmallVector<Walk> Planner::walks(const Loop& loop) {
  const bool countable = evolution_.hasLoopInvariantBackedgeTakenCount(&loop);
  const Walkers walkers(loop, loops_);
  const SmallVector<Access> accesses = candidates(loop);
  SmallVector<Walk> all;
  SmallPtrSet<const Instruction*, 8> grouped;
  for (const Access& access : accesses) {
    if (grouped.contains(access.instruction)) continue;
    Walk walk{access, {}, {access.instruction}};
    auto course = walkers.course(*access.pointer, {access.instruction->getParent()});
    if (!course) { // the same place by several instructions, each in some iterations
      SmallVector<const BasicBlock*, 4> blocks{access.instruction->getParent()};
      for (const Access& other : accesses)
        if (other.instruction != access.instruction && other.size == access.size && other.writes == access.writes &&
            evolution_.getSCEV(other.pointer) == evolution_.getSCEV(access.pointer)) {
          walk.instructions.push_back(other.instruction);
          blocks.push_back(other.instruction->getParent());
        }
      if (blocks.size() > 1) course = walkers.course(*access.pointer, blocks);
    }
    // What goes on in each iteration of a loop whose number is known is for the vectoriser.
    if (!course || (countable && course->always)) continue;
    walk.course = *course;
    if (walk.instructions.size() > 1) grouped.insert(walk.instructions.begin(), walk.instructions.end());
    all.push_back(std::move(walk));
  }
  SmallVector<Walk> result;
  for (const Walk& walk : all) {
    const bool said = any_of(all, [&](const Walk& other) { return &other != &walk && is_part_of(walk, other); });
    if (!said) result.push_back(walk);
  }
  constexpr std::size_t most = 8; // each needs a register or two in the loop
  if (result.size() > most) return {};
  for (const Walk& walk : all)
    for (Instruction* const instruction : walk.instructions) marks_.mark(*instruction);
  return result;
}

void Planner::check_at_exits(const Loop& loop, const Walk& walk) {
  const Access& access = walk.access;
  BasicBlock* const before = loop.getLoopPreheader();
  Type* const pointer = access.pointer->getType();
  Constant* const none = Constant::getNullValue(pointer);
  IRBuilder<> builder(before->getTerminator());
  Value* const first = Walkers::at_start(*access.pointer, walk.course, loop, builder);
  SSAUpdater last_accessed;
  last_accessed.Initialize(pointer, "fletcher.last");
  last_accessed.AddAvailableValue(before, none);
  for (Instruction* const instruction : walk.instructions)
    last_accessed.AddAvailableValue(instruction->getParent(), access_of(*instruction)->pointer);
  SmallVector<BasicBlock*, 4> exits;
  loop.getUniqueExitBlocks(exits);
  for (BasicBlock* exit : exits) {
    Value* const last = last_accessed.GetValueInMiddleOfBlock(exit);
    builder.SetInsertPoint(exit, exit->getFirstInsertionPt());
    Type* const wide = builder.getInt64Ty();
    const bool forward = walk.course.step > 0;
    const auto distance = static_cast<std::uint64_t>(forward ? walk.course.step : -walk.course.step);
    Value* const low = forward ? first : last;
    Value* const high = forward ? last : first;
    Value* const length = builder.CreateSub(builder.CreatePtrToInt(high, wide), builder.CreatePtrToInt(low, wide));
    Value* const nothing = builder.CreateICmpEQ(last, none);
    const auto unless_nothing = [&](Value* amount) {
      return builder.CreateSelect(nothing, builder.getInt64(0), amount);
    };
    Check check{low, nullptr, nullptr, nullptr, nullptr, access.writes};
    if (distance <= access.size) {
      check.size = unless_nothing(builder.CreateAdd(length, builder.getInt64(access.size)));
    } else {
      check.size = builder.getInt64(access.size);
      check.stride = builder.getInt64(distance);
      Value* const steps = builder.CreateExactUDiv(length, check.stride);
      check.count = unless_nothing(builder.CreateAdd(steps, builder.getInt64(1)));
    }
    insert_check(builder, check, access.instruction->getDebugLoc());
  }
}

} // namespace

PreservedAnalyses Walks::run(Function& function, FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(Attribute::SanitizeThread) || offloads(*function.getParent()))
    return PreservedAnalyses::all();
  if (analyses.getResult<LoopAnalysis>(function).empty() || !Planner(function, analyses).run())
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace fletcher::pass
