// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the code does with a value after the call that reports its read, as clang and gcc write it.
#include "lib/tool/findings/chosen_values.hpp"

#include <gtest/gtest.h>

#if defined(__x86_64__)

// Each is what follows the call. `value` is at (%rbx), another variable at 4(%rbx).
asm(R"(
	.pushsection .text
	.macro code name
	.globl \name
	.hidden \name
\name:
	.endm

	code	loaded_under_a_condition	# clang 14: which = condition ? other : value
	test	%r12d, %r12d
	je	1f
	mov	4(%rbx), %ebp
1:	add	%ebp, %ebp
	ret

	code	replaced_under_a_condition
	mov	(%rbx), %r13d
	lea	4(%rbx), %rdi
	call	loaded_under_a_condition
	test	%ebp, %ebp
	je	1f
	mov	4(%rbx), %r13d
1:	ret

	code	replaced_after_a_jump
	mov	(%rbx), %ebp
	jmp	1f
	ud2
1:	lea	4(%rbx), %rdi
	call	loaded_under_a_condition
	test	%r12d, %r12d
	je	2f
	mov	4(%rbx), %ebp
2:	ret

	code	moved_under_a_condition		# gcc 12, of the variable in memory
	test	%r13d, %r13d
	mov	%ebp, %eax
	cmovne	4(%r12), %eax
	ret

	code	left_under_a_condition		# gcc 12, of the one in a register
	mov	(%r12), %ebp
	lea	4(%r12), %rdi
	call	loaded_under_a_condition
	test	%r13d, %r13d
	mov	%ebp, %eax
	cmovne	4(%r12), %eax
	ret

	code	number_under_a_condition
	movsd	(%rbx), %xmm1
	test	%r12d, %r12d
	jne	1f
	movapd	%xmm1, %xmm0
1:	ret

	code	compared			# if (value > most) most = value
	mov	(%rbx), %eax
	cmp	%ebp, %eax
	cmovg	%eax, %ebp
	ret

	code	added
	add	(%rbx), %ebp
	test	%ebp, %ebp
	cmovne	4(%rbx), %ebp
	ret

	code	stored
	mov	(%rbx), %eax
	mov	%eax, 8(%rsp)
	test	%ebp, %ebp
	cmovne	4(%rbx), %eax
	ret

	code	used_in_a_branch		# if (condition) { use(value); ... }
	test	%ebp, %ebp
	je	1f
	mov	(%rbx), %edi
	add	$2, %edi
1:	ret

	code	lost_in_a_call
	mov	(%rbx), %eax
	call	loaded_under_a_condition
	test	%ebp, %ebp
	cmovne	4(%rbx), %eax
	ret

	code	an_address			# other = condition ? *value : other
	mov	(%rbx), %rax
	test	%ebp, %ebp
	cmovne	(%rax), %ecx
	mov	(%rax), %edx
	ret

	code	unknown
	cpuid
	test	%ebp, %ebp
	cmovne	4(%rbx), %eax
	ret
	.purgem	code
	.popsection
)");

extern "C" const char loaded_under_a_condition, replaced_under_a_condition, replaced_after_a_jump,
    moved_under_a_condition, left_under_a_condition, number_under_a_condition, compared, added, stored,
    used_in_a_branch, lost_in_a_call, an_address, unknown;

namespace fletcher::tool {

namespace {

bool is_chosen(const char& code) { return is_chosen_afterwards(reinterpret_cast<Address>(&code)); }

TEST(ChosenValues, AConditionDecidesWhetherTheValueIsUsed) {
  EXPECT_TRUE(is_chosen(loaded_under_a_condition));
  EXPECT_TRUE(is_chosen(replaced_under_a_condition));
  EXPECT_TRUE(is_chosen(replaced_after_a_jump));
  EXPECT_TRUE(is_chosen(moved_under_a_condition));
  EXPECT_TRUE(is_chosen(left_under_a_condition));
  EXPECT_TRUE(is_chosen(number_under_a_condition));
}

TEST(ChosenValues, TheValueIsUsedInAnyCaseOrNobodyKnows) {
  EXPECT_FALSE(is_chosen(compared));
  EXPECT_FALSE(is_chosen(added));
  EXPECT_FALSE(is_chosen(stored));
  EXPECT_FALSE(is_chosen(used_in_a_branch));
  EXPECT_FALSE(is_chosen(lost_in_a_call));
  EXPECT_FALSE(is_chosen(an_address));
  EXPECT_FALSE(is_chosen(unknown));
}

} // namespace

} // namespace fletcher::tool

#endif
