// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/loops/rolled_loops.hpp"

#include "lib/pass/accesses.hpp"
#include "lib/pass/needless/checked.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace fletcher::pass {

using namespace llvm;

namespace {

bool has_checks(const Loop& loop, const Marks& marks) {
  return any_of(loop.blocks(), [&](BasicBlock* block) {
    return any_of(*block, [&](Instruction& instruction) {
      return instruction.isAtomic() || (!marks.is_marked(instruction) && access_of(instruction));
    });
  });
}

} // namespace

PreservedAnalyses RolledLoops::run(Function& function, FunctionAnalysisManager& analyses) {
  if (!function.hasFnAttribute(Attribute::SanitizeThread)) return PreservedAnalyses::all();
  const Marks marks(*function.getParent());
  for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (hasUnrollTransformation(loop) == TM_Unspecified && has_checks(*loop, marks)) loop->setLoopAlreadyUnrolled();
  return PreservedAnalyses::all();
}

} // namespace fletcher::pass
