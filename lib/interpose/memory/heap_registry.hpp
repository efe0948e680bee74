// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the program's heap blocks came from, for the notes of a report. One store for a small block: a word in a table
// that is indexed by the block's address. Large blocks are in an ordered map. Relies on ids.hpp and on malloc's
// alignment of 16; the pools of OpenMP's runtime, which are blocks themselves, align to 8.
#pragma once

#include "checker/ids.hpp"

#include <cstddef>
#include <optional>

namespace fletcher::interpose {

struct HeapBlock {
  Address base = 0;
  std::size_t size = 0; ///< as the program asked for
  ContextId origin = ContextId::none;
  ThreadId thread = ThreadId::none; ///< that allocated it
  bool serial = false;              ///< it did so outside of every parallel region
  bool alive = true;
};

/// Thread-safe. A block is remembered beyond its end, until another takes its place, so that a use after free can be
/// reported.
namespace heap {

void born(const HeapBlock& block) noexcept;
/// The block ends; its size, or nothing where it is not known.
std::optional<std::size_t> died(Address base) noexcept;
/// The block that holds `address`, the program's rather than the runtime's around it; where no living one does, the
/// last that did.
std::optional<HeapBlock> find(Address address) noexcept;

/// Around fork(): no thread of the parent holds a lock in the child.
void before_fork() noexcept;
void after_fork() noexcept;

} // namespace heap
} // namespace fletcher::interpose
