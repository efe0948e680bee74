// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/effects/bound_calls.hpp"

#include "lib/interpose/effects/library_accesses.hpp"
#include "lib/interpose/effects/plans.hpp"
#include "lib/interpose/observe.hpp"
#include "lib/tool/advice.hpp"

#include <atomic>
#include <cstddef>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constexpr std::size_t most_calls = 1024, bytes_of_stub = 16;
constinit std::atomic<std::uint32_t> used{0};
constinit std::array<const BoundCall*, most_calls> calls{};

} // namespace

extern "C" {
/// What stands behind each stub.
[[gnu::visibility("hidden")]] constinit void* fletcher_bound_functions[most_calls]{};
[[gnu::visibility("hidden")]] extern const std::byte fletcher_bound_stubs[];

/// What a stub knows of its call, in the order in which it pushes it.
struct BoundFrame {
  effects::Registers registers; ///< except for `stack`
  std::uint64_t vector_count;   ///< in rax, for functions with any number of arguments
  std::uint64_t index, caller_frame, return_address;
  std::uint64_t stack[1]; ///< of arguments, as many as there are
};

/// What is to be done before the call. Returns 0 where the stub shall jump to the function; else it calls it, with one
/// word less of the stack than that, and hands over the result.
[[gnu::visibility("hidden")]] std::size_t fletcher_before_bound_call(BoundFrame* frame) {
  access::ThreadState* const thread = outside_tool();
  if (thread == nullptr) return 0;
  const Address pc = frame->return_address;
  if (!library_accesses::counts(pc)) return 0;
  const KeptErrno kept;
  const BoundCall& call = *calls[frame->index];
  if (call.unseen == Unseen::output) return tool::advice::uses_stream(*thread, pc), 0;
  if (call.unseen == Unseen::memory) return tool::advice::meets_unseen_code(*thread), 0;
  frame->registers.stack = frame->stack;
  const effects::Role role = call.signature.function().role;
  const bool is_checked = thread->off <= 0;
  if (role == effects::Role::permits) plans::allow_concurrent_planning();
  if (role == effects::Role::computes && is_checked) library_accesses::make(*thread, call, frame->registers, pc);
  if (role == effects::Role::executes && is_checked) plans::execute(*thread, call, frame->registers, pc);
  if (role == effects::Role::ends) plans::end(*thread, is_checked, frame->registers, pc);
  if (role != effects::Role::plans) return 0;
  if (is_checked) plans::before(*thread, call, frame->registers, pc);
  return call.signature.words_on_stack() + 1; // one that is made in serial code may be executed in a region
}

[[gnu::visibility("hidden")]] void fletcher_after_bound_call(BoundFrame* frame, std::uint64_t result) {
  const KeptErrno kept;
  frame->registers.stack = frame->stack;
  plans::made(*calls[frame->index], frame->registers, result);
}
}

static_assert(offsetof(tool::ThisThread, current) == 0);
static_assert(sizeof(effects::Registers) == 192 && offsetof(effects::Registers, vector) == 48 &&
              offsetof(effects::Registers, stack) == 176);

