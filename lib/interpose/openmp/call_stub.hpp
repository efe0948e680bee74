// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stubs in front of entry points of the OpenMP runtime: they look at the arguments and jump on, so that the runtime
// sees the program's return address. A stub (x86-64) pushes rdi, loads a number into edi and the address of a
// CallHandler into rax, and jumps to fletcher_stub_rest, which keeps the argument registers and asks where to go.
#pragma once

#include <cstdint>

namespace fletcher::interpose {

using Code = void (*)();

/// Gets the number and the caller's rdi rsi rdx rcx r8 r9, which it may change, then the return address and what is
/// passed on the stack. Returns where to go on.
using CallHandler = Code(std::uint32_t which, std::uint64_t* registers);

/// What stands behind an entry point of this library. There must be something: the process ends with a line otherwise.
Code behind(const char* name);

} // namespace fletcher::interpose
