// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an access needs to know of its thread where its strand has made the same access before. Code that the compiler
// plugin (lib/pass) puts into programs reads it: its layout, and that of cells, belong to the library's interface.
#pragma once

#include "checker/access/cells/alike.hpp"
#include "checker/access/cells/cell.hpp"
#include "checker/ids.hpp"

#include <cstddef>
#include <cstdint>

namespace fletcher::access {

struct Glance {
  constexpr Glance() = default;
  Glance(const Glance&) = delete;
  Glance& operator=(const Glance&) = delete;

  /// The cell of address 0 in the shadow's first plane. Where accesses are not checked `mine`, with a mask that selects
  /// nothing: all is recorded then.
  std::uint64_t* shadow = mine;
  std::uintptr_t shadow_mask = 0; ///< selects the granule's bits of an address
  /// What a cell of the current strand holds that records all kinds of access to all bytes; for two granules.
  std::uint64_t mine[2] = {Cell::telling_all(StrandId::none), Cell::telling_all(StrandId::none)};
  Alike alike;                    ///< whose reads stand for the current strand's
  std::size_t plane_distance = 0; ///< from a cell to the granule's next one, in cells
};
static_assert(sizeof(Glance) == 128 && offsetof(Glance, shadow) == 0 && offsetof(Glance, shadow_mask) == 8 &&
              offsetof(Glance, mine) == 16 && offsetof(Glance, alike) == 32 && offsetof(Glance, plane_distance) == 120);

/// The first cell of the granule, in the shadow's first plane.
[[gnu::always_inline]] inline std::uint64_t* first_cell(const Glance& thread, Address address) noexcept {
  return reinterpret_cast<std::uint64_t*>(reinterpret_cast<std::byte*>(thread.shadow) + (address & thread.shadow_mask));
}

/// The first cells of the access's one or two granules record it, or it is not to be checked. Not found out, so false,
/// of what crosses granules.
[[gnu::always_inline]] inline bool told_first(const Glance& thread, Address address, std::size_t size,
                                              Kind kind) noexcept {
  const unsigned offset = address & 7;
  const std::uint64_t* const cell = first_cell(thread, address);
  if (size == 16) { // vectorised loops over doubles and integers; both granules by one branch
    if (offset != 0) [[unlikely]]
      return false;
    const std::uint64_t low = __atomic_load_n(cell, __ATOMIC_RELAXED) ^ thread.mine[0],
                        high = __atomic_load_n(cell + 1, __ATOMIC_RELAXED) ^ thread.mine[1];
    return ((low | high) & (Cell::strand_mask | Cell::need(kind, 0xff))) == 0;
  }
  if (offset + size > 8) [[unlikely]]
    return false;
  const std::uint64_t need = Cell::need(kind, static_cast<std::uint8_t>(((1u << size) - 1) << offset));
  return ((__atomic_load_n(cell, __ATOMIC_RELAXED) ^ thread.mine[0]) & (Cell::strand_mask | need)) == 0;
}

} // namespace fletcher::access
