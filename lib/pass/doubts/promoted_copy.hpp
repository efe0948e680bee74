// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy of a module that is not optimised, in which local variables are in registers, as the optimiser would have
// them: there the flow of values is seen. It lives as long as it is looked at.
#pragma once

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <memory>

namespace fletcher::pass {

class PromotedCopy {
public:
  /// Complexity: O(size of the module).
  explicit PromotedCopy(const llvm::Module& module);

  llvm::Module& module() { return *copy_; }
  /// Of a call that is made for what it does.
  llvm::CallBase& of(const llvm::CallBase& call) { return llvm::cast<llvm::CallBase>(*copies_[&call]); }

private:
  llvm::ValueToValueMapTy copies_;
  std::unique_ptr<llvm::Module> copy_;
};

} // namespace fletcher::pass
