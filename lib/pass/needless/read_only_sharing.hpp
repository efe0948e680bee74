// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that a parallel region shares and only reads: bounds, widths, pointers to arrays. Its function gets their
// addresses, and the compiler cannot know that what a loop stores to an array of integers or bytes is not one of them.
// So it reads them anew in each iteration, and no address in the loop is known to advance evenly. Relies on the
// function that clang makes of a region being called in one place.
#pragma once

#include <llvm/IR/PassManager.h>

namespace fletcher::pass {

/// Says that nothing else is at the address of such a variable. When variables are in registers, and before loops are
/// optimised.
class ReadOnlySharing : public llvm::PassInfoMixin<ReadOnlySharing> {
public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace fletcher::pass
