// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walkers: variables of a loop that stay or go on by one constant step in each iteration, whatever decides it, and
// addresses that depend on one of them. Scalar evolution knows those that always go on only.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <optional>

namespace fletcher::pass {

/// Where an address goes while a loop runs.
struct Course {
  llvm::PHINode* walker;
  std::int64_t step; ///< by so many bytes when the walker goes on; not 0
  bool always;       ///< in every iteration
};

class Walkers {
public:
  Walkers(const llvm::Loop& loop, const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators)
      : loop_(loop), loops_(loops), dominators_(dominators) {}

  /// Of an address that is accessed in `block`, a block of the loop that is in none inside of it: nothing where it has
  /// no walker, or one that may go on without an access to the place that it leaves. So the places that are accessed
  /// are all those from the walker's start to the last one.
  std::optional<Course> course(llvm::Value& address, const llvm::BasicBlock& block) const;

  /// The address where the walker has not gone on yet, computed before the loop; means nothing where the loop does not
  /// make the access.
  static llvm::Value* at_start(llvm::Value& address, const llvm::PHINode& walker, const llvm::Loop& loop,
                               llvm::IRBuilder<>& builder);

private:
  struct Advance;
  struct Linear;
  std::optional<Linear> linear(llvm::Value& value, unsigned depth) const;
  bool goes_on(const llvm::Value& next, const llvm::PHINode& walker, const llvm::BasicBlock& access,
               const llvm::BasicBlock& chosen, unsigned depth, Advance& all) const;

  const llvm::Loop& loop_;
  const llvm::LoopInfo& loops_;
  const llvm::DominatorTree& dominators_;
};

} // namespace fletcher::pass
