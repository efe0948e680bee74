// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions in which nothing can happen that a report would show: no access that is checked, and no call but of such
// functions (a recursion over numbers). Nobody asks for their frames, so the compiler's instrumentation leaves them
// out.
#pragma once

#include <llvm/IR/PassManager.h>

namespace fletcher::pass {

/// Comes after all that moves checks or leaves them out. Complexity: O(instructions) for each step of the longest chain
/// of calls that turns out not to be silent.
class SilentFunctions : public llvm::PassInfoMixin<SilentFunctions> {
public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

} // namespace fletcher::pass
