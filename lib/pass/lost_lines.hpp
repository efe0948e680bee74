// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives accesses a source line that the optimiser took from them. Where it keeps a variable in a register while a loop
// runs, the load ahead of the loop has no line, and a report would name that of the construct around it. Nor has the
// store that it makes of one before a loop and one at the end of the loop.
#pragma once

#include <llvm/IR/PassManager.h>

namespace fletcher::pass {

/// A load without a line gets that of a store to the same pointer that comes after it, or else of a load, or of what
/// uses the value; a store that of a load on the way to it. Complexity: the function's length, and the uses of the
/// pointers of such loads.
class LostLines : public llvm::PassInfoMixin<LostLines> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace fletcher::pass
