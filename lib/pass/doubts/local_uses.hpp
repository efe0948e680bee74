// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a function does with one of its local variables, or with a part of one, and which of its writes reach which
// reads.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>

namespace fletcher::pass {

/// Bytes of a variable.
struct Part {
  std::uint64_t begin = 0, end = 0;

  bool meets(const Part& other) const { return begin < other.end && other.begin < end; }
  bool covers(const Part& other) const { return begin <= other.begin && other.end <= end; }
};

/// Such that each access at a place that is known is to all of a part or to nothing of it: a structure's members. One,
/// if they are many. Complexity: O(uses).
llvm::SmallVector<Part, 4> parts_of(const llvm::AllocaInst& local);

enum class LocalUse {
  reads,
  changes, ///< a part of it, or all of it perhaps
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
  LocalUses(const llvm::AllocaInst& local, const Part& part);

  const llvm::AllocaInst& local() const { return local_; }
  /// The store changes that part of the variable, and no other one.
  bool are_of(const llvm::StoreInst& store) const;
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

  const llvm::AllocaInst& local_;
  Part part_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::SmallVector<At, 4>> blocks_;
};

} // namespace fletcher::pass
