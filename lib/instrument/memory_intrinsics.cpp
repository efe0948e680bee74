// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang's memcpy, memmove and memset: the accesses, then the operation.

#include "lib/instrument/access.hpp"
#include "lib/interpose/libc.hpp"

#include <cstdint>

using namespace fletcher;
using namespace fletcher::instrument;

namespace {

struct Words {
  std::uint64_t at[2];
};

template <class Whole> [[gnu::always_inline]] inline void* move_small(void* target, const void* source, Address pc) {
  check(source, sizeof(Whole), Kind::read, pc);
  check(target, sizeof(Whole), Kind::write, pc);
  Whole whole;
  __builtin_memcpy(&whole, source, sizeof whole);
  __builtin_memcpy(target, &whole, sizeof whole);
  return target;
}

// Small structures are what compilers would have made loads and stores of, were the copy not to be reported. An
// assignment of a structure to itself is a memcpy onto itself, so both are memmove.
[[gnu::always_inline]] inline void* move(void* target, const void* source, unsigned long size, Address pc) {
  if (size == sizeof(std::uint64_t)) return move_small<std::uint64_t>(target, source, pc);
  if (size == sizeof(Words)) return move_small<Words>(target, source, pc);
  check_whole(source, size, Kind::read, pc);
  check_whole(target, size, Kind::write, pc);
  return interpose::libc::memmove(target, source, size);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void* __tsan_memcpy(void* target, const void* source, unsigned long size) {
  return move(target, source, size, caller());
}

void* __tsan_memmove(void* target, const void* source, unsigned long size) {
  return move(target, source, size, caller());
}

void* __tsan_memset(void* target, int byte, unsigned long size) {
  check_whole(target, size, Kind::write, caller());
  return interpose::libc::memset(target, byte, size);
}

} // extern "C"
#pragma GCC visibility pop
