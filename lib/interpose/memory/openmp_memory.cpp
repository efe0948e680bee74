// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenMP's allocation routines and allocate clauses: the runtime takes the memory from pools of its own, where malloc's
// interposer does not see the program's blocks begin and end.

#include "lib/interpose/memory/heap_blocks.hpp"
#include "lib/interpose/memory/unseen_memory.hpp"
#include "lib/interpose/real.hpp"

#include <cstddef>
#include <cstdint>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

using Size = std::size_t;
using Allocator = std::uintptr_t;

constinit Real<void*(Size, Allocator)> real_alloc{"omp_alloc"};
constinit Real<void*(Size, Size, Allocator)> real_aligned_alloc{"omp_aligned_alloc"}, real_calloc{"omp_calloc"};
constinit Real<void*(Size, Size, Size, Allocator)> real_aligned_calloc{"omp_aligned_calloc"};
constinit Real<void*(void*, Size, Allocator, Allocator)> real_realloc{"omp_realloc"};
constinit Real<void(void*, Allocator)> real_free{"omp_free"};
constinit Real<void*(int, Size, Allocator)> real_kmpc_alloc{"__kmpc_alloc"};
constinit Real<void*(int, Size, Size, Allocator)> real_kmpc_aligned_alloc{"__kmpc_aligned_alloc"};
constinit Real<void(int, void*, Allocator)> real_kmpc_free{"__kmpc_free"};
constinit Real<void*(Size, Size, Allocator)> real_gomp_alloc{"GOMP_alloc"};
constinit Real<void(void*, Allocator)> real_gomp_free{"GOMP_free"};
constinit Real<void*(Size)> real_kmp_malloc{"kmp_malloc"};
constinit Real<void*(Size, Size)> real_kmp_calloc{"kmp_calloc"}, real_kmp_aligned_malloc{"kmp_aligned_malloc"};
constinit Real<void*(void*, Size)> real_kmp_realloc{"kmp_realloc"};
constinit Real<void(void*)> real_kmp_free{"kmp_free"};

void* got(void* block, Size size, Address pc) {
  if (access::ThreadState* const thread = observed(pc)) return block_begins(*thread, block, size, pc);
  // The runtime's pools lie in blocks that are no new ones to ThreadSanitizer.
  if (block != nullptr && judged_by_sanitizer() && is_told(pc, false))
    raise(MemoryBegin{tool::where().thread, reinterpret_cast<Address>(block), size, MemoryKind::mapping, pc});
  return block;
}
void gives(void* block, Address pc) {
  if (access::ThreadState* const thread = observed(pc)) block_ends(*thread, block, 0, pc);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void* omp_alloc(Size size, Allocator from) { return got(real_alloc(size, from), size, caller()); }
void* omp_aligned_alloc(Size alignment, Size size, Allocator from) {
  return got(real_aligned_alloc(alignment, size, from), size, caller());
}
void* omp_calloc(Size count, Size size, Allocator from) {
  return got(real_calloc(count, size, from), count * size, caller());
}
void* omp_aligned_calloc(Size alignment, Size count, Size size, Allocator from) {
  return got(real_aligned_calloc(alignment, count, size, from), count * size, caller());
}
void* omp_realloc(void* block, Size size, Allocator to, Allocator from) {
  gives(block, caller());
  return got(real_realloc(block, size, to, from), size, caller());
}
void omp_free(void* block, Allocator from) {
  gives(block, caller());
  real_free(block, from);
}

void* __kmpc_alloc(int thread, Size size, Allocator from) {
  return got(real_kmpc_alloc(thread, size, from), size, caller());
}
void* __kmpc_aligned_alloc(int thread, Size alignment, Size size, Allocator from) {
  return got(real_kmpc_aligned_alloc(thread, alignment, size, from), size, caller());
}
void __kmpc_free(int thread, void* block, Allocator from) {
  gives(block, caller());
  real_kmpc_free(thread, block, from);
}

void* GOMP_alloc(Size alignment, Size size, Allocator from) {
  return got(real_gomp_alloc(alignment, size, from), size, caller());
}
void GOMP_free(void* block, Allocator from) {
  gives(block, caller());
  real_gomp_free(block, from);
}

void* kmp_malloc(Size size) { return got(real_kmp_malloc(size), size, caller()); }
void* kmp_aligned_malloc(Size size, Size alignment) {
  return got(real_kmp_aligned_malloc(size, alignment), size, caller());
}
void* kmp_calloc(Size count, Size size) { return got(real_kmp_calloc(count, size), count * size, caller()); }
void* kmp_realloc(void* block, Size size) {
  gives(block, caller());
  return got(real_kmp_realloc(block, size), size, caller());
}
void kmp_free(void* block) {
  gives(block, caller());
  real_kmp_free(block);
}

} // extern "C"
#pragma GCC visibility pop
