// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of include/fletcher/fletcher.h.

#include "include/fletcher/fletcher.h"

#include "checker/access/ranges/pieces.hpp"
#include "lib/instrument/access.hpp"
#include "lib/instrument/annotations.hpp"

using namespace fletcher::instrument;

namespace {

void pieces(const volatile void* memory, std::size_t size, std::size_t step, std::size_t count, Kind kind,
            fletcher::Address pc) {
  auto* const thread = fletcher::tool::thread_state();
  if (thread == nullptr || thread->off > 0) return;
  fletcher::access::check_pieces(*thread, reinterpret_cast<fletcher::Address>(memory), static_cast<std::int64_t>(step),
                                 size, count, kind, pc);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

int fletcher_is_checking(void) {
  const auto* const thread = fletcher::tool::thread_state();
  return thread != nullptr && thread->off <= 0 ? 1 : 0;
}
void fletcher_happens_before(const volatile void* object) { happens_before(object); }
void fletcher_happens_after(const volatile void* object) { happens_after(object); }
void fletcher_new_memory(const volatile void* memory, size_t size) { new_memory(memory, size); }
void fletcher_benign_race(const volatile void* memory, size_t size, const char*) { benign_race(memory, size); }
void fletcher_ignore_begin(void) { ignore_begin(); }
void fletcher_ignore_end(void) { ignore_end(); }
void fletcher_reads(const volatile void* memory, size_t size) { check_whole(memory, size, Kind::read, caller()); }
void fletcher_writes(const volatile void* memory, size_t size) { check_whole(memory, size, Kind::write, caller()); }
void fletcher_reads_pieces(const volatile void* memory, size_t size, size_t step, size_t count) {
  pieces(memory, size, step, count, Kind::read, caller());
}
void fletcher_writes_pieces(const volatile void* memory, size_t size, size_t step, size_t count) {
  pieces(memory, size, step, count, Kind::write, caller());
}
void fletcher_lock_acquired(const volatile void* lock) { lock_acquired(lock, true, caller()); }
void fletcher_lock_releasing(const volatile void* lock) { lock_releasing(lock, true, caller()); }

} // extern "C"
#pragma GCC visibility pop
