// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of few bytes (a structure of two numbers) that stand as calls of memcpy or memmove: as a load and a store,
// which is what the processor does, they are accesses like others, for which a check may be needless or stand
// elsewhere.
#pragma once

#include <llvm/IR/PassManager.h>

namespace fletcher::pass {

/// Makes a load and a store of each copy of 1, 2, 4, 8 or 16 bytes, in checked functions.
class SmallCopies : public llvm::PassInfoMixin<SmallCopies> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace fletcher::pass
