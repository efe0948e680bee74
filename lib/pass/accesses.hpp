// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory accesses of a function that have to be checked: the plain loads and stores that the compiler's own
// instrumentation (LLVM's ThreadSanitizer pass) would call the library for, as a pass sees them before it.
#pragma once

#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <optional>

namespace fletcher::pass {

struct Access {
  llvm::Instruction* instruction = nullptr;
  llvm::Value* pointer = nullptr;
  std::uint64_t size = 0; ///< bytes
  bool writes = false;
};

/// The access that `instruction` makes; nothing where it makes none, where it is atomic or volatile, where the compiler
/// does not check it for a reason of its own (`nosanitize`, writes of virtual table pointers), or where nobody else can
/// see the memory: constants, and local variables whose address stays in the function. Complexity: that of the search
/// for captures of a local variable.
std::optional<Access> access_of(llvm::Instruction& instruction);

/// The same also where nobody else can see the memory. Complexity: O(1).
std::optional<Access> plain_access_of(llvm::Instruction& instruction);

/// The pointer (or each of a vector of them) is into memory that only the running function can see, or that never
/// changes.
bool nobody_else_sees(const llvm::Value* pointer, bool writes);

/// The instruction has a source line; one that the optimiser made out of several may have none.
bool has_line(const llvm::Instruction& instruction);

/// Both stand on the same source line, inlined at the same place: one report serves both.
bool on_same_line(const llvm::Instruction& a, const llvm::Instruction& b);

} // namespace fletcher::pass
