// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of several fields of a record in a table, at a place that nobody foresees. Where several threads read the
// table, it is by chance whose cells come first: a branch on that for each field would be mispredicted, with the cache
// misses of what follows behind it. So the library is asked once for all fields, and looks at all cells together.
// Relies on synchronisation.hpp.
#pragma once

#include <llvm/IR/PassManager.h>

namespace fletcher::pass {

/// Inserts the question, and the checks where its answer is no, for aligned reads of 8 or 16 bytes each, 32 bytes or
/// more side by side, that are not marked (checked.hpp), and marks them.
class RecordReads : public llvm::PassInfoMixin<RecordReads> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace fletcher::pass
