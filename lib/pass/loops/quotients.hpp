// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divisions in the addresses of a loop (`table[k * (n / length)]`). One whose divisor might be zero must not be
// inserted where a range is checked; but the program has mostly done it by then, as it does not depend on the loop.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>

namespace fletcher::pass {

class Quotients {
public:
  /// Looks at every instruction once.
  Quotients(llvm::Function& function, llvm::ScalarEvolution& evolution, llvm::DominatorTree& dominators);

  /// The expression, in which results that are known at `place` stand for the divisions of which they are the results.
  const llvm::SCEV* replaced(const llvm::SCEV* expression, const llvm::Instruction& place) const;

private:
  llvm::ScalarEvolution& evolution_;
  llvm::DominatorTree& dominators_;
  llvm::DenseMap<const llvm::SCEV*, llvm::SmallVector<llvm::Instruction*, 1>> results_;
};

} // namespace fletcher::pass