#if defined(__x86_64__)
// A stub has its number in r11. Where nothing is checked on the thread, it is a load, a test and two jumps.
asm(R"asm(
  .text
  .balign 16
  .globl fletcher_bound_stubs
  .hidden fletcher_bound_stubs
  .type fletcher_bound_stubs, @function
fletcher_bound_stubs:
  .cfi_startproc
  .set fletcher_stub_number, 0
  .rept 1024
  .balign 16
  movl $fletcher_stub_number, %r11d
  jmp fletcher_bound_call
  .set fletcher_stub_number, fletcher_stub_number + 1
  .endr
  .balign 16
  .cfi_endproc
  .size fletcher_bound_stubs, . - fletcher_bound_stubs

  .type fletcher_bound_call, @function
fletcher_bound_call:
  .cfi_startproc
  movq _ZN8fletcher4tool11this_threadE@gottpoff(%rip), %r10
  cmpq $0, %fs:(%r10)
  jne 1f
  leaq fletcher_bound_functions(%rip), %r10
  jmpq *(%r10,%r11,8)
1:
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  subq $208, %rsp
  movq %rdi, -208(%rbp)
  movq %rsi, -200(%rbp)
  movq %rdx, -192(%rbp)
  movq %rcx, -184(%rbp)
  movq %r8, -176(%rbp)
  movq %r9, -168(%rbp)
  movaps %xmm0, -160(%rbp)
  movaps %xmm1, -144(%rbp)
  movaps %xmm2, -128(%rbp)
  movaps %xmm3, -112(%rbp)
  movaps %xmm4, -96(%rbp)
  movaps %xmm5, -80(%rbp)
  movaps %xmm6, -64(%rbp)
  movaps %xmm7, -48(%rbp)
  movq %rax, -16(%rbp)
  movq %r11, -8(%rbp)
  movq %rsp, %rdi
  call fletcher_before_bound_call
  subq $1, %rax
  movq %rax, %rcx
  js 2f
  leaq 15(,%rcx,8), %rdx
  andq $-16, %rdx
  subq %rdx, %rsp
  leaq 16(%rbp), %rsi
  movq %rsp, %rdi
  rep movsq
2:
  testq %rax, %rax
  movq -208(%rbp), %rdi
  movq -200(%rbp), %rsi
  movq -192(%rbp), %rdx
  movq -184(%rbp), %rcx
  movq -176(%rbp), %r8
  movq -168(%rbp), %r9
  movaps -160(%rbp), %xmm0
  movaps -144(%rbp), %xmm1
  movaps -128(%rbp), %xmm2
  movaps -112(%rbp), %xmm3
  movaps -96(%rbp), %xmm4
  movaps -80(%rbp), %xmm5
  movaps -64(%rbp), %xmm6
  movaps -48(%rbp), %xmm7
  movq -16(%rbp), %rax
  movq -8(%rbp), %r11
  leaq fletcher_bound_functions(%rip), %r10
  js 3f
  call *(%r10,%r11,8)
  movq %rax, -16(%rbp)
  leaq -208(%rbp), %rdi
  movq %rax, %rsi
  call fletcher_after_bound_call
  movq -16(%rbp), %rax
  leave
  .cfi_remember_state
  .cfi_def_cfa %rsp, 8
  .cfi_restore %rbp
  ret
3:
  .cfi_restore_state
  leave
  .cfi_def_cfa %rsp, 8
  .cfi_restore %rbp
  jmpq *(%r10,%r11,8)
  .cfi_endproc
  .size fletcher_bound_call, . - fletcher_bound_call
)asm");

namespace fletcher::interpose::bound_calls {

bool is_stub(const void* code) noexcept {
  return static_cast<std::size_t>(static_cast<const std::byte*>(code) - fletcher_bound_stubs) <
         most_calls * bytes_of_stub;
}

void* stub(const effects::Signature& signature, std::string_view symbol, void* real, Unseen unseen) {
  std::uint32_t index = 0;
  const std::uint32_t made = used.load(std::memory_order_relaxed);
  while (index < made && (fletcher_bound_functions[index] != real || calls[index]->symbol != symbol)) ++index;
  if (index == most_calls) return nullptr;
  if (index == made) {
    calls[index] = new BoundCall{signature, std::string(symbol), unseen}; // calls go on until the process ends
    fletcher_bound_functions[index] = real;
    used.store(made + 1, std::memory_order_release);
  }
  return const_cast<std::byte*>(fletcher_bound_stubs) + index * bytes_of_stub;
}

} // namespace fletcher::interpose::bound_calls
#else
namespace fletcher::interpose::bound_calls {
bool is_stub(const void*) noexcept { return false; }
void* stub(const effects::Signature&, std::string_view, void*, Unseen) { return nullptr; }
} // namespace fletcher::interpose::bound_calls
#endif
