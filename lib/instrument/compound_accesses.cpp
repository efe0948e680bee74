// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A read followed by a write of the same address in one block, as one call (clang's -tsan-compound-read-before-write).
// A write conflicts with all that a read conflicts with, so the write says it all, except for who follows accesses
// besides.

#include "lib/instrument/access.hpp"

using namespace fletcher;
using namespace fletcher::instrument;

namespace {

[[gnu::always_inline]] inline void read_write(const volatile void* address, std::size_t size) {
  const auto at = reinterpret_cast<Address>(address);
  if (access::told_first(*__fletcher_glance_5, at, size, Kind::write)) [[likely]]
    return;
  if (access::ThreadState* const thread = tool::thread_state(); thread != nullptr && thread->off <= 0)
    access::tell_watcher(*thread, at, size, Kind::read, caller());
  check_untold(address, size, Kind::write, caller());
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void __tsan_read_write1(void* p) { read_write(p, 1); }
void __tsan_read_write2(void* p) { read_write(p, 2); }
void __tsan_read_write4(void* p) { read_write(p, 4); }
void __tsan_read_write8(void* p) { read_write(p, 8); }
void __tsan_read_write16(void* p) { read_write(p, 16); }

void __tsan_unaligned_read_write2(void* p) { read_write(p, 2); }
void __tsan_unaligned_read_write4(void* p) { read_write(p, 4); }
void __tsan_unaligned_read_write8(void* p) { read_write(p, 8); }
void __tsan_unaligned_read_write16(void* p) { read_write(p, 16); }

} // extern "C"
#pragma GCC visibility pop
