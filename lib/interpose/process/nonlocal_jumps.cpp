// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// longjmp leaves functions without their exit: their shadow frames are those whose stack pointer lies below the place
// of the setjmp. (C++ exceptions run the compiler's cleanups, which report the exits.)

#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"

#include <bit>
#include <setjmp.h>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit Real<void(__jmp_buf_tag*, int)> real_longjmp{"longjmp"}, real_underscore_longjmp{"_longjmp"},
    real_siglongjmp{"siglongjmp"}, real_longjmp_chk{"__longjmp_chk"};

/// Where the stack will be after the jump; 0 where unknown.
Address stack_pointer_of(const __jmp_buf_tag& target) noexcept {
#if defined(__x86_64__) && defined(__GLIBC__)
  // glibc guards the saved registers with a secret of the thread.
  constexpr std::size_t rsp = 6;
  Address guard;
  asm("mov %%fs:0x30, %0" : "=r"(guard));
  return std::rotr(static_cast<Address>(target.__jmpbuf[rsp]), 17) ^ guard;
#else
  static_cast<void>(target);
  return 0;
#endif
}

void leave_frames(const __jmp_buf_tag& target) noexcept {
  access::ThreadState* const thread = tool::thread_state();
  if (thread == nullptr) return;
  const Address lowest = stack_pointer_of(target);
  // A jump from a signal handler's or a coroutine's stack to another one tells nothing about the frames.
  const auto here = reinterpret_cast<Address>(__builtin_frame_address(0));
  if (lowest == 0 || lowest < here || !thread->in_stack(lowest)) return;
  access::CallStack& stack = thread->stack;
  access::Frame* top = stack.top();
  while (top != stack.begin() && top[-1].stack_pointer != 0 && top[-1].stack_pointer < lowest) --top;
  stack.unwind_to(top);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

[[noreturn]] void jump(__jmp_buf_tag* target, int value) asm("longjmp");
[[noreturn]] void underscore_jump(__jmp_buf_tag* target, int value) asm("_longjmp");
[[noreturn]] void signal_jump(__jmp_buf_tag* target, int value) asm("siglongjmp");
[[noreturn]] void checked_jump(__jmp_buf_tag* target, int value) asm("__longjmp_chk");

void jump(__jmp_buf_tag* target, int value) {
  leave_frames(*target);
  real_longjmp(target, value);
  __builtin_unreachable();
}
void underscore_jump(__jmp_buf_tag* target, int value) {
  leave_frames(*target);
  real_underscore_longjmp(target, value);
  __builtin_unreachable();
}
void signal_jump(__jmp_buf_tag* target, int value) {
  leave_frames(*target);
  real_siglongjmp(target, value);
  __builtin_unreachable();
}
void checked_jump(__jmp_buf_tag* target, int value) {
  leave_frames(*target);
  real_longjmp_chk(target, value);
  __builtin_unreachable();
}

} // extern "C"
#pragma GCC visibility pop
