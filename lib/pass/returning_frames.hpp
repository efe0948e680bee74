// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables whose addresses a task has, where their function returns. Without optimisation the stack pointer shows
// that; a function that was put into its caller has no frame that goes.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/PassManager.h>

namespace fletcher::pass {

/// Has the library told which variables a task that is created has copies of pointers to; and where a function returns
/// of whose variables a task got the address (by reference, by such a copy, or by a function that was given it), on a
/// way without the end of a taskgroup or a barrier; and whether each such way has a taskwait. To be run before
/// functions are put into others. Ends of blocks do not count: clang ends variables of its own, such as those of a
/// task_reduction, before the tasks have ended.
class ReturningFrames : public llvm::PassInfoMixin<ReturningFrames> {
public:
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

private:
  /// It may return before tasks have ended that it created, or functions that it calls.
  bool leaves_tasks(llvm::Function& function);
  bool calls_leaving(llvm::Instruction& instruction);
  llvm::DenseMap<const llvm::Function*, bool> leaves_tasks_;
};

} // namespace fletcher::pass
