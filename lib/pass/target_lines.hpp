// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang gives the calls that run target regions and map data no line. The region's name has it, or what the call tells
// the runtime.
#pragma once

#include <llvm/IR/PassManager.h>

namespace fletcher::pass {

/// Complexity: the function's length.
class TargetLines : public llvm::PassInfoMixin<TargetLines> {
public:
  static bool isRequired() { return true; } // -O0, too
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace fletcher::pass
