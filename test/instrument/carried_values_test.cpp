// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What gcc's and clang's code for worksharing constructs carries from one unit of work to the next, as they write it.
#include "lib/tool/carried/carried_values.hpp"

#include <gtest/gtest.h>

#if defined(__x86_64__)

#include <map>
#include <string_view>

// The chunk's bounds are at (%rsp) and 8(%rsp). Each function is followed by its end.
asm(R"(
	.pushsection .text
	.macro function name
	.globl \name, \name\()_end
	.hidden \name, \name\()_end
\name:
	.endm
	.macro callee name
	.globl \name
	.hidden \name
\name:
	ret
	.endm
	callee	loop_start
	callee	loop_next
	callee	loop_end
	callee	single_start
	callee	sections_next
	callee	tsan_read4
	callee	tsan_write4
	callee	atomic_start
	callee	atomic_end
other:	mov	(%rdi), %eax
	ret
	callee	fails
	callee	dispatch_init
	callee	dispatch_next
	callee	static_init
	callee	static_fini
	callee	reduce
	callee	end_reduce
	callee	st_write
	callee	st_write_done
	.macro next_of_clang
	lea	0x20(%rsp), %rdx
	lea	0x18(%rsp), %rcx
	lea	0x14(%rsp), %r8
	lea	0x24(%rsp), %r9
	call	dispatch_next
	.endm
	.macro begin_loop
	lea	8(%rsp), %r9
	mov	%rsp, %r8
	call	loop_start
	.endm
	.macro next_chunk
	lea	8(%rsp), %rsi
	mov	%rsp, %rdi
	call	loop_next
	.endm
	.macro enter
	push	%rbx
	push	%r12
	push	%r13
	sub	$0x30, %rsp
	.endm
	.macro leave_function
	add	$0x30, %rsp
	pop	%r13
	pop	%r12
	pop	%rbx
	ret
	.endm

	function pointer_in_a_register		# if (!p) p = &a[i]; ++*p
	enter
	begin_loop
	test	%al, %al
	je	4f
	xor	%ebx, %ebx
1:	mov	(%rsp), %rax
	test	%rbx, %rbx
	jne	2f
	lea	(%r13, %rax, 4), %rbx
2:	mov	%rbx, %rdi
	call	tsan_write4
	incl	(%rbx)
	next_chunk
	test	%al, %al
	jne	1b
4:	call	loop_end
	leave_function
pointer_in_a_register_end:

	function pointer_of_all			# p is the same for all threads, and kept on the stack
	enter
	lea	64(%r13), %rbx
	mov	%rbx, 0x10(%rsp)
	begin_loop
	test	%al, %al
	je	4f
1:	mov	0x10(%rsp), %rbx
	mov	%rbx, %rdi
	call	tsan_write4
	incl	(%rbx)
	next_chunk
	test	%al, %al
	jne	1b
4:	call	loop_end
	leave_function
pointer_of_all_end:

	function element_of_the_chunk		# a[i]++
	enter
	begin_loop
	test	%al, %al
	je	4f
1:	mov	(%rsp), %rbx
	lea	(%r13, %rbx, 4), %r12
2:	mov	%r12, %rdi
	call	tsan_write4
	incl	(%r12)
	add	$4, %r12
	inc	%ebx
	cmp	8(%rsp), %ebx
	jl	2b
	next_chunk
	test	%al, %al
	jne	1b
4:	call	loop_end
	leave_function
element_of_the_chunk_end:

	function flag_on_the_stack		# if (first) { first = 0; *x = 1; }
	enter
	movl	$1, 0x10(%rsp)
	begin_loop
	test	%al, %al
	je	4f
1:	cmpl	$0, 0x10(%rsp)
	je	2f
	movl	$0, 0x10(%rsp)
	mov	%r13, %rdi
	call	tsan_write4
	movl	$1, (%r13)
2:	next_chunk
	test	%al, %al
	jne	1b
4:	call	loop_end
	leave_function
flag_on_the_stack_end:

	function sum_in_a_register		# s += a[i], then all of them together
	enter
	xor	%ebx, %ebx
	begin_loop
	test	%al, %al
	je	4f
1:	mov	(%rsp), %rax
	lea	(%r13, %rax, 4), %r12
	mov	%r12, %rdi
	call	tsan_read4
	add	(%r12), %ebx
	next_chunk
	test	%al, %al
	jne	1b
4:	call	atomic_start
	mov	%r13, %rdi
	call	tsan_write4
	add	%ebx, (%r13)
	call	atomic_end
	call	loop_end
	leave_function
sum_in_a_register_end:

	function sum_that_decides		# s += a[i]; if (s > 9) *x = s
	enter
	xor	%ebx, %ebx
	begin_loop
	test	%al, %al
	je	4f
1:	mov	(%rsp), %rax
	lea	(%r13, %rax, 4), %r12
	mov	%r12, %rdi
	call	tsan_read4
	add	(%r12), %ebx
	cmp	$9, %ebx
	jle	2f
	mov	%r13, %rdi
	call	tsan_write4
	mov	%ebx, (%r13)
2:	next_chunk
	test	%al, %al
	jne	1b
4:	call	loop_end
	leave_function
sum_that_decides_end:

	function maximum_on_the_stack		# if (a[i] > m) m = a[i], by one read
	enter
	movl	$0, 0x10(%rsp)
	begin_loop
	test	%al, %al
	je	4f
1:	mov	(%rsp), %rax
	lea	(%r13, %rax, 4), %r12
	mov	%r12, %rdi
	call	tsan_read4
	mov	(%r12), %eax
	cmp	0x10(%rsp), %eax
	jle	2f
	mov	%eax, 0x10(%rsp)
2:	next_chunk
	test	%al, %al
	jne	1b
4:	call	loop_end
	leave_function
maximum_on_the_stack_end:

	function index_in_an_array		# own[k] = i, a[own[0]]++
	enter
	movl	$0, 0x10(%rsp)
	begin_loop
	test	%al, %al
	je	4f
1:	mov	(%rsp), %rax
	mov	%rax, %rcx
	and	$3, %ecx
	mov	%eax, 0x10(%rsp, %rcx, 4)
	movslq	0x10(%rsp), %rax
	lea	(%r13, %rax, 4), %rbx
	mov	%rbx, %rdi
	call	tsan_write4
	incl	(%rbx)
	next_chunk
	test	%al, %al
	jne	1b
4:	call	loop_end
	leave_function
index_in_an_array_end:

	function loop_in_a_loop_of_all		# for (k...) for (i: dynamic, nowait) a[k]++
	enter
	xor	%ebx, %ebx
0:	begin_loop
	test	%al, %al
	je	4f
	lea	(%r13, %rbx, 4), %r12
1:	mov	%r12, %rdi
	call	tsan_write4
	incl	(%r12)
	next_chunk
	test	%al, %al
	jne	1b
4:	call	loop_end
	inc	%ebx
	cmp	$10, %ebx
	jne	0b
	leave_function
loop_in_a_loop_of_all_end:

	function single_that_a_loop_follows	# single { mine = 1 }; for (...) if (mine) *x = 1
	enter
	xor	%ebx, %ebx
	call	single_start
single_that_a_loop_follows_single:
	test	%al, %al
	je	0f
	mov	$1, %ebx
0:	begin_loop
single_that_a_loop_follows_loop:
	test	%al, %al
	je	4f
1:	test	%ebx, %ebx
	je	2f
	mov	%r13, %rdi
	call	tsan_write4
	movl	$1, (%r13)
2:	next_chunk
	test	%al, %al
	jne	1b
4:	call	loop_end
	leave_function
single_that_a_loop_follows_end:

	function argument_of_another		# p = p ? p : i; other(p)
	enter
	xor	%ebx, %ebx
	begin_loop
	test	%al, %al
	je	4f
1:	test	%rbx, %rbx
	cmove	(%rsp), %rbx
	mov	%rbx, %rdi
	call	other
	next_chunk
	test	%al, %al
	jne	1b
4:	call	loop_end
	leave_function
argument_of_another_end:

	function combined			# parallel for: the first chunk is taken at once
	enter
	xor	%ebx, %ebx
	jmp	3f
1:	test	%rbx, %rbx
	cmove	(%rsp), %rbx
	mov	%rbx, %rdi
	call	tsan_write4
	incl	(%rbx)
3:	next_chunk
	test	%al, %al
	jne	1b
	call	loop_end
	leave_function
combined_end:

	function several_entries		# sections, with two ways into the loop; the addresses are of all
	enter
	lea	64(%r13), %rbx
	lea	128(%r13), %r12
	call	sections_next
	cmp	$2, %eax
	je	2f
1:	test	%eax, %eax
	je	4f
	mov	%rbx, %rdi
	call	tsan_write4
	incl	(%rbx)
	call	sections_next
	cmp	$2, %eax
	jne	1b
2:	mov	%r12, %rdi
	call	tsan_write4
	incl	(%r12)
	call	sections_next
	jmp	1b
4:	call	loop_end
	leave_function
several_entries_end:

	function count_and_stop			# what ends the process needs no care
	enter
	xor	%ebx, %ebx
	begin_loop
	test	%al, %al
	je	4f
1:	inc	%ebx
	cmp	$100, %ebx
	jne	2f
	call	fails
2:	mov	%r13, %rdi
	call	tsan_write4
	incl	(%r13)
	next_chunk
	test	%al, %al
	jne	1b
4:	call	loop_end
	leave_function
count_and_stop_end:

	function in_a_function_of_its_own	# p = other(p) twice: units begin there
	enter
	xor	%edi, %edi
	call	other
in_a_function_of_its_own_first:
	mov	%rax, %rdi
	call	other
	leave_function
in_a_function_of_its_own_end:

	function without_what_it_returns	# other(x) twice
	enter
	mov	%r13, %rdi
	call	other
without_what_it_returns_first:
	mov	%r13, %rdi
	call	other
	leave_function
without_what_it_returns_end:

	function pointer_by_clang		# if (!p) p = &a[i]; ++*p
	enter
	movl	$0, 0x18(%rsp)
	call	dispatch_init
	next_of_clang
	test	%eax, %eax
	je	4f
	xor	%ebx, %ebx
1:	movslq	0x18(%rsp), %rax
	lea	(%r13, %rax, 4), %r12
	test	%rbx, %rbx
	cmove	%r12, %rbx
	mov	%rbx, %rdi
	call	tsan_write4
	incl	(%rbx)
	next_of_clang
	test	%eax, %eax
	jne	1b
4:	leave_function
pointer_by_clang_end:

	function element_by_clang		# a[i]++; another value is kept beside the chunk's begin
	enter
	call	dispatch_init
	mov	%r13d, 0x1c(%rsp)
	next_of_clang
	test	%eax, %eax
	je	4f
1:	lea	0x18(%rsp), %rdi
	call	tsan_read4
	movslq	0x18(%rsp), %rbp
	.byte	0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0	# the longest nop
2:	lea	(%r13, %rbp, 4), %rdi
	call	tsan_write4
	incl	(%r13, %rbp, 4)
	inc	%ebp
	cmp	0x14(%rsp), %ebp
	jle	2b
	mov	0x1c(%rsp), %esi
	next_of_clang
	test	%eax, %eax
	jne	1b
4:	leave_function
element_by_clang_end:

	function beside_the_chunk_by_clang	# if (!n) n = i; ++a[n]; n is kept beside the chunk's begin
	enter
	movl	$0, 0x1c(%rsp)
	call	dispatch_init
	jmp	3f
1:	mov	0x1c(%rsp), %eax
	test	%eax, %eax
	cmove	0x18(%rsp), %eax
	mov	%eax, 0x1c(%rsp)
	cltq
	lea	(%r13, %rax, 4), %rdi
	call	tsan_write4
3:	next_of_clang
	test	%eax, %eax
	jne	1b
	leave_function
beside_the_chunk_by_clang_end:

	function sum_by_clang			# reduction(+:s)
	enter
	xor	%ebx, %ebx
	call	dispatch_init
	jmp	3f
1:	movslq	0x18(%rsp), %rax
	lea	(%r13, %rax, 4), %r12
	mov	%r12, %rdi
	call	tsan_read4
	add	(%r12), %ebx
3:	next_of_clang
	test	%eax, %eax
	jne	1b
	call	reduce
	cmp	$1, %eax
	jne	4f
	mov	%r13, %rdi
	call	tsan_write4
	add	%ebx, (%r13)
	call	end_reduce
4:	call	dispatch_init
sum_by_clang_later:
	leave_function
sum_by_clang_end:

	function used_behind_the_loop_by_clang	# last = i; then *last = 1, without another construct's end
	enter
	xor	%ebx, %ebx
	call	dispatch_init
	jmp	3f
1:	movslq	0x18(%rsp), %rbx
3:	next_of_clang
	test	%eax, %eax
	jne	1b
	lea	(%r13, %rbx, 4), %rdi
	call	tsan_write4
	call	dispatch_init
used_behind_the_loop_by_clang_later:
	leave_function
used_behind_the_loop_by_clang_end:

	function sections_by_clang		# a section that one of a later construct asks for
	enter
	xor	%ebx, %ebx
	lea	0x20(%rsp), %rcx
	lea	0x18(%rsp), %r8
	lea	0x14(%rsp), %r9
	lea	0x24(%rsp), %rax
	push	$1
	push	$1
	push	%rax
	call	static_init
	add	$0x18, %rsp
	cmpl	$0, 0x18(%rsp)
	jne	1f
	mov	$1, %ebx
1:	call	static_fini
	lea	0x20(%rsp), %rcx
	lea	0x18(%rsp), %r8
	lea	0x14(%rsp), %r9
	call	static_init
sections_by_clang_second:
	test	%ebx, %ebx
	je	2f
	mov	%r13, %rdi
	call	tsan_write4
2:	call	static_fini
	leave_function
sections_by_clang_end:

	function statement_of_fortran		# if (from) print *; ++x
	enter
	begin_loop
1:	test	%al, %al
	je	4f
	cmpl	$0, (%rsp)
	je	2f
	movl	$0x80, 0x10(%rsp)
	movq	$0, 0x20(%rsp)
	lea	0x10(%rsp), %rdi
	call	st_write
	lea	0x10(%rsp), %rdi
	call	st_write_done
2:	mov	%r13, %rdi
	call	tsan_write4
	next_chunk
	jmp	1b
4:	call	loop_end
	leave_function
statement_of_fortran_end:

	function unknown_instruction
	begin_loop
	cpuid
	ret
unknown_instruction_end:
	.purgem	function
	.purgem	callee
	.purgem	begin_loop
	.purgem	next_chunk
	.purgem	enter
	.purgem	leave_function
	.popsection
)");

