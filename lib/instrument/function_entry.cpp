// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Function entry and exit: they keep the shadow call stack of the thread. A frame is the return address into the
// caller, the frame pointer register of the entered function (which is its frame's base only where it was compiled with
// one) and its stack pointer, by which a non-local jump finds the frames that it leaves. Compiled without a frame
// pointer of its own.

#include "lib/instrument/access.hpp"
#include "lib/interpose/takeover/earlier_threads.hpp"

using namespace fletcher;

namespace {

struct Registers {
  Address frame_pointer;
  Address stack_pointer; ///< after the return from the entry point
};

[[gnu::always_inline]] inline Registers registers_of_caller() noexcept {
#if defined(__x86_64__)
#if defined(__clang__)
  // It makes a frame to find the canonical frame address, at whose base the register was saved.
  const Address frame_pointer = *static_cast<const Address*>(__builtin_frame_address(0));
#else
  Address frame_pointer;
  asm("mov %%rbp, %0" : "=r"(frame_pointer));
#endif
  // The canonical frame address: what the caller's stack pointer is once its call has returned.
  return {frame_pointer, reinterpret_cast<Address>(__builtin_dwarf_cfa())};
#else
  return {0, 0};
#endif
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void __tsan_func_entry(void* return_address) {
  access::ThreadState* const thread = tool::thread_state();
  if (thread == nullptr) [[unlikely]]
    return static_cast<void>(interpose::earlier_threads::meet());
  const Registers registers = registers_of_caller();
  thread->stack.push(reinterpret_cast<Address>(return_address), registers.frame_pointer, registers.stack_pointer,
                     instrument::caller());
}

void __tsan_func_exit() {
  access::ThreadState* const thread = tool::thread_state();
  if (thread == nullptr) [[unlikely]]
    return;
  thread->stack.pop();
}

} // extern "C"
#pragma GCC visibility pop
