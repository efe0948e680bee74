// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of which the program says that their iterations may run in the lanes of vectors at the same time (simd),
// although one iteration needs what another one does. No run shows that, as there is no second thread: it is read off
// the addresses, and reported when such a loop has run long enough. Relies on the metadata that clang gives to such
// loops and their accesses, and on loops as they are before the optimiser changes them.
#pragma once

#include <llvm/IR/PassManager.h>

namespace fletcher::pass {

/// Finds pairs of accesses of one loop, made in each of its iterations, whose addresses go on by the same step and are
/// a whole number of steps apart, and whose dependence is lexically backward (Allen and Kennedy, Optimizing Compilers
/// for Modern Architectures, 2001): the one that has to come first stands later in the iteration, so that lanes which
/// execute each statement together make it second. Forward dependences survive that, and are not reported. Complexity:
/// the square of such a loop's accesses.
class LaneDependences : public llvm::PassInfoMixin<LaneDependences> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace fletcher::pass
