// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that a task uses by reference, at the end of their block. Without optimisation a returned function shows by
// the stack pointer; one that was put into its caller does not.
#pragma once

#include <llvm/IR/PassManager.h>

namespace fletcher::pass {

/// Has the library told where the life of a variable ends whose address a task may have got on a way without a
/// taskwait, the end of a taskgroup, or a barrier. To be run before functions are put into others.
class EndedVariables : public llvm::PassInfoMixin<EndedVariables> {
public:
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace fletcher::pass
