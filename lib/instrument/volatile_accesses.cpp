// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Volatile accesses, distinguished only by clang's -tsan-distinguish-volatile and gcc's tsan-distinguish-volatile.
// Neither C nor OpenMP makes a volatile access atomic or ordered, so they are checked like any other.

#include "lib/instrument/access.hpp"

using namespace fletcher::instrument;

#pragma GCC visibility push(default)
extern "C" {

void __tsan_volatile_read1(void* p) { read(p, 1); }
void __tsan_volatile_read2(void* p) { read(p, 2); }
void __tsan_volatile_read4(void* p) { read(p, 4); }
void __tsan_volatile_read8(void* p) { read(p, 8); }
void __tsan_volatile_read16(void* p) { read(p, 16); }

void __tsan_volatile_write1(void* p) { write(p, 1); }
void __tsan_volatile_write2(void* p) { write(p, 2); }
void __tsan_volatile_write4(void* p) { write(p, 4); }
void __tsan_volatile_write8(void* p) { write(p, 8); }
void __tsan_volatile_write16(void* p) { write(p, 16); }

void __tsan_unaligned_volatile_read2(void* p) { read(p, 2); }
void __tsan_unaligned_volatile_read4(void* p) { read(p, 4); }
void __tsan_unaligned_volatile_read8(void* p) { read(p, 8); }
void __tsan_unaligned_volatile_read16(void* p) { read(p, 16); }

void __tsan_unaligned_volatile_write2(void* p) { write(p, 2); }
void __tsan_unaligned_volatile_write4(void* p) { write(p, 4); }
void __tsan_unaligned_volatile_write8(void* p) { write(p, 8); }
void __tsan_unaligned_volatile_write16(void* p) { write(p, 16); }

} // extern "C"
#pragma GCC visibility pop
