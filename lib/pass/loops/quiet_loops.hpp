// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in which nothing synchronises, so that nothing in them could begin another strand: what an iteration accesses
// can be checked in a later one, or after the loop. Where they are sure to go on to their end, too, what each iteration
// accesses can be checked before the first.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>

namespace fletcher::pass {

/// How often a block of a loop is executed each time that the loop is entered.
struct Executions {
  const llvm::SCEV* times = nullptr; ///< 64 bits wide; null: at least once, but nobody knows how often
  bool may_be_zero = false;
};

class QuietLoops {
public:
  QuietLoops(llvm::DominatorTree& dominators, llvm::ScalarEvolution& evolution)
      : dominators_(dominators), evolution_(evolution) {}

  /// Of the loop and all loops inside: nothing synchronises. Complexity: the size of the loop, the first time.
  bool is_silent(const llvm::Loop& loop);
  /// The same, and none of them may be endless.
  bool is_quiet(const llvm::Loop& loop);
  /// What the loop accessed can be checked where it ends: at each of its few exits. Not where it has atomic operations
  /// that read and write, by which a thread may learn which one it is: what it did before is judged otherwise.
  static bool can_check_at_exits(const llvm::Loop& loop);
  /// Of a block of a quiet loop that is not in a loop inside of it; nothing where it is not executed in each iteration.
  std::optional<Executions> executions(const llvm::Loop& loop, const llvm::BasicBlock& block) const;

private:
  enum class Kind { loud, silent, quiet };
  Kind kind(const llvm::Loop& loop);
  Kind find_kind(const llvm::Loop& loop);

  llvm::DominatorTree& dominators_;
  llvm::ScalarEvolution& evolution_;
  llvm::DenseMap<const llvm::Loop*, Kind> kinds_;
};

} // namespace fletcher::pass
