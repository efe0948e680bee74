// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/symbols/frame_layout.hpp"

#include <algorithm>

namespace fletcher::reports {
namespace {

struct Match {
  std::optional<FrameLayout::Variable> variable;
  bool several = false; ///< names, as for variables of blocks that share their memory
  bool any() const noexcept { return variable.has_value(); }
  std::optional<FrameLayout::Variable> only() const { return several ? std::nullopt : variable; }
};

/// Only one name may fit: gcc lists the variables of a nested outlined function too, which live in another frame.
Match match(const std::vector<FrameAnswer>& variables, Address base, Address address) {
  const auto offset = static_cast<std::int64_t>(address - base);
  Match hit;
  for (const FrameAnswer& variable : variables) {
    const auto size = static_cast<std::int64_t>(std::max<std::uint64_t>(variable.size, 1));
    if (offset < variable.offset || offset - variable.offset >= size) continue;
    hit.several |= hit.any() && hit.variable->told.name != variable.name;
    hit.variable = {variable, base + static_cast<Address>(variable.offset)};
  }
  return hit;
}

} // namespace

std::optional<FrameLayout::Variable> FrameLayout::at(Address frame_pointer, Address address) const {
  // clang describes frames relative to the frame pointer, gcc relative to the caller's stack pointer, 16 bytes above.
  constexpr Address cfa_above_frame_pointer = 16;
  const Match as_gcc = match(variables, frame_pointer + cfa_above_frame_pointer, address);
  if (!maybe_clang) return as_gcc.only();
  // Where only gcc's base fits, clang's variable may be one whose offset optimised code does not tell.
  const Match as_clang = match(variables, frame_pointer, address);
  // A negative offset nearer to the base than 16 cannot be gcc's: the saved frame pointer and return address lie there.
  const bool surely_clang = std::any_of(variables.begin(), variables.end(), [](const FrameAnswer& variable) {
    return variable.offset < 0 && variable.offset + static_cast<std::int64_t>(variable.size) >
                                      -static_cast<std::int64_t>(cfa_above_frame_pointer);
  });
  const auto one = as_clang.only(), other = as_gcc.only();
  if (surely_clang || !as_gcc.any()) return one;
  return one && other && one->told.name == other->told.name ? one : std::nullopt;
}

} // namespace fletcher::reports
