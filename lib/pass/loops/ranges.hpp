// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of bytes that a loop accesses, as expressions of scalar evolution: pieces of equal size at equal distances, and
// what becomes of them when an enclosing loop repeats them.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>

#include <optional>

namespace fletcher::pass {

/// `count` pieces of `size` bytes, the first at `first`, each `stride` bytes after the one before. Without a count: one
/// piece. All but `first` (a pointer) are 64 bits wide. Byte for byte what is accessed, no more.
struct Range {
  const llvm::SCEV* first = nullptr;
  const llvm::SCEV* size = nullptr;
  const llvm::SCEV* stride = nullptr;
  const llvm::SCEV* count = nullptr;

  bool is_invariant(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) const;
};

/// All that `range`, as it is in one iteration of `loop`, covers in `times` iterations; nothing where that is no range.
/// `times` must be positive unless `may_be_zero`.
std::optional<Range> repeated(const Range& range, const llvm::Loop& loop, const llvm::SCEV* times, bool may_be_zero,
                              llvm::ScalarEvolution& evolution);

} // namespace fletcher::pass
