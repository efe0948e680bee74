// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memcpy and its like, which gcc's and gfortran's instrumented code calls as they are: accesses of whoever called them.
// The runtime libraries call them too, but for themselves.

#include "lib/interpose/libc.hpp"
#include "lib/interpose/observe.hpp"

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

using Size = std::size_t;

constinit Real<int(const void*, const void*, Size)> real_memcmp{"memcmp"};
constinit Real<void*(const void*, int, Size)> real_memchr{"memchr"};
// The checked variants of _FORTIFY_SOURCE end the program when `room` is too small.
constinit Real<void*(void*, const void*, Size, Size)> real_memcpy_chk{"__memcpy_chk"};
constinit Real<void*(void*, const void*, Size, Size)> real_memmove_chk{"__memmove_chk"};
constinit Real<void*(void*, const void*, Size, Size)> real_mempcpy_chk{"__mempcpy_chk"};
constinit Real<void*(void*, int, Size, Size)> real_memset_chk{"__memset_chk"};

[[gnu::always_inline]] inline void copies(void* target, const void* source, Size size, Address pc) {
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]] {
    reads(*thread, source, size, pc);
    writes(*thread, target, size, pc);
  }
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void* find_byte(const void* text, int byte, Size size) asm("memchr"); // C++ declares two functions of that name

void* memcpy(void* target, const void* source, Size size) {
  copies(target, source, size, caller());
  return libc::memmove(target, source, size);
}
void* memmove(void* target, const void* source, Size size) {
  copies(target, source, size, caller());
  return libc::memmove(target, source, size);
}
void* mempcpy(void* target, const void* source, Size size) {
  copies(target, source, size, caller());
  return static_cast<char*>(libc::memmove(target, source, size)) + size;
}
void bcopy(const void* source, void* target, Size size) {
  copies(target, source, size, caller());
  libc::memmove(target, source, size);
}
void* memset(void* target, int byte, Size size) {
  const Address pc = caller();
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]]
    writes(*thread, target, size, pc);
  return libc::memset(target, byte, size);
}
void bzero(void* target, Size size) {
  const Address pc = caller();
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]]
    writes(*thread, target, size, pc);
  libc::memset(target, 0, size);
}

int memcmp(const void* a, const void* b, Size size) {
  const Address pc = caller();
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]] {
    reads(*thread, a, size, pc);
    reads(*thread, b, size, pc);
  }
  return real_memcmp(a, b, size);
}
int bcmp(const void* a, const void* b, Size size) {
  const Address pc = caller();
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]] {
    reads(*thread, a, size, pc);
    reads(*thread, b, size, pc);
  }
  return real_memcmp(a, b, size);
}
void* find_byte(const void* text, int byte, Size size) {
  const Address pc = caller();
  access::ThreadState* const thread = checked(pc);
  if (thread == nullptr) [[likely]]
    return real_memchr(text, byte, size);
  void* const found = real_memchr(text, byte, size);
  const auto* const end = static_cast<const char*>(found);
  reads(*thread, text, found == nullptr ? size : static_cast<Size>(end - static_cast<const char*>(text)) + 1, pc);
  return found;
}

void* __memcpy_chk(void* target, const void* source, Size size, Size room) {
  copies(target, source, size, caller());
  return real_memcpy_chk(target, source, size, room);
}
void* __memmove_chk(void* target, const void* source, Size size, Size room) {
  copies(target, source, size, caller());
  return real_memmove_chk(target, source, size, room);
}
void* __mempcpy_chk(void* target, const void* source, Size size, Size room) {
  copies(target, source, size, caller());
  return real_mempcpy_chk(target, source, size, room);
}
void* __memset_chk(void* target, int byte, Size size, Size room) {
  const Address pc = caller();
  if (access::ThreadState* const thread = checked(pc)) [[unlikely]]
    writes(*thread, target, size, pc);
  return real_memset_chk(target, byte, size, room);
}

} // extern "C"
#pragma GCC visibility pop
