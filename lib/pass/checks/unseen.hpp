// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that the compiler's own instrumentation passes by: of other sizes than 1, 2, 4, 8 and 16 bytes (wide
// vectors, long double), masked ones, gathers and scatters, elements of local arrays whose address is known elsewhere,
// and atomic updates of floating-point numbers and to the larger or smaller of two integers.
#pragma once

#include <llvm/IR/PassManager.h>

namespace fletcher::pass {

/// Inserts the checks, and gives atomic updates a form that is seen.
class Unseen : public llvm::PassInfoMixin<Unseen> {
public:
  /// Also without optimisation, which passes its functions by otherwise.
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace fletcher::pass