#define FUNCTION(name) extern "C" const char name, name##_end

FUNCTION(pointer_in_a_register);
FUNCTION(pointer_of_all);
FUNCTION(element_of_the_chunk);
FUNCTION(flag_on_the_stack);
FUNCTION(sum_in_a_register);
FUNCTION(sum_that_decides);
FUNCTION(maximum_on_the_stack);
FUNCTION(index_in_an_array);
FUNCTION(loop_in_a_loop_of_all);
FUNCTION(single_that_a_loop_follows);
FUNCTION(argument_of_another);
FUNCTION(combined);
FUNCTION(several_entries);
FUNCTION(count_and_stop);
FUNCTION(in_a_function_of_its_own);
FUNCTION(without_what_it_returns);
FUNCTION(pointer_by_clang);
FUNCTION(element_by_clang);
FUNCTION(beside_the_chunk_by_clang);
FUNCTION(sum_by_clang);
FUNCTION(used_behind_the_loop_by_clang);
FUNCTION(sections_by_clang);
FUNCTION(statement_of_fortran);
FUNCTION(unknown_instruction);
extern "C" const char loop_start, loop_next, loop_end, single_start, sections_next, tsan_read4, tsan_write4,
    atomic_start, atomic_end, fails, single_that_a_loop_follows_single, single_that_a_loop_follows_loop,
    in_a_function_of_its_own_first, without_what_it_returns_first, dispatch_init, dispatch_next, static_init,
    static_fini, reduce, end_reduce, st_write, st_write_done, sum_by_clang_later, used_behind_the_loop_by_clang_later,
    sections_by_clang_second;

