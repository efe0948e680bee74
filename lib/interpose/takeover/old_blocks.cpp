// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/interpose/takeover/old_blocks.hpp"

#include "lib/interpose/libc.hpp"

#include <algorithm>
#include <cerrno>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace fletcher::interpose::old_blocks {

namespace {

constinit Allocator old{};
constinit Address small_blocks = 0;
constexpr Address range_of_small_blocks = Address{1} << 40; ///< what its allocator reserves for them

constexpr Address page = 4096;

constinit Next next{};

/// A large block of the old allocator begins with a page, one of libc's does so only where that was asked for.
bool is_old(const void* block) noexcept {
  const auto address = reinterpret_cast<Address>(block);
  if (address - small_blocks < range_of_small_blocks) return true;
  return address % page == 0 && block != nullptr && old.owns(block) != 0;
}

/// The whole pages in it.
void give_pages_back(const void* block) noexcept {
  constexpr std::size_t worthwhile = std::size_t{1} << 16;
  const std::size_t size = old.size(block);
  if (size < worthwhile) return;
  const Address begin = (reinterpret_cast<Address>(block) + page - 1) & ~(page - 1),
                end = (reinterpret_cast<Address>(block) + size) & ~(page - 1);
  const int error = errno;
  syscall(SYS_madvise, begin, end - begin, MADV_DONTNEED);
  errno = error;
}

} // namespace

Address begin_of_small(const void* block) noexcept {
  return reinterpret_cast<Address>(block) & ~(range_of_small_blocks - 1);
}

void remember(const Allocator& allocator, const Next& libc, const void* block) noexcept {
  old = allocator;
  next = libc;
  small_blocks = begin_of_small(block);
}

bool hold(Address address) noexcept {
  if (small_blocks == 0) return false;
  if (address - small_blocks < range_of_small_blocks) return true;
  return !around(address).empty();
}

std::span<std::byte> around(Address address) noexcept {
  if (small_blocks == 0 || old.begin == nullptr) return {};
  void* const begin = const_cast<void*>(old.begin(reinterpret_cast<const void*>(address)));
  return begin == nullptr ? std::span<std::byte>() : std::span(static_cast<std::byte*>(begin), old.size(begin));
}

void free(void* block) noexcept { is_old(block) ? give_pages_back(block) : next.free(block); }

void* realloc(void* block, std::size_t size) noexcept {
  if (!is_old(block)) return next.realloc(block, size);
  void* const moved = size == 0 ? nullptr : next.malloc(size);
  if (moved == nullptr && size != 0) return nullptr;
  if (moved != nullptr) libc::memmove(moved, block, std::min(size, old.size(block)));
  give_pages_back(block);
  return moved;
}

void* reallocarray(void* block, std::size_t count, std::size_t size) noexcept {
  std::size_t bytes = 0;
  if (!__builtin_mul_overflow(count, size, &bytes)) return realloc(block, bytes);
  errno = ENOMEM;
  return nullptr;
}

std::size_t usable_size(void* block) noexcept { return is_old(block) ? old.size(block) : next.usable_size(block); }

} // namespace fletcher::interpose::old_blocks
