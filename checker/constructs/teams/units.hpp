// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of a unit of work, and of what tells units apart (work.cpp).
#pragma once

#include "checker/constructs/strand.hpp"

#include <cstdint>

namespace fletcher::constructs {

enum class UnitKind : std::uint8_t { work, piece, combination };

inline void end_unit(Task& member) {
  member.rare().unit_since = member.rare().unit_floor = StrandId::none;
  member.rare().moving = Rare::Moving::nothing;
  member.rare().combines = member.rare().has_combined = false;
  member.rare().unit_number = 0;
}
inline void forget_moved(Task& member) noexcept {
  member.rare().moved_after = member.rare().moved_until = StrandId::none;
}
/// The ids of its strands begin anew, or mean something else.
inline void forget_when_number_was_drawn(Task& member) noexcept {
  if (!has_number(member)) return;
  member.now().knows_thread = true;
  member.rare().drew_number = StrandId::none;
  member.rare().is_long = false;
}

} // namespace fletcher::constructs
