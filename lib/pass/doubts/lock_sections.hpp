// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that take a lock or let go of one, as far as the compiler sees which one it is.
#pragma once

#include <llvm/ADT/APInt.h>
#include <llvm/IR/InstrTypes.h>

namespace fletcher::pass {

/// What an address is made of: where it was kept in a local variable, what that was given.
struct Place {
  const llvm::Value* base = nullptr;
  llvm::APInt offset;
  friend bool operator==(const Place&, const Place&) = default;
};

Place place_of(const llvm::Value& pointer, const llvm::DataLayout& layout);

struct Locking {
  llvm::StringRef take, leave;
  unsigned lock; ///< which argument
};

/// Null where the call takes no lock that another call in the same function may release.
const Locking* locking_of(const llvm::CallBase& call);

/// The instruction releases the lock that `take` has taken.
bool lets_go(const llvm::Instruction& instruction, const llvm::CallBase& take);

} // namespace fletcher::pass
