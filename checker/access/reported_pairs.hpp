// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The races that a thread has reported lately, by where the two accesses are. To report one again would only count it,
// so that nothing has to be asked about the next such pair of accesses. Not thread-safe: each thread has its own.
#pragma once

#include "checker/ids.hpp"
#include "checker/memory/hash.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace fletcher::access {

/// Which later reports only repeat one.
enum class Repeats : std::uint8_t {
  none,         ///< what is said depends on more than the places
  same_callers, ///< those of the same two sites
  same_places,  ///< those of the same two places in the code, whichever callers their functions have
};

/// Direct-mapped; what is pushed out is judged and reported once more. Either access may be the later one.
class ReportedPairs {
public:
  bool empty() const noexcept { return empty_; }
  bool has(ContextId a, ContextId b) const noexcept {
    const std::uint64_t pair = sites(a, b);
    return by_site_[slot(pair, by_site_.size())] == pair;
  }
  bool has(Address a, Address b) const noexcept {
    return by_place_[slot(a ^ b, by_place_.size())] == Places{std::min(a, b), std::max(a, b)};
  }
  void add(ContextId a, ContextId b) noexcept {
    const std::uint64_t pair = sites(a, b);
    by_site_[slot(pair, by_site_.size())] = pair;
    empty_ = false;
  }
  void add(Address a, Address b) noexcept {
    by_place_[slot(a ^ b, by_place_.size())] = {std::min(a, b), std::max(a, b)};
    empty_ = false;
  }

private:
  struct Places {
    Address first = 0, second = 0;
    friend bool operator==(const Places&, const Places&) = default;
  };
  /// No access is at site 0: never 0.
  static std::uint64_t sites(ContextId a, ContextId b) noexcept {
    return std::uint64_t{std::min(number(a), number(b))} << 32 | std::max(number(a), number(b));
  }
  static std::size_t slot(std::uint64_t mixed, std::size_t slots) noexcept {
    return (memory::spread(mixed) >> 32) % slots;
  }
  bool empty_ = true;
  std::array<std::uint64_t, 256> by_site_{};
  std::array<Places, 32> by_place_{};
};

} // namespace fletcher::access
