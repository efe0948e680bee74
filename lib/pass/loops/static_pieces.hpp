// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's part of a loop with a static schedule is executed in pieces, as a larger team would have divided it: the
// library says how many iterations come next, and each piece is a unit of work (docs/design/units.md). Chunks of a
// given size stay whole. Relies on static_loops.hpp and own_values.hpp.
#pragma once

#include <llvm/IR/PassManager.h>

namespace fletcher::pass {

/// To be run before anything is optimised. The loop itself is not touched: what is done for it later is done for each
/// piece.
class StaticPieces : public llvm::PassInfoMixin<StaticPieces> {
public:
  explicit StaticPieces(bool optimises) : optimises_(optimises) {}
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

private:
  bool optimises_;
};

} // namespace fletcher::pass