namespace fletcher::tool::carried {

namespace {

Address at(const char& code) { return reinterpret_cast<Address>(&code); }

Doubts doubts(const char& begin, const char& end, Address nested = 0) {
  static const std::map<Address, std::string_view> names{
      {at(loop_start), "GOMP_loop_nonmonotonic_dynamic_start"},
      {at(loop_next), "GOMP_loop_nonmonotonic_dynamic_next"},
      {at(loop_end), "GOMP_loop_end_nowait"},
      {at(single_start), "GOMP_single_start"},
      {at(sections_next), "GOMP_sections_next"},
      {at(tsan_read4), "__tsan_read4"},
      {at(tsan_write4), "__tsan_write4"},
      {at(atomic_start), "GOMP_atomic_start"},
      {at(atomic_end), "GOMP_atomic_end"},
      {at(fails), "__assert_fail"},
      {at(dispatch_init), "__kmpc_dispatch_init_4"},
      {at(dispatch_next), "__kmpc_dispatch_next_4"},
      {at(static_init), "__kmpc_for_static_init_4"},
      {at(static_fini), "__kmpc_for_static_fini"},
      {at(reduce), "__kmpc_reduce_nowait"},
      {at(end_reduce), "__kmpc_end_reduce_nowait"},
      {at(st_write), "_gfortran_st_write"},
      {at(st_write_done), "_gfortran_st_write_done"},
  };
  const auto name = [](Address code, bool) {
    const auto known = names.find(code);
    return known == names.end() ? std::string_view{} : known->second;
  };
  return doubts_of({at(begin), at(end)}, name, nested);
}

bool any(const Doubts& found) { return found.of_all || !found.constructs.empty(); }

#define DOUBTS(name) doubts(name, name##_end)

TEST(CarriedValues, ThatDecideWhatIsAccessed) {
  EXPECT_TRUE(any(DOUBTS(pointer_in_a_register)));
  EXPECT_TRUE(any(DOUBTS(flag_on_the_stack)));
  EXPECT_TRUE(any(DOUBTS(sum_that_decides)));
  EXPECT_TRUE(any(DOUBTS(index_in_an_array)));
  EXPECT_TRUE(any(DOUBTS(argument_of_another)));
}

TEST(CarriedValues, ThatAreOfTheChunkOrOfAllThreads) {
  EXPECT_FALSE(any(DOUBTS(pointer_of_all)));
  EXPECT_FALSE(any(DOUBTS(element_of_the_chunk)));
  EXPECT_FALSE(any(DOUBTS(loop_in_a_loop_of_all)));
  EXPECT_FALSE(any(DOUBTS(several_entries)));
}

TEST(CarriedValues, ThatOnlyGoRound) {
  EXPECT_FALSE(any(DOUBTS(sum_in_a_register)));
  EXPECT_FALSE(any(DOUBTS(maximum_on_the_stack)));
  EXPECT_FALSE(any(DOUBTS(count_and_stop)));
}

TEST(CarriedValues, InTheBlockOfAnOutputStatement) { EXPECT_FALSE(any(DOUBTS(statement_of_fortran))); }

TEST(CarriedValues, AreDoubtsOfTheConstructsThatUseThem) {
  const Doubts found = DOUBTS(single_that_a_loop_follows);
  EXPECT_FALSE(found.of_all);
  EXPECT_FALSE(found.has(at(single_that_a_loop_follows_single)));
  EXPECT_TRUE(found.has(at(single_that_a_loop_follows_loop)));
  EXPECT_TRUE(DOUBTS(combined).has(0));
}

TEST(CarriedValues, GoThroughCalls) {
  const auto in = [](const char& begin, const char& end, const char& call) {
    return doubts(begin, end, at(call)).has(at(call));
  };
  EXPECT_TRUE(any(doubts(in_a_function_of_its_own, in_a_function_of_its_own_end, at(in_a_function_of_its_own_first))));
  EXPECT_FALSE(in(without_what_it_returns, without_what_it_returns_end, without_what_it_returns_first));
}

TEST(CarriedValues, InCodeOfClang) {
  EXPECT_TRUE(any(DOUBTS(pointer_by_clang)));
  EXPECT_FALSE(any(DOUBTS(element_by_clang)));
  EXPECT_TRUE(any(DOUBTS(beside_the_chunk_by_clang)));
  EXPECT_FALSE(any(DOUBTS(sum_by_clang)));
  EXPECT_TRUE(DOUBTS(used_behind_the_loop_by_clang).has(at(used_behind_the_loop_by_clang_later)));
  EXPECT_TRUE(DOUBTS(sections_by_clang).has(at(sections_by_clang_second)));
}

TEST(CarriedValues, InCodeThatIsNotKnown) { EXPECT_TRUE(DOUBTS(unknown_instruction).of_all); }

} // namespace

} // namespace fletcher::tool::carried

#endif
