// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code as compilers put it behind a call of an atomic operation: which of it leaves the result alone.
#include "lib/instrument/result_uses.hpp"

#include <gtest/gtest.h>

#if defined(__x86_64__)
asm(R"(
	.pushsection .text.result_uses, "ax"
	.macro	behind name
	.globl	\name
\name:	nop
	.endm

	behind	followed_by_a_call
	mov	8(%rsp), %rdi
	call	followed_by_a_call

	behind	overwritten
	lea	-0x38(%rbp), %rcx
	xor	%eax, %eax
	ret

	behind	overwritten_on_both_ways
	cmp	%ebx, %ecx
	jne	1f
	mov	$1, %eax
	ret
1:	call	followed_by_a_call

	behind	result_tested
	test	%eax, %eax
	call	followed_by_a_call

	behind	result_kept
	mov	%rax, %rbx
	call	followed_by_a_call

	behind	result_an_address
	mov	(%rdx,%rax,4), %ecx
	call	followed_by_a_call

	behind	result_returned
	add	$8, %rsp
	ret

	behind	result_used_on_one_way
	cmp	%ebx, %ecx
	jne	1f
	call	followed_by_a_call
1:	mov	%eax, (%rsi)
	call	followed_by_a_call

	behind	spinning
1:	jmp	1b
	.purgem	behind
	.popsection
)");

extern "C" const char followed_by_a_call, overwritten, overwritten_on_both_ways, result_tested, result_kept,
    result_an_address, result_returned, result_used_on_one_way, spinning;

namespace fletcher::instrument {
namespace {

bool leaves(const char& behind) { return leaves_result(reinterpret_cast<Address>(&behind)); }

TEST(ResultUses, AResultThatIsOverwrittenIsLeft) {
  for (int again = 0; again < 2; ++again) {
    EXPECT_TRUE(leaves(followed_by_a_call));
    EXPECT_TRUE(leaves(overwritten));
    EXPECT_TRUE(leaves(overwritten_on_both_ways));
  }
}

TEST(ResultUses, OneThatMayBeUsedIsNot) {
  for (int again = 0; again < 2; ++again) {
    EXPECT_FALSE(leaves(result_tested));
    EXPECT_FALSE(leaves(result_kept));
    EXPECT_FALSE(leaves(result_an_address));
    EXPECT_FALSE(leaves(result_returned));
    EXPECT_FALSE(leaves(result_used_on_one_way));
    EXPECT_FALSE(leaves(spinning));
  }
}

} // namespace
} // namespace fletcher::instrument
#endif
