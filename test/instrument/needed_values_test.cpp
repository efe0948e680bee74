// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the ways on from a read do with its value, as clang writes them around a loop with a branch.
#include "lib/tool/findings/needed_values.hpp"

#include <gtest/gtest.h>

#if defined(__x86_64__)

// Each is what follows the call that reports the read. The variable is at (%r14).
asm(R"(
	.pushsection .text
	.macro behind name
	.globl \name
	.hidden \name
\name:
	.endm

	.globl __tsan_write4_of_test
__tsan_write4_of_test:
	ret
	.globl __tsan_func_exit_of_test
__tsan_func_exit_of_test:
	ret

	behind	kept_for_one_section	# for (i...) switch (i) { case 0: n += 3; case 1: m = 9; }
	mov	(%r14), %r13d
	jmp	2f
1:	cmp	%ebp, %r12d
	je	4f
	inc	%ebp
2:	test	%ebp, %ebp
	jne	3f
	add	$3, %r13d
	mov	%r14, %rdi
	call	__tsan_write4_of_test
	mov	%r13d, (%r14)
	jmp	1b
3:	mov	%r15, %rdi
	call	__tsan_write4_of_test
	movl	$9, (%r15)
	jmp	1b
4:	add	$0x18, %rsp
	pop	%rbx
	ret

	behind	spilled_for_one_branch	# by a floating-point number
	movsd	(%r14), %xmm0
	movsd	%xmm0, 8(%rsp)
	push	%rax
	call	kept_for_one_section
	pop	%rax
	test	%eax, %eax
	je	1f
	movsd	8(%rsp), %xmm0
	addsd	%xmm0, %xmm1
1:	ret

	behind	left_over_in_an_argument	# of a call at the end
	movsd	(%r14), %xmm0
	movsd	%xmm0, 8(%rsp)
	test	%ecx, %ecx
	je	1f
	movsd	8(%rsp), %xmm1
	addsd	%xmm1, %xmm1
1:	call	kept_for_one_section
	ret

	behind	behind_a_table_of_jumps
	mov	(%r14), %ebx
	cmp	$3, %eax
	ja	1f
	jmp	*%rcx
1:	ret

	behind	decided_by_data			# for (i...) if (a[i] < 0) n--
	mov	(%r14), %r13d
1:	mov	%r15, %rdi
	call	__tsan_write4_of_test
	mov	(%r15), %ebx
	test	%ebx, %ebx
	lea	4(%r15), %r15
	jns	2f
	dec	%r13d
	mov	%r13d, (%r14)
2:	dec	%ebp
	jne	1b
	ret

	behind	chosen_at_last
	mov	(%r14), %ebx
	test	%eax, %eax
	cmove	%ecx, %ebx
	ret

	behind	joined_by_and_in_a_loop		# gcc 12: if (i == 77 && first < 0) first = i
	mov	(%r12), %ebp
	mov	$0, %ecx
	mov	$77, %esi
1:	cmp	$77, %ebx
	sete	%al
	mov	%ebp, %edx
	shr	$31, %edx
	and	%dl, %al
	cmovne	%eax, %ecx
	cmovne	%esi, %ebp
	add	$1, %ebx
	cmp	%ebx, %r13d
	jne	1b
	test	%cl, %cl
	je	2f
	mov	%r12, %rdi
	call	__tsan_write4_of_test
	mov	%ebp, (%r12)
2:	call	__tsan_func_exit_of_test
	ret

	behind	joined_by_or_in_a_loop		# gcc 12: if (me == 0 && found == 0) found += i
	mov	(%r12), %ebx
	xor	%eax, %eax
1:	mov	%ebp, %ecx
	or	%ebx, %ecx
	cmove	%eax, %ebx
	add	$1, %eax
	cmp	$100, %eax
	jne	1b
	call	__tsan_func_exit_of_test
	cltd
	idivl	%ecx
	ret

	behind	joined_and_needed
	mov	(%r12), %ebx
	mov	%ebx, %ecx
	and	%ebp, %ecx
	je	1f
	nopw	(%rax, %rbx, 1)
1:	add	%ebx, (%r13)
	ret

	behind	compared_and_kept		# for (i...) if (n > 3 && a[i] == 0) c++
	mov	(%r12), %ebx
	cmp	$3, %ebx
	setg	%cl
	not	%cl
	test	%cl, %cl
1:	je	2f
	inc	%eax
2:	dec	%ebp
	jne	1b
	ret

	behind	a_jump_back_without_a_loop
	mov	(%r14), %ebx
	jmp	2f
1:	add	%ebx, %ecx
	ret
2:	test	%eax, %eax
	je	1b
	test	%edx, %edx
	je	1b
	ret

	behind	used_in_the_first_turn		# for (i...) a[i + 1] = a[i] + 1, what was written is read
	mov	(%r14), %ebx
1:	inc	%ebx
	mov	%ebx, (%r15)
	dec	%ebp
	jne	1b
	ret

	behind	compared_each_time		# if (a[i] > most) most = a[i]
	mov	(%r14), %ebx
1:	cmp	%ebx, (%r15)
	jle	2f
	mov	(%r15), %ebx
2:	dec	%ebp
	jne	1b
	ret

	behind	returned_or_added
	mov	(%r14), %eax
	test	%ecx, %ecx
	je	1f
	add	%eax, %eax
1:	ret

	behind	an_argument_or_added
	mov	(%r14), %edi
	test	%ecx, %ecx
	je	1f
	add	%edi, %eax
	ret
1:	call	kept_for_one_section
	ret

	behind	copied_to_an_argument_or_added
	mov	(%r14), %ebx
	test	%ecx, %ecx
	je	1f
	add	%ebx, %eax
	ret
1:	mov	%ebx, %edi
	call	kept_for_one_section
	ret

	behind	pushed_or_added
	mov	(%r14), %ebx
	test	%ecx, %ecx
	je	1f
	add	%ebx, %eax
	ret
1:	push	%rbx
	ret

	behind	never_used
	mov	(%r14), %ebx
	test	%ecx, %ecx
	je	1f
	xor	%ebx, %ebx
1:	call	kept_for_one_section
	xor	%ebx, %ebx
	xor	%eax, %eax
	ret

	behind	an_address_of_the_frame		# the value is loaded by another instruction than the first
	mov	8(%rsp), %rax
	mov	(%rax), %ebx
	add	%ebx, %ecx
	ret

	behind	added_at_once
	add	(%r14), %ebx
	test	%ecx, %ecx
	je	1f
	inc	%ebx
1:	ret

	behind	unknown_on_one_way
	mov	(%r14), %ebx
	test	%ecx, %ecx
	je	1f
	add	%ebx, %eax
	ret
1:	cpuid
	ret

	behind	round_and_round
	mov	(%r14), %ebx
	test	%ecx, %ecx
	je	1f
	add	%ebx, %eax
1:	jmp	1b
	.purgem	behind
	.popsection
)");

