// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges that a loop checks one after the other, each beginning where the last one ended, or ending where it began:
// rows of a sparse matrix, lists of neighbours, the two cursors of a quicksort, anything of varying length that lies
// end to end. They are put together while the loop runs and checked when the next one lies elsewhere, or after the
// loop. As in Walks, nothing in these loops could begin another strand. One that never ends would not report its last
// range.
#pragma once

#include <llvm/IR/PassManager.h>

namespace fletcher::pass {

/// To run after LoopRanges, whose checks of loops inside of a loop it takes.
class ConsecutiveRanges : public llvm::PassInfoMixin<ConsecutiveRanges> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace fletcher::pass
