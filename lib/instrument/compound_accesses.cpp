// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A read followed by a write of the same address in one block, as one call (clang's -tsan-compound-read-before-write).
// A write conflicts with all that a read conflicts with, so the write says it all.

#include "lib/instrument/access.hpp"

using namespace fletcher::instrument;

#pragma GCC visibility push(default)
extern "C" {

void __tsan_read_write1(void* p) { write(p, 1); }
void __tsan_read_write2(void* p) { write(p, 2); }
void __tsan_read_write4(void* p) { write(p, 4); }
void __tsan_read_write8(void* p) { write(p, 8); }
void __tsan_read_write16(void* p) { write(p, 16); }

void __tsan_unaligned_read_write2(void* p) { write(p, 2); }
void __tsan_unaligned_read_write4(void* p) { write(p, 4); }
void __tsan_unaligned_read_write8(void* p) { write(p, 8); }
void __tsan_unaligned_read_write16(void* p) { write(p, 16); }

} // extern "C"
#pragma GCC visibility pop
