// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that the program maps and unmaps: what was recorded about a range ends with it.

#include "lib/interpose/memory/unseen_memory.hpp"
#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"

#include <sys/mman.h>
#include <sys/types.h>

#include <algorithm>
#include <cstdarg>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit Real<void*(void*, std::size_t, int, int, int, off_t) noexcept> real_mmap{"mmap"};
constinit Real<int(void*, std::size_t) noexcept> real_munmap{"munmap"};
constinit Real<void*(void*, std::size_t, std::size_t, int, void*) noexcept> real_mremap{"mremap"};

void* mapped(access::ThreadState& thread, void* memory, std::size_t size, Address pc) {
  if (memory != MAP_FAILED)
    raise(MemoryBegin{thread.id, reinterpret_cast<Address>(memory), size, MemoryKind::mapping, pc});
  return memory;
}

// Where it goes on at its place, only what is new there or no more is forgotten: others may use the rest meanwhile.
void moved(ThreadId thread, void* from, std::size_t old_size, void* to, std::size_t size, Address pc) {
  const auto forget = [&](void* memory, std::size_t begin, std::size_t end) {
    if (begin < end)
      raise(MemoryBegin{thread, reinterpret_cast<Address>(memory) + begin, end - begin, MemoryKind::mapping, pc});
  };
  if (to == from) return forget(from, std::min(old_size, size), std::max(old_size, size));
  forget(from, 0, old_size);
  forget(to, 0, size);
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

void* mremap(void* memory, std::size_t old_size, std::size_t size, int flags, ...) noexcept {
  const Address pc = caller();
  void* place = nullptr;
  if ((flags & MREMAP_FIXED) != 0) {
    std::va_list more;
    va_start(more, flags);
    place = va_arg(more, void*);
    va_end(more);
  }
  access::ThreadState* const thread = observed(pc);
  void* const result = real_mremap(memory, old_size, size, flags, place);
  if (result == MAP_FAILED) return result;
  // ThreadSanitizer knows mmap and munmap only.
  if (thread != nullptr && thread->off <= 0)
    moved(thread->id, memory, old_size, result, size, pc);
  else if (thread == nullptr && judged_by_sanitizer() && is_told(pc, false))
    moved(tool::where().thread, memory, old_size, result, size, pc);
  return result;
}

} // extern "C"
#pragma GCC visibility pop
