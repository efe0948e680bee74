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
	.balign 256
	.hidden fletcher_first_looks
	.globl fletcher_first_looks
fletcher_first_looks:

	.macro first_look kind, size
	.balign 256
10:	mov	%fs:0, %rax		# __fletcher_glance_5; its offset is the instruction's last four bytes
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
	mov	(%rdx), %r8
	mov	%r8, %rsi
	xor	16(%rax), %rsi		# mine
	.if \size == 16
	mov	8(%rdx), %r11
	mov	%r11, %rcx
	xor	24(%rax), %rcx
	or	%rcx, %rsi
	.endif
	.if \size >= 8
	mov	$(\kind << 8 | 0xff), %r10d	# what is needed
	movabs	$(0xfffffffc00000000 | \kind << 8 | 0xff), %r9
	.else
	mov	%edi, %ecx
	and	$7, %ecx
	mov	$((1 << \size) - 1), %r10d
	shl	%cl, %r10d		# the bytes
	or	$(\kind << 8), %r10d
	movabs	$0xfffffffc00000000, %r9
	or	%r10, %r9
	.endif
	test	%r9, %rsi
	jne	13f
	ret
13:
	.if \kind == 2
	mov	%r8, %rcx		# the joint strand at the cell's slot
	shr	$33, %rcx
	and	$0x38, %ecx
	mov	56(%rax, %rcx), %rsi
	xor	%r8, %rsi
	.if \size == 16
	mov	%r11, %rcx
	shr	$33, %rcx
	and	$0x38, %ecx
	mov	56(%rax, %rcx), %rcx
	xor	%r11, %rcx
	or	%rcx, %rsi
	test	%r9, %rsi
	je	14f
	.else
	test	%r9, %rsi
	je	14f
	mov	132(%rax), %ecx		# the horizon
	shl	$34, %rcx
	cmp	%rcx, %r8
	jb	11f
	xor	%r11d, %r11d
	test	$0xc00, %r8d		# there is a further cell
	cmovne	120(%rax), %r11
	mov	(%rdx, %r11, 8), %rdx
	mov	%r10, %r9
	or	48(%rax), %r9		# never
	mov	%r8, %rsi
	sub	32(%rax), %rsi		# since
	cmp	40(%rax), %rsi		# span
	setb	%sil
	xor	%r10, %r8
	test	%r9, %r8
	sete	%r8b
	and	%r8b, %sil
	mov	%rdx, %r11
	sub	32(%rax), %r11
	cmp	40(%rax), %r11
	setb	%r11b
	xor	%r10, %rdx
	test	%r9, %rdx
	sete	%dl
	and	%r11b, %dl
	or	%dl, %sil
	jne	14f
	.endif
	.endif
11:	jmp	*12f(%rip)
14:	ret
	.org	10b + 248, 0xcc
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

extern "C" [[gnu::visibility("hidden")]] const std::byte fletcher_first_looks[2][5][256];

namespace fletcher::interpose {

namespace {

using access::Cell;
using access::Glance;
using access::Kind;

using access::Alike;

static_assert(offsetof(Glance, shadow) == 0 && offsetof(Glance, shadow_mask) == 8 && offsetof(Glance, mine) == 16 &&
              offsetof(Glance, alike) == 32 && offsetof(Glance, plane_distance) == 120);
static_assert(offsetof(Alike, since) == 0 && offsetof(Alike, span) == 8 && offsetof(Alike, never) == 16 &&
              offsetof(Alike, joints) == 24 && Alike::slot_shift == 33 && Alike::slot_mask == 0x38);
static_assert(Cell::strand_mask == 0xfffffffc00000000 && Cell::need(Kind::read, 0xff) == (2 << 8 | 0xff) &&
              Cell::need(Kind::write, 0xff) == (3 << 8 | 0xff) && Cell::strand_shift == 34 &&
              (Cell::further_mask & 0xc00) == 0xc00 && Cell(0xc00).further() == 3);

/// As in frame_code.cpp. Once: a thread's state is large.
bool has_layout() noexcept {
  static const bool has_it = [] {
    const access::ThreadState thread;
    constexpr std::size_t horizon_at = 132;
    return reinterpret_cast<const std::byte*>(&thread.horizon) ==
           reinterpret_cast<const std::byte*>(&thread) + horizon_at;
  }();
  return has_it;
}

constexpr std::size_t offset_at = 5, target_at = 248;
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
  return one && has_layout() ? std::string("__fletcher_untold_").append(kinds[one->kind]).append(sizes[one->size])
                             : std::string();
}

FirstLook first_look(std::string_view entry_point, const void* after) noexcept {
  FirstLook look{};
  const auto one = which(entry_point);
  if (!one) return look;
  std::memcpy(look.data(), fletcher_first_looks[one->kind][one->size], look.size());
  const auto offset = static_cast<std::int32_t>(reinterpret_cast<std::intptr_t>(&__fletcher_glance_5) -
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
