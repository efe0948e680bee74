// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang's memcpy, memmove and memset: the accesses, then the operation.

#include "lib/instrument/access.hpp"
#include "lib/interpose/libc.hpp"

using namespace fletcher;
using namespace fletcher::instrument;

#pragma GCC visibility push(default)
extern "C" {

// An assignment of a structure to itself is a memcpy onto itself, so both are memmove.
void* __tsan_memcpy(void* target, const void* source, unsigned long size) {
  check_range(source, size, Kind::read, caller());
  check_range(target, size, Kind::write, caller());
  return interpose::libc::memmove(target, source, size);
}

void* __tsan_memmove(void* target, const void* source, unsigned long size) {
  check_range(source, size, Kind::read, caller());
  check_range(target, size, Kind::write, caller());
  return interpose::libc::memmove(target, source, size);
}

void* __tsan_memset(void* target, int byte, unsigned long size) {
  check_range(target, size, Kind::write, caller());
  return interpose::libc::memset(target, byte, size);
}

} // extern "C"
#pragma GCC visibility pop
