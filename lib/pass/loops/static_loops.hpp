// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Worksharing loops (and sections) with a static schedule, as clang makes code of them before anything is optimised: a
// call of the runtime writes the thread's bounds to two variables, and a loop goes from one to the other.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

namespace fletcher::pass {

struct StaticLoop {
  llvm::CallInst* init;         ///< of the runtime, that writes the bounds
  llvm::AllocaInst *low, *high; ///< the first and the last iteration, included
  llvm::AllocaInst* stride;     ///< from one chunk to the next
  llvm::Value* chunk;           ///< its size
  llvm::StoreInst* start;       ///< copies `low` to the loop's counter
  /// Without a chunk size: of the thread's iterations. With one: of its chunks, each of which begins with `start`.
  llvm::Loop* loop;
  llvm::BasicBlock* exit; ///< where the header goes on when no iteration is left
  bool chunked;
  bool sections; ///< its iterations are those of a sections construct
  bool is_signed;
};

/// Those of the function whose code is as expected. Complexity: O(size of the function).
llvm::SmallVector<StaticLoop, 4> static_loops(llvm::Function& function, const llvm::LoopInfo& loops);

/// Variables that only the compiler's code for OpenMP knows: bounds, counters, lists of copies for a reduction, of
/// dependences and the like.
bool is_of_compiler(const llvm::AllocaInst& local);
/// The private copy of a list item of a reduction. No program can rely on what it holds before all are combined.
bool is_copy_for_reduction(const llvm::AllocaInst& local);

} // namespace fletcher::pass
