// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that go through a table by one counter and divide it by the length of a row, as `collapse` has the compiler do:
// no address in them advances evenly. They are made two, one around the other (strip mining), so that the quotient
// stays the same in the inner one, and the remainder is counted. Iterations keep their order, so that a row which the
// program does not begin or end with is as good as any other.
#pragma once

#include <llvm/IR/PassManager.h>

namespace fletcher::pass {

/// Before loops are looked at for ranges. A table of several dimensions becomes a nest of as many loops.
class Rows : public llvm::PassInfoMixin<Rows> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace fletcher::pass
