// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a declared reduction's initializer reads of the original. Clang makes the copies without any order to other
// threads' combinations, which write the original; the source asks for no order either.
#pragma once

#include <llvm/IR/PassManager.h>

namespace fletcher::pass {

/// Has the library ignore what such an initializer does. Before functions are put into others.
class InitialisedCopies : public llvm::PassInfoMixin<InitialisedCopies> {
public:
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace fletcher::pass
