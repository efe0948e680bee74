// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The access path: an address enters, meets its cell, and mostly leaves. Inlined into the instrumentation entry points;
// everything that is not "same strand, same or stronger access" is in race_check.cpp.
#pragma once

#include "checker/access/thread_state.hpp"

#include <cstddef>
#include <cstring>

namespace fletcher::access {

/// The access is not (visibly) recorded yet for all of its bytes: records it, and reports races. size <= 16.
void check_slow(ThreadState& thread, Address address, std::size_t size, Kind kind, Address pc);

/// Any number of bytes (memcpy, aggregate copies).
void check_range(ThreadState& thread, Address address, std::size_t size, Kind kind, Address pc);

/// The current strand's cell at the granule says all bits of `need` (bytes and kind).
[[gnu::always_inline]] inline bool recorded(const ThreadState& thread, Address address, std::uint64_t need) noexcept {
  const std::uint64_t raw = __atomic_load_n(
      reinterpret_cast<const std::uint64_t*>(thread.shadow + (address & thread.shadow_mask)), __ATOMIC_RELAXED);
  return (raw >> Cell::strand_shift) == number(thread.strand) && (raw & need) == need;
}

/// One access of 1, 2, 4, 8 or 16 bytes, at any alignment. No lock, allocation or system call on the way where the
/// strand has made the same access before. Complexity: O(1).
[[gnu::always_inline]] inline void check(ThreadState& thread, Address address, std::size_t size, Kind kind,
                                         Address pc) {
  if (thread.off > 0) return;
  const unsigned offset = address & 7;
  const std::uint64_t kind_bits = std::uint64_t{static_cast<std::uint8_t>(kind)} << Cell::kind_shift;
  if (size <= 8 && offset + size <= 8) [[likely]] {
    const auto mask = static_cast<std::uint64_t>(((1u << size) - 1) << offset);
    if (recorded(thread, address, mask | kind_bits)) [[likely]]
      return;
  }
  if (size == 16 && offset == 0) { // vectorised loops over doubles and integers
    constexpr std::uint64_t all = 0xff;
    if (recorded(thread, address, all | kind_bits) && recorded(thread, address + 8, all | kind_bits)) [[likely]]
      return;
  }
  check_slow(thread, address, size, kind, pc);
}

} // namespace fletcher::access
