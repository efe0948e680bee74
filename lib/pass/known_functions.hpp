// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions of libm, of MPI, of the compiler's own library and of the OpenMP runtime do and don't do, as
// attributes that their declarations lack. Loops that call them can have their accesses checked as ranges then, and a
// loop's bounds, which the runtime only fills in, stay in registers whatever the loop stores.
#pragma once

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/PassManager.h>

namespace fletcher::pass {

/// The pass has found that the call gets numbers and gives one, and does nothing else but set errno.
bool only_calculates(const llvm::CallBase& call);

/// Before anything is optimised.
class KnownFunctions : public llvm::PassInfoMixin<KnownFunctions> {
public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

} // namespace fletcher::pass
