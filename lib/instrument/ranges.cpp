// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of any size: gcc's aggregate copies and unaligned accesses.

#include "lib/instrument/access.hpp"

using namespace fletcher;
using namespace fletcher::instrument;

namespace {

// Most ranges are small structures: those of a power of two take the short way.
[[gnu::always_inline]] inline void range(const void* address, std::size_t size, Kind kind, Address pc) {
  switch (size) {
  case 4:
    return check(address, 4, kind, pc);
  case 8:
    return check(address, 8, kind, pc);
  default:
    return check_range(address, size, kind, pc);
  }
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void __tsan_read_range(void* p, unsigned long size) { range(p, size, Kind::read, caller()); }
void __tsan_write_range(void* p, unsigned long size) { range(p, size, Kind::write, caller()); }
void __tsan_read_range_pc(void* p, unsigned long size, void* pc) {
  range(p, size, Kind::read, reinterpret_cast<Address>(pc));
}
void __tsan_write_range_pc(void* p, unsigned long size, void* pc) {
  range(p, size, Kind::write, reinterpret_cast<Address>(pc));
}

} // extern "C"
#pragma GCC visibility pop
