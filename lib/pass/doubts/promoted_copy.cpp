// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/pass/doubts/promoted_copy.hpp"

#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

namespace fletcher::pass {

using namespace llvm;

PromotedCopy::PromotedCopy(const Module& module) : copy_(CloneModule(module, copies_)) {
  FunctionAnalysisManager analyses;
  PassBuilder().registerFunctionAnalyses(analyses);
  FunctionPassManager passes;
  passes.addPass(PromotePass());
  passes.addPass(EarlyCSEPass()); // the same place is the same value
  for (Function& function : *copy_)
    if (!function.isDeclaration()) passes.run(function, analyses);
}

} // namespace fletcher::pass
