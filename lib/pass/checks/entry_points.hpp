// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the library's functions that check accesses (lib/instrument), as a pass inserts them.
#pragma once

#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/IRBuilder.h>

namespace fletcher::pass {

/// What the library gets in one call: `count` times `size` bytes, `stride` bytes apart. Without a count it is one
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
  bool is_untold = false;  ///< and a look at shadow memory did not find it (inline_checks.cpp)
};

/// Inserts the call where `builder` stands. It gets the place `location`, which the report will name.
void insert_check(llvm::IRBuilder<>& builder, const Check& check, const llvm::DebugLoc& location);

/// Two accesses of a loop's iterations that need an order which lanes do not keep. All but `address` are 64-bit
/// integers.
struct Lanes {
  llvm::Value* address = nullptr; ///< that the earlier access has in the first iteration; null where unknown
  llvm::Value* size = nullptr;
  llvm::Value* iterations = nullptr; ///< how many there were
  llvm::Value* distance = nullptr;   ///< of the later access's iteration from the earlier one's
  bool earlier_writes = false, later_writes = false;
};

/// Inserts the two calls that tell it: each gets the place of its access.
void insert_lanes(llvm::IRBuilder<>& builder, const Lanes& lanes, const llvm::DebugLoc& earlier,
                  const llvm::DebugLoc& later);

/// Inserts a question: do `count` reads side by side, from `first` on, of 8 bytes each and aligned, need no check? A
/// bit.
llvm::Value* insert_question(llvm::IRBuilder<>& builder, llvm::Value* first, std::uint64_t count);

/// The call is a check.
bool is_check(const llvm::CallBase& call);

} // namespace fletcher::pass
