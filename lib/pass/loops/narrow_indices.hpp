// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices that are counted in 32 bits and become part of an address in 64. Scalar evolution knows nothing of the
// address where it cannot show that the index does not wrap around (`a[i * width + j]` of unsigned numbers). It nearly
// never does, and whether it does can be asked before the loop.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/InstrTypes.h>

namespace fletcher::pass {

/// A condition that does not change while the loop runs.
struct Guard {
  llvm::CmpInst::Predicate predicate;
  const llvm::SCEV* left;
  const llvm::SCEV* right;
};

/// The address, as it is in an iteration of `loop`, as if no index wrapped around; adds to `guards` what has to hold
/// for that. Complexity: the size of the expression.
const llvm::SCEV* with_wide_indices(const llvm::SCEV* address, const llvm::Loop& loop, llvm::ScalarEvolution& evolution,
                                    llvm::SmallVectorImpl<Guard>& guards);

} // namespace fletcher::pass
