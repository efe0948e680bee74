// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the library's functions that check accesses (lib/instrument), as a pass inserts them.
#pragma once

#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/IRBuilder.h>

namespace fletcher::pass {

/// What is told to the library in one call: `count` times `size` bytes, `stride` bytes apart. Without a count it is one
/// contiguous piece; or the elements of a vector, of `size` bytes each, of which the bit in `lanes` is set. All but
/// `first` are 64-bit integers.
struct Check {
  llvm::Value* first = nullptr;
  llvm::Value* size = nullptr;
  llvm::Value* stride = nullptr;
  llvm::Value* count = nullptr;
  llvm::Value* lanes = nullptr;
  bool writes = false;
  bool is_aligned = false; ///< one piece of 1, 2, 4, 8 or 16 bytes, at a multiple of that or of 8
};

/// Inserts the call where `builder` stands. It gets the place `location`, which the report will name.
void insert_check(llvm::IRBuilder<>& builder, const Check& check, const llvm::DebugLoc& location);

/// The call is such a one.
bool is_check(const llvm::CallBase& call);

} // namespace fletcher::pass
