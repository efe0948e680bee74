// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/takeover/frame_code.hpp"

#if defined(__x86_64__)

#include "checker/access/call_stack.hpp"
#include "lib/tool/thread.hpp"

#include <cstdint>
#include <cstring>

// Two places of each are filled when a copy is made.
asm(R"(
	.pushsection .rodata
	.balign 128
	.hidden fletcher_frame_code
	.globl fletcher_frame_code
fletcher_frame_code:

	.macro of_thread
10:	mov	%fs:0, %rax		# this_thread.current; its offset is the instruction's last four bytes
	test	%rax, %rax
	je	11f
	mov	136(%rax), %rcx		# the top
	.endm
	.macro otherwise
11:	jmp	*12f(%rip)
	.org	10b + 120, 0xcc
12:	.quad	0			# where it goes on
	.endm

	of_thread			# __tsan_func_entry
	lea	8(%rsp), %rdx		# the stack pointer after the return
	cmp	152(%rax), %rcx		# the limit
	je	11f
	cmp	144(%rax), %rdx		# the lowest so far
	jb	11f
	lea	40(%rcx), %rsi
	mov	%rsi, 136(%rax)		# before the frame is filled: those of a signal handler go above it
	mov	(%rsp), %rsi
	dec	%rsi
	mov	%rdi, (%rcx)
	mov	%rbp, 8(%rcx)
	movl	$0, 16(%rcx)
	mov	%rsi, 24(%rcx)
	mov	%rdx, 32(%rcx)
	ret
	otherwise

	of_thread			# __tsan_func_exit
	cmpl	$0, 176(%rax)		# frames beyond the limit
	jne	11f
	cmp	168(%rax), %rcx		# the base
	je	11f
	sub	$40, %rcx
	mov	%rcx, 136(%rax)
	ret
	otherwise

	.purgem	of_thread
	.purgem	otherwise
	.popsection
)");

extern "C" [[gnu::visibility("hidden")]] const std::byte fletcher_frame_code[2][128];

namespace fletcher::interpose {

namespace {

using access::CallStack;
using access::Frame;
using access::ThreadState;

static_assert(offsetof(Frame, pc) == 0 && offsetof(Frame, frame_pointer) == 8 && offsetof(Frame, context) == 16 &&
              offsetof(Frame, body) == 24 && offsetof(Frame, stack_pointer) == 32 && sizeof(Frame) == 40);
static_assert(offsetof(tool::ThisThread, current) == 0);

/// What a class keeps private cannot be asserted when this is compiled.
bool has_layout() noexcept {
  Frame frames[2];
  ThreadState thread;
  CallStack& stack = thread.stack;
  stack.attach(frames, 2);
  stack.push(1, 2, 3, 4);
  stack.push(5, 6, 7, 8);
  stack.push(0, 0);
  stack.set_base(frames + 1);
  stack.reset_lowest(9);
  const Address expected[] = {reinterpret_cast<Address>(frames + 2), 9,
                              reinterpret_cast<Address>(frames + 2), reinterpret_cast<Address>(frames),
                              reinterpret_cast<Address>(frames + 1), 1};
  constexpr std::size_t stack_at = 136;
  return reinterpret_cast<const std::byte*>(&stack) == reinterpret_cast<const std::byte*>(&thread) + stack_at &&
         sizeof stack == sizeof expected && std::memcmp(&stack, expected, sizeof expected) == 0;
}

constexpr std::size_t offset_at = 5, target_at = 120;

} // namespace

std::optional<FrameCode> frame_code(std::string_view entry_point, const void* otherwise) noexcept {
  const bool entry = entry_point == "__tsan_func_entry";
  if ((!entry && entry_point != "__tsan_func_exit") || !has_layout()) return std::nullopt;
  FrameCode code{};
  std::memcpy(code.data(), fletcher_frame_code[entry ? 0 : 1], code.size());
  const auto offset = static_cast<std::int32_t>(reinterpret_cast<std::intptr_t>(&tool::this_thread) -
                                                reinterpret_cast<std::intptr_t>(__builtin_thread_pointer()));
  std::memcpy(code.data() + offset_at, &offset, sizeof offset);
  std::memcpy(code.data() + target_at, &otherwise, sizeof otherwise);
  return code;
}

} // namespace fletcher::interpose

#else

namespace fletcher::interpose {
std::optional<FrameCode> frame_code(std::string_view, const void*) noexcept { return std::nullopt; }
} // namespace fletcher::interpose

#endif
