// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses in loops whose addresses advance evenly are checked once, before the loop, as a range. This is right because
// the loops have nothing in them that could begin another strand: where in a strand an access is checked makes no
// difference. Relies on scalar evolution for addresses and numbers of iterations.
#pragma once

#include <llvm/IR/PassManager.h>

namespace fletcher::pass {

/// Inserts the checks of ranges and marks the accesses that they cover (checked.hpp).
class LoopRanges : public llvm::PassInfoMixin<LoopRanges> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace fletcher::pass
