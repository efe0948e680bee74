// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first look at shadow memory, in the program's own code: where its cell tells that the strand has made the same
// access before, the library is not called. Relies on the layouts of access::Glance and access::Cell, and on reaching
// the thread's Glance by initial-exec thread-local storage.
#pragma once

#include <llvm/IR/PassManager.h>

namespace fletcher::pass {

/// Inserts looks and calls for the aligned accesses of 4 to 16 bytes that are not marked (checked.hpp), and marks them.
/// Where the program is to be small, all is left to the compiler's own instrumentation.
class InlineChecks : public llvm::PassInfoMixin<InlineChecks> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace fletcher::pass