extern "C" const char kept_for_one_section, spilled_for_one_branch, left_over_in_an_argument, behind_a_table_of_jumps,
    decided_by_data, chosen_at_last, a_jump_back_without_a_loop, joined_by_and_in_a_loop, joined_by_or_in_a_loop,
    joined_and_needed, compared_and_kept, used_in_the_first_turn, compared_each_time, returned_or_added,
    an_argument_or_added, copied_to_an_argument_or_added, pushed_or_added, never_used, an_address_of_the_frame,
    added_at_once, unknown_on_one_way, round_and_round;

namespace fletcher::tool {

namespace {

Need need(const char& code) { return need_of_read(reinterpret_cast<Address>(&code)); }
bool on_some_ways(const char& code) { return need(code) != Need::plain; }

TEST(NeededValues, ThereIsAWayWithoutAnyUse) {
  EXPECT_TRUE(on_some_ways(kept_for_one_section));
  EXPECT_TRUE(on_some_ways(spilled_for_one_branch));
  EXPECT_TRUE(on_some_ways(left_over_in_an_argument));
  EXPECT_TRUE(on_some_ways(behind_a_table_of_jumps));
  EXPECT_TRUE(on_some_ways(chosen_at_last));
  EXPECT_TRUE(on_some_ways(joined_by_and_in_a_loop));
  EXPECT_TRUE(on_some_ways(joined_by_or_in_a_loop));
}

TEST(NeededValues, AValueGoesRoundALoopThatDoesNotReadIt) {
  EXPECT_EQ(need(kept_for_one_section), Need::on_some_ways_in_loop);
  EXPECT_EQ(need(decided_by_data), Need::on_some_ways_in_loop);
  EXPECT_EQ(need(joined_by_and_in_a_loop), Need::on_some_ways_in_loop);
  EXPECT_EQ(need(joined_by_or_in_a_loop), Need::on_some_ways_in_loop);
  EXPECT_EQ(need(spilled_for_one_branch), Need::on_some_ways);
  EXPECT_EQ(need(chosen_at_last), Need::on_some_ways);
  EXPECT_EQ(need(a_jump_back_without_a_loop), Need::on_some_ways);
}

TEST(NeededValues, EachWayUsesTheValueOrNobodyKnows) {
  EXPECT_FALSE(on_some_ways(used_in_the_first_turn));
  EXPECT_FALSE(on_some_ways(compared_each_time));
  EXPECT_FALSE(on_some_ways(returned_or_added));
  EXPECT_FALSE(on_some_ways(an_argument_or_added));
  EXPECT_FALSE(on_some_ways(copied_to_an_argument_or_added));
  EXPECT_FALSE(on_some_ways(pushed_or_added));
  EXPECT_FALSE(on_some_ways(never_used));
  EXPECT_FALSE(on_some_ways(an_address_of_the_frame));
  EXPECT_FALSE(on_some_ways(added_at_once));
  EXPECT_FALSE(on_some_ways(unknown_on_one_way));
  EXPECT_FALSE(on_some_ways(round_and_round));
  EXPECT_FALSE(on_some_ways(joined_and_needed));
  EXPECT_FALSE(on_some_ways(compared_and_kept));
}

} // namespace

} // namespace fletcher::tool

#endif
