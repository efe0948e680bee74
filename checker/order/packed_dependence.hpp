// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An item of a depend clause in 8 bytes: millions of tasks keep theirs. Relies on events.hpp.
#pragma once

#include "checker/events.hpp"

#include <ranges>
#include <span>

namespace fletcher::order {

/// Addresses of data have 56 bits at most: what is above (tags in pointers) is lost.
class PackedDependence {
public:
  PackedDependence() = default;
  explicit PackedDependence(const Dependence& d) noexcept
      : raw_(std::uint64_t{d.address} << flag_bits | static_cast<std::uint64_t>(d.type) | (d.all_memory ? all : 0) |
             (d.permanent ? permanent : 0)) {}
  operator Dependence() const noexcept {
    return {.address = static_cast<Address>(raw_ >> flag_bits),
            .type = static_cast<DependenceType>(raw_ & type_mask),
            .all_memory = (raw_ & all) != 0,
            .permanent = (raw_ & permanent) != 0};
  }

private:
  static constexpr unsigned flag_bits = 8;
  static constexpr std::uint64_t type_mask = 7, all = 8, permanent = 16;
  std::uint64_t raw_ = 0;
};
static_assert(sizeof(PackedDependence) == 8);

/// A range of Dependence by value.
inline auto unpacked(std::span<const PackedDependence> items) noexcept {
  return items | std::views::transform([](PackedDependence d) { return Dependence(d); });
}

} // namespace fletcher::order
