// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What may begin another strand, or change which locks are held. Between two points of a function without any of it on
// the way, it does not matter where an access is checked: the strand is the same.
#pragma once

#include <llvm/IR/Instruction.h>

namespace fletcher::pass {

/// By an atomic operation that reads and writes a thread may draw a number of its own.
bool is_read_modify_write(const llvm::Instruction& instruction);

/// True where it is not known for sure that the instruction neither synchronises nor asks the OpenMP runtime for
/// anything: unknown calls, inline assembler, volatile accesses, fences, atomic ones that are not relaxed.
bool may_synchronise(const llvm::Instruction& instruction);

} // namespace fletcher::pass
