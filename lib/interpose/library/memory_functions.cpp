// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memcpy and its like, which gcc's and gfortran's instrumented code calls as they are, and qsort: accesses of their
// callers.
// The runtime libraries call them too, but for themselves.

#include "lib/interpose/libc.hpp"
#include "lib/interpose/observe.hpp"

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

using Size = std::size_t;
using Thread = access::ThreadState;

constinit Real<int(const void*, const void*, Size) noexcept> real_memcmp{"memcmp"};
constinit Real<void*(const void*, int, Size) noexcept> real_memchr{"memchr"};
// The checked variants of _FORTIFY_SOURCE end the program when `room` is too small.
constinit Real<void*(void*, const void*, Size, Size) noexcept> real_memcpy_chk{"__memcpy_chk"},
    real_memmove_chk{"__memmove_chk"}, real_mempcpy_chk{"__mempcpy_chk"};
constinit Real<void*(void*, int, Size, Size) noexcept> real_memset_chk{"__memset_chk"};
constinit Real<void(void*, Size) noexcept> real_explicit_bzero{"explicit_bzero"};
constinit Real<void(void*, Size, Size) noexcept> real_explicit_bzero_chk{"__explicit_bzero_chk"};
constinit Real<void(const void*, void*, ssize_t) noexcept> real_swab{"swab"};

using Compare = int (*)(const void*, const void*);
using CompareFor = int (*)(const void*, const void*, void*);
constinit Real<void(void*, Size, Size, Compare)> real_qsort{"qsort"};
constinit Real<void(void*, Size, Size, CompareFor, void*)> real_qsort_r{"qsort_r"};

// What each function accesses.
void copies(Thread& thread, Address pc, void* target, const void* source, Size size) {
  reads(thread, source, size, pc);
  writes(thread, target, size, pc);
}
void copies_checked(Thread& thread, Address pc, void* target, const void* source, Size size, Size) {
  copies(thread, pc, target, source, size);
}
void fills(Thread& thread, Address pc, void* target, int, Size size) { writes(thread, target, size, pc); }
void fills_checked(Thread& thread, Address pc, void* target, int, Size size, Size) { writes(thread, target, size, pc); }
void clears(Thread& thread, Address pc, void* target, Size size) { writes(thread, target, size, pc); }
void clears_checked(Thread& thread, Address pc, void* target, Size size, Size) { writes(thread, target, size, pc); }
void swaps(Thread& thread, Address pc, const void* source, void* target, ssize_t size) {
  if (size > 1) copies(thread, pc, target, source, static_cast<Size>(size) / 2 * 2);
}
void compares(Thread& thread, Address pc, const void* a, const void* b, Size size) {
  reads(thread, a, size, pc);
  reads(thread, b, size, pc);
}
// The reads are those of the program's function that compares.
void sorts(Thread& thread, Address pc, void* items, Size count, Size size, Compare) {
  writes(thread, items, count * size, pc);
}
void sorts_for(Thread& thread, Address pc, void* items, Size count, Size size, CompareFor, void*) {
  writes(thread, items, count * size, pc);
}
void searches(Thread& thread, Address pc, const void* text, int byte, Size size) {
  const void* const found = real_memchr(text, byte, size);
  const auto looked_at = static_cast<const char*>(found) - static_cast<const char*>(text) + 1;
  reads(thread, text, found == nullptr ? size : static_cast<Size>(looked_at), pc);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void* find_byte(const void* text, int byte, Size size) noexcept
    asm("memchr"); // C++ declares two functions of that name

void* memcpy(void* target, const void* source, Size size) noexcept {
  return with_accesses<copies, libc::memmove>(caller(), target, source, size);
}
void* memmove(void* target, const void* source, Size size) noexcept {
  return with_accesses<copies, libc::memmove>(caller(), target, source, size);
}
void* mempcpy(void* target, const void* source, Size size) noexcept {
  return static_cast<char*>(with_accesses<copies, libc::memmove>(caller(), target, source, size)) + size;
}
void bcopy(const void* source, void* target, Size size) noexcept {
  with_accesses<copies, libc::memmove>(caller(), target, source, size);
}
void* memset(void* target, int byte, Size size) noexcept {
  return with_accesses<fills, libc::memset>(caller(), target, byte, size);
}
void bzero(void* target, Size size) noexcept { with_accesses<fills, libc::memset>(caller(), target, 0, size); }
void explicit_bzero(void* target, Size size) noexcept {
  with_accesses<clears, real_explicit_bzero>(caller(), target, size);
}
void swab(const void* source, void* target, ssize_t size) noexcept {
  with_accesses<swaps, real_swab>(caller(), source, target, size);
}

int memcmp(const void* a, const void* b, Size size) noexcept {
  return with_accesses<compares, real_memcmp>(caller(), a, b, size);
}
int bcmp(const void* a, const void* b, Size size) noexcept {
  return with_accesses<compares, real_memcmp>(caller(), a, b, size);
}
void* find_byte(const void* text, int byte, Size size) noexcept {
  return with_accesses<searches, real_memchr>(caller(), text, byte, size);
}

void qsort(void* items, Size count, Size size, Compare compare) {
  with_accesses<sorts, real_qsort>(caller(), items, count, size, compare);
}
void qsort_r(void* items, Size count, Size size, CompareFor compare, void* argument) {
  with_accesses<sorts_for, real_qsort_r>(caller(), items, count, size, compare, argument);
}

void* __memcpy_chk(void* target, const void* source, Size size, Size room) noexcept {
  return with_accesses<copies_checked, real_memcpy_chk>(caller(), target, source, size, room);
}
void* __memmove_chk(void* target, const void* source, Size size, Size room) noexcept {
  return with_accesses<copies_checked, real_memmove_chk>(caller(), target, source, size, room);
}
void* __mempcpy_chk(void* target, const void* source, Size size, Size room) noexcept {
  return with_accesses<copies_checked, real_mempcpy_chk>(caller(), target, source, size, room);
}
void* __memset_chk(void* target, int byte, Size size, Size room) noexcept {
  return with_accesses<fills_checked, real_memset_chk>(caller(), target, byte, size, room);
}
void __explicit_bzero_chk(void* target, Size size, Size room) noexcept {
  with_accesses<clears_checked, real_explicit_bzero_chk>(caller(), target, size, room);
}

} // extern "C"
#pragma GCC visibility pop
