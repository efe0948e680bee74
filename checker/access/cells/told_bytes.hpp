// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which bytes of a granule are recorded, kind by kind: eight bits for each kind of access in one number. Relies on
// cell.hpp.
#pragma once

#include "checker/access/cells/cell.hpp"

namespace fletcher::access {

/// A bit for each kind that the index covers, eight bits apart.
constexpr std::uint32_t covered_kinds[] = {0x00000001, 0x00000101, 0x00010001, 0x01010101};
/// The bytes of the access once for each kind that its own kind covers, eight bits a kind.
constexpr std::uint32_t bytes_by_kind(Cell cell) noexcept {
  return cell.mask() * covered_kinds[static_cast<unsigned>(cell.kind())];
}
/// All bytes of the access are among those that are recorded of its kind.
constexpr bool is_among(Cell cell, std::uint32_t told) noexcept {
  return (cell.mask() & ~(told >> (8 * static_cast<unsigned>(cell.kind())))) == 0;
}
static_assert(is_among(Cell(StrandId::none, ContextId::none, Kind::atomic_read, 0x0f),
                       bytes_by_kind(Cell(StrandId::none, ContextId::none, Kind::read, 0x0f))));

} // namespace fletcher::access
