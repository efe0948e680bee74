// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Aligned accesses of 1 to 16 bytes: what clang, gcc and gfortran insert before nearly every load and store.

#include "lib/instrument/access.hpp"

using namespace fletcher;
using namespace fletcher::instrument;

#pragma GCC visibility push(default)
extern "C" {

void __tsan_read1(void* p) { read(p, 1); }
void __tsan_read2(void* p) { read(p, 2); }
void __tsan_read4(void* p) { read(p, 4); }
void __tsan_read8(void* p) { read(p, 8); }
void __tsan_read16(void* p) { read(p, 16); }

void __tsan_write1(void* p) { write(p, 1); }
void __tsan_write2(void* p) { write(p, 2); }
void __tsan_write4(void* p) { write(p, 4); }
void __tsan_write8(void* p) { write(p, 8); }
void __tsan_write16(void* p) { write(p, 16); }

// Whether so many reads of 8 bytes, side by side, need no check. Of records of a table, at places that nobody foresees.
bool __fletcher_read_told(void* p, unsigned long count) {
  access::ThreadState* const thread = tool::thread_state();
  return thread == nullptr || thread->off > 0 || access::told_of_reads(*thread, reinterpret_cast<Address>(p), count);
}

// After a first look in the caller's code (lib/pass/checks/inline_checks.cpp, lib/interpose/takeover/first_looks).
void __fletcher_untold_read1(void* p) { check_untold(p, 1, Kind::read, caller(), true); }
void __fletcher_untold_read2(void* p) { check_untold(p, 2, Kind::read, caller(), true); }
void __fletcher_untold_read4(void* p) { check_untold(p, 4, Kind::read, caller(), true); }
void __fletcher_untold_read8(void* p) { check_untold(p, 8, Kind::read, caller(), true); }
void __fletcher_untold_read16(void* p) { check_untold(p, 16, Kind::read, caller()); }
void __fletcher_untold_write1(void* p) { check_untold(p, 1, Kind::write, caller()); }
void __fletcher_untold_write2(void* p) { check_untold(p, 2, Kind::write, caller()); }
void __fletcher_untold_write4(void* p) { check_untold(p, 4, Kind::write, caller()); }
void __fletcher_untold_write8(void* p) { check_untold(p, 8, Kind::write, caller()); }
void __fletcher_untold_write16(void* p) { check_untold(p, 16, Kind::write, caller()); }

// The caller passes the place of the access.
void __tsan_read1_pc(void* p, void* pc) { check(p, 1, Kind::read, reinterpret_cast<Address>(pc)); }
void __tsan_read2_pc(void* p, void* pc) { check(p, 2, Kind::read, reinterpret_cast<Address>(pc)); }
void __tsan_read4_pc(void* p, void* pc) { check(p, 4, Kind::read, reinterpret_cast<Address>(pc)); }
void __tsan_read8_pc(void* p, void* pc) { check(p, 8, Kind::read, reinterpret_cast<Address>(pc)); }
void __tsan_read16_pc(void* p, void* pc) { check(p, 16, Kind::read, reinterpret_cast<Address>(pc)); }
void __tsan_write1_pc(void* p, void* pc) { check(p, 1, Kind::write, reinterpret_cast<Address>(pc)); }
void __tsan_write2_pc(void* p, void* pc) { check(p, 2, Kind::write, reinterpret_cast<Address>(pc)); }
void __tsan_write4_pc(void* p, void* pc) { check(p, 4, Kind::write, reinterpret_cast<Address>(pc)); }
void __tsan_write8_pc(void* p, void* pc) { check(p, 8, Kind::write, reinterpret_cast<Address>(pc)); }
void __tsan_write16_pc(void* p, void* pc) { check(p, 16, Kind::write, reinterpret_cast<Address>(pc)); }

} // extern "C"
#pragma GCC visibility pop
