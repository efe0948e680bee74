// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of any size: gcc's aggregate copies and unaligned accesses, and what Fletcher's compiler plugin (lib/pass)
// makes of loops.

#include "lib/instrument/access.hpp"

#include "checker/access/ranges/pieces.hpp"

#include <bit>
#include <cstdint>

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

// `count` pieces of `size` bytes, each `stride` bytes after the one before.
void strided(void* first, long stride, std::size_t size, std::size_t count, Kind kind, Address pc) {
  access::ThreadState* const thread = tool::thread_state();
  if (thread == nullptr || thread->off > 0) return;
  access::check_pieces(*thread, reinterpret_cast<Address>(first), stride, size, count, kind, pc);
}

// Elements of a vector of `size` bytes each, those of which the bit in `lanes` is set; neighbours at once.
void masked(void* first, std::size_t size, std::uint64_t lanes, Kind kind, Address pc) {
  access::ThreadState* const thread = tool::thread_state();
  if (thread == nullptr || thread->off > 0) return;
  auto address = reinterpret_cast<Address>(first);
  while (lanes != 0) {
    const int skipped = std::countr_zero(lanes);
    const int taken = std::countr_one(lanes >> skipped);
    address += static_cast<std::size_t>(skipped) * size;
    access::tell_watcher(*thread, address, static_cast<std::size_t>(taken) * size, kind, pc);
    access::check_range(*thread, address, static_cast<std::size_t>(taken) * size, kind, pc);
    if (skipped + taken == 64) return;
    address += static_cast<std::size_t>(taken) * size;
    lanes >>= skipped + taken;
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

void __fletcher_read_strided(void* first, long stride, unsigned long size, unsigned long count) {
  strided(first, stride, size, count, Kind::read, caller());
}
void __fletcher_write_strided(void* first, long stride, unsigned long size, unsigned long count) {
  strided(first, stride, size, count, Kind::write, caller());
}

void __fletcher_read_masked(void* first, unsigned long size, unsigned long lanes) {
  masked(first, size, lanes, Kind::read, caller());
}
void __fletcher_write_masked(void* first, unsigned long size, unsigned long lanes) {
  masked(first, size, lanes, Kind::write, caller());
}

} // extern "C"
#pragma GCC visibility pop
