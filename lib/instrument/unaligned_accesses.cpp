// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that may cross a granule (clang; gcc uses ranges for them).

#include "lib/instrument/access.hpp"

using namespace fletcher::instrument;

#pragma GCC visibility push(default)
extern "C" {

void __tsan_unaligned_read2(const void* p) { read(p, 2); }
void __tsan_unaligned_read4(const void* p) { read(p, 4); }
void __tsan_unaligned_read8(const void* p) { read(p, 8); }
void __tsan_unaligned_read16(const void* p) { read(p, 16); }

void __tsan_unaligned_write2(void* p) { write(p, 2); }
void __tsan_unaligned_write4(void* p) { write(p, 4); }
void __tsan_unaligned_write8(void* p) { write(p, 8); }
void __tsan_unaligned_write16(void* p) { write(p, 16); }

} // extern "C"
#pragma GCC visibility pop
