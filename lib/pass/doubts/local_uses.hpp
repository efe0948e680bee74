// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a function does with one of its local variables, and which of its writes reach which reads.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

namespace fletcher::pass {

enum class LocalUse {
  reads,
  changes, ///< a part of it
  fills,   ///< all of it
  begins,  ///< its life begins or ends: nothing that was in it is read after that
  given    ///< its address goes to a call or elsewhere: it may be read and changed
};

class LocalUses {
public:
  struct At {
    llvm::Instruction* instruction;
    LocalUse use;
  };

  /// Complexity: O(uses).
  explicit LocalUses(const llvm::AllocaInst& local);

  const llvm::AllocaInst& local() const { return local_; }
  /// All uses, by blocks.
  llvm::ArrayRef<At> in(const llvm::BasicBlock& block) const {
    const auto found = blocks_.find(&block);
    return found == blocks_.end() ? llvm::ArrayRef<At>() : found->second;
  }
  bool any(llvm::function_ref<bool(const At&)> holds) const;

  /// Calls `found` for each use that meets what is in the variable at the begin of `from`, and for each that meets what
  /// a use of `writers` leaves in it. Only blocks of which `inside` is true are followed. Complexity: O(blocks).
  void reached_from(const llvm::BasicBlock& from, llvm::function_ref<bool(const llvm::BasicBlock&)> inside,
                    llvm::function_ref<void(const At&)> found) const;
  void reached_from(llvm::ArrayRef<const llvm::Instruction*> writers, llvm::function_ref<void(const At&)> found) const;

private:
  void follow(llvm::SmallVectorImpl<const llvm::BasicBlock*>& work,
              llvm::function_ref<bool(const llvm::BasicBlock&)> inside,
              llvm::function_ref<void(const At&)> found) const;
  void add(llvm::Value& pointer, bool whole);

  const llvm::AllocaInst& local_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::SmallVector<At, 4>> blocks_;
};

} // namespace fletcher::pass
