// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What other processes have done to this one's memory, as operations of the checker: they were made between a moment
// that a mark keeps, and a call of this process.
#pragma once

#include "lib/interpose/mpi/call.hpp"

#include <cstddef>
#include <string>

namespace fletcher::interpose::mpi::operations {

/// Something may go on from now on, so that the checker keeps what is done since. `since` names the moment.
void mark(const Call& call, Address since);
void forget_mark(Address since);

/// Another process's operation, begun at `pc` of the program, was made on this one's memory: after the mark `since`
/// was made, and before `call` returned.
void done_by_another(const Call& call, Address since, Address pc, const char* function, Address begin, std::size_t size,
                     access::Kind kind);
/// The function that was called before `pc` then; empty where there was none.
std::string function_of_another(Address pc);

} // namespace fletcher::interpose::mpi::operations
