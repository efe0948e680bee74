// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables whose addresses a task has, where their function returns. Without optimisation the stack pointer shows
// that; a function that was put into its caller has no frame that goes.
#pragma once

#include <llvm/IR/PassManager.h>

namespace fletcher::pass {

/// Has the library told where a function returns of whose variables a task got the address (by reference, or as a copy
/// of the function's own pointers), on a way without the end of a taskgroup or a barrier; and whether each such way has
/// a taskwait. To be run before functions are put into others.
/// Ends of blocks do not count: clang ends variables of its own, such as those of a task_reduction, before the tasks
/// have ended.
class ReturningFrames : public llvm::PassInfoMixin<ReturningFrames> {
public:
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace fletcher::pass
