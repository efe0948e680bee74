// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses whose bytes were accessed before in the same strand, on every way that leads there: the library would find
// them recorded. Available expressions (Kildall, POPL 1973), where the expressions are accesses and what may begin
// another strand makes all of them unavailable.
#pragma once

#include <llvm/IR/PassManager.h>

namespace fletcher::pass {

/// Marks them (checked.hpp).
class Redundancy : public llvm::PassInfoMixin<Redundancy> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace fletcher::pass
