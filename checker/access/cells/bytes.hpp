// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stretch of bytes, and which one a cell's mask records. Relies on ids.hpp only.
#pragma once

#include "checker/ids.hpp"

#include <bit>
#include <cstdint>

namespace fletcher::access {

struct Bytes {
  Address begin = 0, end = 0;

  constexpr bool contain(Address address) const noexcept { return address - begin < end - begin; }
  constexpr Address size() const noexcept { return end - begin; }
  friend constexpr bool operator==(const Bytes&, const Bytes&) = default;
};

/// What the mask of the granule has without a gap around `address`, which it has, too.
constexpr Bytes bytes_around(Address address, std::uint8_t mask) noexcept {
  const auto at = static_cast<unsigned>(address & 7);
  const auto after = static_cast<unsigned>(std::countr_one(static_cast<unsigned>(mask) >> at));
  const auto before = static_cast<unsigned>(std::countl_one(static_cast<std::uint8_t>(mask << (8 - at))));
  return {address - before, address + after};
}
static_assert(bytes_around(0x100, 0x0f) == Bytes{0x100, 0x104});
static_assert(bytes_around(0x105, 0xf1) == Bytes{0x104, 0x108});

} // namespace fletcher::access
