// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/takeover/first_looks.hpp"

#include "checker/access/glance.hpp"
#include "lib/tool/thread.hpp"

#include <cstdint>
#include <cstring>
#include <optional>

#if defined(__x86_64__)

// One after the other, reads first: of 1, 2, 4, 8, 16 bytes. Two places are filled when a copy is made.
asm(R"(
	.pushsection .rodata
	.balign 128
	.hidden fletcher_first_looks
	.globl fletcher_first_looks
fletcher_first_looks:

	.macro first_look kind, size
	.balign 128
10:	mov	%fs:0, %rax		# __fletcher_glance_4; its offset is the instruction's last four bytes
	mov	8(%rax), %rdx
	and	%rdi, %rdx
	add	(%rax), %rdx		# the address of the first cell
	.if \size == 16
	test	$7, %dil
	jne	11f
	.elseif \size > 1
	test	$(\size - 1), %dil
	jne	11f
	.endif
	mov	(%rdx), %rcx
	xor	16(%rax), %rcx		# mine
	.if \size == 16
	mov	8(%rdx), %rdx
	xor	24(%rax), %rdx
	or	%rdx, %rcx
	.endif
	.if \size >= 8
	movabs	$(0xfffffffc00000000 | \kind << 8 | 0xff), %rdx
	test	%rdx, %rcx
	.else
	mov	%rcx, %rdx
	mov	%edi, %ecx
	and	$7, %ecx
	mov	$((1 << \size) - 1), %eax
	shl	%cl, %eax		# the bytes
	movabs	$(0xfffffffc00000000 | \kind << 8), %rcx
	or	%rax, %rcx
	test	%rcx, %rdx
	.endif
	jne	11f
	ret
11:	jmp	*12f(%rip)
	.org	10b + 120, 0xcc
12:	.quad	0			# where it goes on
	.endm

	.irp	size, 1, 2, 4, 8, 16
	first_look 2, \size
	.endr
	.irp	size, 1, 2, 4, 8, 16
	first_look 3, \size
	.endr
	.purgem	first_look
	.popsection
)");

extern "C" [[gnu::visibility("hidden")]] const std::byte fletcher_first_looks[2][5][128];

namespace fletcher::interpose {

namespace {

using access::Cell;
using access::Glance;
using access::Kind;

static_assert(offsetof(Glance, shadow) == 0 && offsetof(Glance, shadow_mask) == 8 && offsetof(Glance, mine) == 16);
static_assert(Cell::strand_mask == 0xfffffffc00000000 && Cell::need(Kind::read, 0xff) == (2 << 8 | 0xff) &&
              Cell::need(Kind::write, 0xff) == (3 << 8 | 0xff));

constexpr std::size_t offset_at = 5, target_at = 120;
constexpr std::string_view prefix = "__tsan_", virtual_table = "vptr_read", kinds[] = {"read", "write"},
                           sizes[] = {"1", "2", "4", "8", "16"};

struct Which {
  std::size_t kind = 0, size = 0;
};
std::optional<Which> which(std::string_view entry_point) noexcept {
  if (!entry_point.starts_with(prefix)) return std::nullopt;
  entry_point.remove_prefix(prefix.size());
  if (entry_point == virtual_table) return Which{0, 3}; // a pointer is read
  for (Which one; one.kind < std::size(kinds); ++one.kind)
    if (entry_point.starts_with(kinds[one.kind]))
      for (one.size = 0; one.size < std::size(sizes); ++one.size)
        if (entry_point.substr(kinds[one.kind].size()) == sizes[one.size]) return one;
  return std::nullopt;
}

} // namespace

std::string after_first_look(std::string_view entry_point) {
  const auto one = which(entry_point);
  return one ? std::string("__fletcher_untold_").append(kinds[one->kind]).append(sizes[one->size]) : std::string();
}

FirstLook first_look(std::string_view entry_point, const void* after) noexcept {
  FirstLook look{};
  const auto one = which(entry_point);
  if (!one) return look;
  std::memcpy(look.data(), fletcher_first_looks[one->kind][one->size], look.size());
  const auto offset = static_cast<std::int32_t>(reinterpret_cast<std::intptr_t>(&__fletcher_glance_4) -
                                                reinterpret_cast<std::intptr_t>(__builtin_thread_pointer()));
  std::memcpy(look.data() + offset_at, &offset, sizeof offset);
  std::memcpy(look.data() + target_at, &after, sizeof after);
  return look;
}

} // namespace fletcher::interpose

#else

namespace fletcher::interpose {
std::string after_first_look(std::string_view) { return {}; }
FirstLook first_look(std::string_view, const void*) noexcept { return {}; }
} // namespace fletcher::interpose

#endif
