// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the optimiser makes of the remainder of a division before plugins see loops: a product that is taken away from
// the counter, both shifted where the program goes on in narrower integers.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>

namespace fletcher::pass {

/// What remains of a counter, shifted to the left.
struct Remainder {
  llvm::Instruction* result;
  unsigned shift;
};

struct Quotient {
  const llvm::Instruction& result;
  const llvm::Value& counter;
  const llvm::Value& length; ///< by which it is divided
};

/// The counter less the product of both others: how a remainder is computed where the quotient is there.
void find_remainders(const llvm::Loop& loop, const Quotient& quotient, llvm::SmallVectorImpl<Remainder>& found);

/// Where a remainder goes, as a number of so many bits.
struct Narrowed {
  llvm::Instruction* result;
  unsigned bits;
  std::int64_t added; ///< to the remainder before
  unsigned shift;     ///< of the result
};

/// All of them.
void find_narrowed(const Remainder& remainder, llvm::SmallVectorImpl<Narrowed>& found);

} // namespace fletcher::pass
