// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses in loops of which nobody knows beforehand how often they run or what they go past: searches, merges,
// filters. Where the address walks, staying or going on by one step in each iteration, all that was accessed is one
// range when the loop ends, and is checked there. This is right because the loops have nothing in them that could begin
// another strand: where in a strand an access is checked makes no difference.
#pragma once

#include <llvm/IR/PassManager.h>

namespace fletcher::pass {

/// To run after LoopRanges, which brings loops into the form that this relies on. Inserts the checks at the exits of
/// the loops, and marks the accesses that they cover (checked.hpp).
class Walks : public llvm::PassInfoMixin<Walks> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace fletcher::pass
