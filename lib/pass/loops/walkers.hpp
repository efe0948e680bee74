// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walkers: variables of a loop that stay or go on by one constant step in each iteration, whatever decides it, and
// addresses that depend on one of them. Scalar evolution knows those that always go on only.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <optional>

namespace fletcher::pass {

/// Where an address goes while a loop runs.
struct Course {
  llvm::PHINode* walker; ///< the address depends on it: a variable of the loop, or of a loop inside
  llvm::PHINode* outer;  ///< what the loop knows the walker as: itself, but in a loop inside
  std::int64_t step;     ///< by so many bytes when the walker goes on; not 0
  bool always;           ///< in every iteration
};

class Walkers {
public:
  Walkers(const llvm::Loop& loop, const llvm::LoopInfo& loops) : loop_(loop), loops_(loops) {}

  /// Of an address that is accessed in each of `blocks`, which are in the loop: nothing where it has no walker, or one
  /// that may go on without an access to the place that it leaves. So the places that are accessed are all those from
  /// the walker's start to the last one.
  std::optional<Course> course(llvm::Value& address, llvm::ArrayRef<const llvm::BasicBlock*> blocks) const;

  /// The address where the walker has not gone on yet, computed before the loop; means nothing where the loop does not
  /// make the access.
  static llvm::Value* at_start(llvm::Value& address, const Course& course, const llvm::Loop& loop,
                               llvm::IRBuilder<>& builder);

  /// Each iteration of the loop, and of those inside that may be endless, takes a pointer on: the loop would run out of
  /// memory before long. LLVM makes such a nest of one loop that goes on at several places, as a merge does.
  static bool takes_pointers_on(const llvm::Loop& loop);

private:
  struct Advance;
  struct Linear;
  std::optional<Linear> linear(llvm::Value& value, unsigned depth) const;
  llvm::PHINode* outer(llvm::PHINode& walker) const;
  bool goes_on(const llvm::Value& next, const llvm::BasicBlock& chosen, unsigned depth, Advance& all) const;

  const llvm::Loop& loop_;
  const llvm::LoopInfo& loops_;
};

} // namespace fletcher::pass
