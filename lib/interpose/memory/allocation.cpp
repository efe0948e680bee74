// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// malloc and its family: where the program's heap blocks begin and end. The allocator itself is the program's (libc's
// or one that it links).

#include "lib/interpose/libc.hpp"
#include "lib/interpose/memory/bootstrap.hpp"
#include "lib/interpose/memory/heap_blocks.hpp"
#include "lib/interpose/real.hpp"

#include <algorithm>
#include <malloc.h>
#include <stdlib.h>
#include <utility>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit Real<void*(std::size_t) noexcept> real_malloc{"malloc"};
constinit Real<void*(std::size_t, std::size_t) noexcept> real_calloc{"calloc"};
constinit Real<void*(void*, std::size_t) noexcept> real_realloc{"realloc"};
constinit Real<void*(void*, std::size_t, std::size_t) noexcept> real_reallocarray{"reallocarray"};
constinit Real<void(void*) noexcept> real_free{"free"};
constinit Real<void*(std::size_t, std::size_t) noexcept> real_memalign{"memalign"};
constinit Real<void*(std::size_t, std::size_t) noexcept> real_aligned_alloc{"aligned_alloc"};
constinit Real<int(void**, std::size_t, std::size_t) noexcept> real_posix_memalign{"posix_memalign"};
constinit Real<void*(std::size_t) noexcept> real_valloc{"valloc"};
constinit Real<void*(std::size_t) noexcept> real_pvalloc{"pvalloc"};
constinit Real<std::size_t(void*) noexcept> real_usable_size{"malloc_usable_size"};

/// The caller of malloc, or of operator new where that called it.
[[gnu::always_inline]] inline Address place_of(Address pc) noexcept {
  const Address outer = std::exchange(allocation_pc, 0);
  return outer != 0 && !modules::is_instrumented(pc) ? outer : pc;
}

/// What a signal handler does that interrupts the allocator is not checked: the checker would allocate, too, and wait
/// for the allocator's lock, which the interrupted thread holds.
template <class Call> auto unchecked(access::ThreadState& thread, Call call) {
  const access::InChecker inside(thread);
  return call();
}

/// The block that `allocate` makes for the caller, reported as the program's or the runtime's.
template <class Allocate>
[[gnu::noinline]] void* told_block(access::ThreadState& thread, std::size_t size, Address pc, Allocate allocate) {
  void* const block = unchecked(thread, allocate);
  if (modules::tool.contains(pc)) return block;
  if (modules::is_openmp(pc)) return runtime_block_begins(block, size);
  return block_begins(thread, block, size, place_of(pc));
}
template <class Allocate>
[[gnu::always_inline]] inline void* make_block(std::size_t size, Address pc, Allocate allocate) {
  access::ThreadState* const thread = outside_tool();
  if (thread == nullptr) [[likely]]
    return allocate();
  return told_block(*thread, size, pc, allocate);
}

[[gnu::noinline]] void tell_end(access::ThreadState& thread, void* block, Address pc) {
  if (block == nullptr || modules::tool.contains(pc)) return;
  if (modules::is_openmp(pc)) return runtime_block_ends(block);
  const Address place = place_of(pc);
  block_ends(thread, block, real_usable_size(block), place);
}

/// A device's memory, with room behind it.
[[gnu::noinline]] void* device_block(std::size_t size, Address pc) {
  constexpr std::size_t least = 4096, most = std::size_t{1} << 20;
  const std::size_t room = size + std::clamp(size, least, most);
  return make_block(room, pc, [=] { return real_malloc(room); });
}

/// realloc of a block that came from the bootstrap arena.
void* leave_arena(void* block, std::size_t size) noexcept {
  void* const moved = malloc(size);
  const std::size_t room = bootstrap::room(block);
  if (moved != nullptr) libc::memmove(moved, block, size < room ? size : room);
  return moved;
}

/// `move` moves the block, or fails and leaves it.
template <class Move> void* move_block(void* block, std::size_t size, Address pc, Move move) {
  access::ThreadState* const thread = outside_tool();
  if (thread == nullptr) return move();
  // Another thread may get the old place as soon as it is free, so its end is reported before. A block that stays has
  // lost what was recorded about it: that can hide a race, not make one up.
  const std::size_t before = real_usable_size(block);
  tell_end(*thread, block, pc);
  void* const moved = unchecked(*thread, move);
  if (moved == nullptr && (block == nullptr || size == 0)) return nullptr;
  make_block(moved == nullptr ? before : size, pc, [=] { return moved == nullptr ? block : moved; });
  return moved;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void* malloc(std::size_t size) noexcept {
  if (looking_up()) [[unlikely]]
    return bootstrap::allocate(size, 16);
  if (allocates_on_device && modules::is_openmp(caller())) [[unlikely]]
    return device_block(size, caller());
  return make_block(size, caller(), [=] { return real_malloc(size); });
}

void* calloc(std::size_t count, std::size_t size) noexcept {
  if (looking_up()) [[unlikely]] {
    std::size_t bytes = 0;
    return __builtin_mul_overflow(count, size, &bytes) ? nullptr : bootstrap::allocate(bytes, 16);
  }
  return make_block(count * size, caller(), [=] { return real_calloc(count, size); });
}

void* realloc(void* block, std::size_t size) noexcept {
  if (bootstrap::owns(block)) [[unlikely]]
    return leave_arena(block, size);
  if (looking_up()) [[unlikely]]
    return block == nullptr ? bootstrap::allocate(size, 16) : nullptr;
  return move_block(block, size, caller(), [=] { return real_realloc(block, size); });
}

void* reallocarray(void* block, std::size_t count, std::size_t size) noexcept {
  if (bootstrap::owns(block)) [[unlikely]]
    return leave_arena(block, count * size);
  return move_block(block, count * size, caller(), [=] { return real_reallocarray(block, count, size); });
}

void free(void* block) noexcept {
  if (bootstrap::owns(block)) [[unlikely]]
    return;
  // An old error message of dlsym's. Not given back: a free of the same message may be what led to this look-up.
  if (looking_up()) [[unlikely]]
    return;
  access::ThreadState* const thread = outside_tool();
  if (thread == nullptr) [[likely]]
    return real_free(block);
  tell_end(*thread, block, caller());
  unchecked(*thread, [=] { real_free(block); });
}

void* memalign(std::size_t alignment, std::size_t size) noexcept {
  if (looking_up()) [[unlikely]]
    return bootstrap::allocate(size, alignment);
  return make_block(size, caller(), [=] { return real_memalign(alignment, size); });
}

void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return make_block(size, caller(), [=] { return real_aligned_alloc(alignment, size); });
}

int posix_memalign(void** result, std::size_t alignment, std::size_t size) noexcept {
  int error = 0;
  void* block = nullptr;
  make_block(size, caller(), [&] {
    error = real_posix_memalign(&block, alignment, size);
    return error == 0 ? block : nullptr;
  });
  if (error == 0) *result = block;
  return error;
}

void* valloc(std::size_t size) noexcept {
  return make_block(size, caller(), [=] { return real_valloc(size); });
}

void* pvalloc(std::size_t size) noexcept {
  return make_block(size, caller(), [=] { return real_pvalloc(size); });
}

std::size_t malloc_usable_size(void* block) noexcept {
  if (bootstrap::owns(block)) [[unlikely]]
    return 0;
  return real_usable_size(block);
}

} // extern "C"
#pragma GCC visibility pop
