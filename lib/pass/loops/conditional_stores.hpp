// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the compiler from reading a variable before a loop that changes it under a condition only: the sections of a
// construct, or `if (mine(i)) count++`. Where the condition never holds the program does not touch the variable, which
// may be another thread's at that moment; LLVM 19 moves the load out of the loop even so, because it cannot trap.
#pragma once

#include <llvm/IR/PassManager.h>

namespace fletcher::pass {

/// Before anything is optimised. What is inlined later must be in registers by then: variables that only calls of small
/// functions know would be held, too. So where LLVM first offers to look at functions, before it inlines, nothing is
/// done.
class AwaitInlining : public llvm::PassInfoMixin<AwaitInlining> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Before loops are optimised: makes such stores volatile, so that they and the loads of their memory stay in place.
class HoldConditionalStores : public llvm::PassInfoMixin<HoldConditionalStores> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// After that: makes them what they were.
class ReleaseConditionalStores : public llvm::PassInfoMixin<ReleaseConditionalStores> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace fletcher::pass
