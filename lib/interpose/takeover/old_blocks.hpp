// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heap blocks from before the take-over: the program got them from ThreadSanitizer's allocator, and gives them back
// when libc's has taken its place. That allocator is only asked whose a block is (sanitizer/allocator_interface.h): to
// take one back it would have to know the thread. Nobody else allocates from it, so it is enough that the system gets
// the pages of large blocks.
#pragma once

#include "checker/ids.hpp"

#include <cstddef>
#include <span>

namespace fletcher::interpose::old_blocks {

/// What the take-over found in the program.
struct Allocator {
  int (*owns)(const void*) = nullptr;
  const void* (*begin)(const void*) = nullptr; ///< of the block around an address; older runtimes lack it
  std::size_t (*size)(const void*) = nullptr;
  bool complete() const noexcept { return owns != nullptr && size != nullptr; }
};

/// Libc's, which has taken its place.
struct Next {
  void* (*malloc)(std::size_t) = nullptr;
  void* (*realloc)(void*, std::size_t) = nullptr;
  void (*free)(void*) = nullptr;
  std::size_t (*usable_size)(void*) = nullptr;
  bool complete() const noexcept {
    return malloc != nullptr && realloc != nullptr && free != nullptr && usable_size != nullptr;
  }
};

/// Where the part of the address space begins that the old allocator has for small blocks, of which this is one.
Address begin_of_small(const void* block) noexcept;
/// Before the first of the following, with complete ones. `block` is one of the old allocator's.
void remember(const Allocator& allocator, const Next& libc, const void* block) noexcept;

/// Whether the address is in one of the old allocator's blocks. Thread-safe; false before there is one.
bool hold(Address address) noexcept;
/// That block; nothing where there is none, or where it cannot be known (older runtimes).
std::span<std::byte> around(Address address) noexcept;

// As libc's, for blocks of both.
void free(void* block) noexcept;
void* realloc(void* block, std::size_t size) noexcept;
void* reallocarray(void* block, std::size_t count, std::size_t size) noexcept;
std::size_t usable_size(void* block) noexcept;

} // namespace fletcher::interpose::old_blocks
