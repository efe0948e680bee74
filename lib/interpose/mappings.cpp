// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that the program maps and unmaps: what was recorded about a range ends with it.

#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"

#include <sys/mman.h>
#include <sys/types.h>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit Real<void*(void*, std::size_t, int, int, int, off_t) noexcept> real_mmap{"mmap"};
constinit Real<int(void*, std::size_t) noexcept> real_munmap{"munmap"};

void* mapped(access::ThreadState& thread, void* memory, std::size_t size, Address pc) {
  if (memory != MAP_FAILED)
    raise(MemoryBegin{thread.id, reinterpret_cast<Address>(memory), size, MemoryKind::mapping, pc});
  return memory;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void* mmap(void* hint, std::size_t size, int protection, int flags, int file, off_t offset) noexcept {
  const Address pc = caller();
  access::ThreadState* const thread = observed(pc);
  if (thread == nullptr || thread->off > 0) [[likely]]
    return real_mmap(hint, size, protection, flags, file, offset);
  return mapped(*thread, real_mmap(hint, size, protection, flags, file, offset), size, pc);
}
void* mmap64(void* hint, std::size_t size, int protection, int flags, int file, off_t offset) noexcept {
  const Address pc = caller();
  access::ThreadState* const thread = observed(pc);
  if (thread == nullptr || thread->off > 0) [[likely]]
    return real_mmap(hint, size, protection, flags, file, offset);
  return mapped(*thread, real_mmap(hint, size, protection, flags, file, offset), size, pc);
}

int munmap(void* memory, std::size_t size) noexcept {
  const Address pc = caller();
  access::ThreadState* const thread = observed(pc);
  if (thread != nullptr && thread->off <= 0)
    raise(MemoryEnd{thread->id, reinterpret_cast<Address>(memory), size, MemoryKind::mapping, pc});
  return real_munmap(memory, size);
}

} // extern "C"
#pragma GCC visibility pop
