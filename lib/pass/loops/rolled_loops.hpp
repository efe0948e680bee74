// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps loops in which accesses are checked one by one from being unrolled: that gains nothing where each iteration
// calls the library, and each copy of an access would be a place of its own, of which the checker has to keep two cells
// where one line accessed the halves of a granule.
#pragma once

#include <llvm/IR/PassManager.h>

namespace fletcher::pass {

/// Marks such loops for the optimiser, after ranges were found and before loops are unrolled by a number that is not
/// that of their iterations. What the program asks for in a pragma stays.
class RolledLoops : public llvm::PassInfoMixin<RolledLoops> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace fletcher::pass
