// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hashes of numbers, for tables that nobody fills on purpose to make them slow.
#pragma once

#include <cstdint>

namespace fletcher::memory {

/// Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, 6.4): all bits of the key decide the upper
/// bits.
constexpr std::uint64_t spread(std::uint64_t key) noexcept { return key * 0x9e3779b97f4a7c15u; }

/// Of several numbers, one after the other; which is first matters.
constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
  a ^= b + spread(1) + (a << 6) + (a >> 2);
  return a * 0xff51afd7ed558ccdu;
}

} // namespace fletcher::memory
