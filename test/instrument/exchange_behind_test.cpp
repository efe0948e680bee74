// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code as gcc puts it behind the load of an update that it makes of a load and a compare-exchange.
#include "lib/instrument/exchange_behind.hpp"

#include <gtest/gtest.h>

#if defined(__x86_64__)
asm(R"(
	.pushsection .text.exchange_behind, "ax"
	.macro	behind name
	.globl	\name
\name:	nop
	.endm

	behind	sum_added
	mov	%rax, %rdx
1:	movq	%rdx, %xmm1
	mov	%rdx, %rax
	addsd	%xmm0, %xmm1
	movq	%xmm1, %rcx
	lock cmpxchg %rcx, (%rbx)
	jne	1b
	xor	%esi, %esi
	lea	updated(%rip), %rdi
	call	updated
	ret

	behind	sum_added_without_registers
	mov	%rax, %rbx
1:	mov	%rbx, -0x30(%rbp)
	call	updated
	movsd	(%rax), %xmm0
	addsd	-0x30(%rbp), %xmm0
	movq	%xmm0, %rdx
	mov	%rbx, %rax
	lock cmpxchg %rdx, (%r12)
	mov	%rbx, %rdx
	mov	%rax, %rbx
	cmp	%rdx, %rax
	jne	1b
	lea	updated(%rip), %rbx
	mov	$0, %edx
	call	updated
	ret

	behind	updated_by_its_name
	mov	%eax, %edx
	mov	%edx, %eax
	add	%edx, %edx
	lock cmpxchg %edx, updated(%rip)
	jne	1f
	call	updated
1:	ret

	behind	updated_wider
	lock cmpxchg %edx, updated(%rip)
	jne	1f
1:	call	updated

	behind	another_updated
	lock cmpxchg %edx, updated+4(%rip)
	jne	1f
1:	call	updated

	behind	old_value_kept
	mov	%rax, %rdx
1:	lea	(%rdx,%rdx), %rcx
	mov	%rdx, %rax
	lock cmpxchg %rcx, (%rbx)
	jne	1b
	mov	%rdx, 8(%rbx)
	call	updated

	behind	new_value_an_argument
	mov	%rax, %rdx
1:	lea	(%rdx,%rdx), %rcx
	mov	%rdx, %rax
	lock cmpxchg %rcx, (%rbx)
	jne	1b
	mov	%rcx, %rdi
	call	updated

	behind	new_value_compared
	mov	%rax, %rdx
1:	lea	(%rdx,%rdx), %rcx
	mov	%rdx, %rax
	lock cmpxchg %rcx, (%rbx)
	jne	1b
	cmp	$5, %rcx
	je	2f
	call	updated
2:	ret

	behind	another_value_expected
	mov	%rax, %rdx
	mov	%rsi, %rax
	lock cmpxchg %rdx, (%rbx)
	ret

	behind	only_read
	mov	%rax, %rdx
	call	updated
	ret

	behind	one_way_only
	test	%rax, %rax
	je	1f
	lock cmpxchg %rdx, (%rbx)
1:	ret
	.purgem	behind
	.popsection
	.comm	updated, 8, 8
)");

extern "C" const char sum_added, sum_added_without_registers, updated_by_its_name, updated_wider, another_updated,
    old_value_kept, new_value_an_argument, new_value_compared, another_value_expected, only_read, one_way_only;
extern "C" const char updated;

namespace fletcher::instrument {
namespace {

ExchangeBehind is_behind(const char& place, std::size_t size = 8, const char& object = updated) {
  return exchange_behind(reinterpret_cast<Address>(&place), reinterpret_cast<Address>(&object), size);
}

TEST(ExchangeBehind, IsFoundAndWhetherItsValuesGoAnywhere) {
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(is_behind(sum_added), ExchangeBehind::alone);
    EXPECT_EQ(is_behind(sum_added_without_registers), ExchangeBehind::alone);
    EXPECT_EQ(is_behind(old_value_kept), ExchangeBehind::is_used);
    EXPECT_EQ(is_behind(new_value_an_argument), ExchangeBehind::is_used);
    EXPECT_EQ(is_behind(new_value_compared), ExchangeBehind::is_used);
  }
}

TEST(ExchangeBehind, IsOneOfWhatWasLoaded) {
  EXPECT_EQ(is_behind(another_value_expected), ExchangeBehind::none);
  EXPECT_EQ(is_behind(only_read), ExchangeBehind::none);
  EXPECT_EQ(is_behind(one_way_only), ExchangeBehind::none);
}

TEST(ExchangeBehind, IsOfTheSameObjectAndSize) {
  EXPECT_EQ(is_behind(updated_by_its_name, 4), ExchangeBehind::alone);
  EXPECT_EQ(is_behind(updated_wider, 8), ExchangeBehind::none);
  EXPECT_EQ(is_behind(another_updated, 4), ExchangeBehind::none);
}

} // namespace
} // namespace fletcher::instrument
#endif
