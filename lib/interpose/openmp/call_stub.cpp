// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/openmp/call_stub.hpp"

#include "lib/interpose/real.hpp"

#include <unistd.h>

#include <cstring>

namespace fletcher::interpose {

Code behind(const char* name) {
  void* const found = next_definition(name);
  if (found != nullptr) return reinterpret_cast<Code>(found);
  constexpr char before[] = "fletcher: the OpenMP runtime has no ";
  (void)!write(STDERR_FILENO, before, sizeof before - 1);
  (void)!write(STDERR_FILENO, name, std::strlen(name));
  (void)!write(STDERR_FILENO, "\n", 1);
  _exit(127);
}

} // namespace fletcher::interpose

#if defined(__x86_64__)
// The jump leaves 0 in rax, which tells a function with any number of arguments that none is in a vector register.
asm(R"asm(
  .text
  .globl fletcher_stub_rest
  .hidden fletcher_stub_rest
  .type fletcher_stub_rest, @function
fletcher_stub_rest:
  .cfi_startproc
  .cfi_def_cfa_offset 16
  pop %r11
  .cfi_adjust_cfa_offset -8
  push %r9
  .cfi_adjust_cfa_offset 8
  push %r8
  .cfi_adjust_cfa_offset 8
  push %rcx
  .cfi_adjust_cfa_offset 8
  push %rdx
  .cfi_adjust_cfa_offset 8
  push %rsi
  .cfi_adjust_cfa_offset 8
  push %r11
  .cfi_adjust_cfa_offset 8
  mov %rsp, %rsi
  sub $8, %rsp
  .cfi_adjust_cfa_offset 8
  call *%rax
  add $8, %rsp
  .cfi_adjust_cfa_offset -8
  pop %rdi
  .cfi_adjust_cfa_offset -8
  pop %rsi
  .cfi_adjust_cfa_offset -8
  pop %rdx
  .cfi_adjust_cfa_offset -8
  pop %rcx
  .cfi_adjust_cfa_offset -8
  pop %r8
  .cfi_adjust_cfa_offset -8
  pop %r9
  .cfi_adjust_cfa_offset -8
  mov %rax, %r11
  xor %eax, %eax
  jmp *%r11
  .cfi_endproc
  .size fletcher_stub_rest, . - fletcher_stub_rest
)asm");
#endif
