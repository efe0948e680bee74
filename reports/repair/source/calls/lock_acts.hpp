// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which locks one holds at the end of a way through the text.
#pragma once

#include "reports/repair/source/ways.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fletcher::reports {

/// A call for a lock, of OpenMP, POSIX or C11, wherever it stands in a statement, or a guard of C++.
struct LockAct {
  enum class Kind : std::uint8_t { sets, unsets, initialises, destroys };
  Kind kind = Kind::sets;
  std::string lock; ///< without blanks and casts
  bool nestable = false;
};
std::vector<LockAct> lock_acts(std::string_view text);

/// What is held; a lock that is set twice is in it twice. A critical construct is "critical" with its name.
struct LocksHeld {
  std::vector<std::string> held;
  std::vector<std::string> unset_of_others; ///< what was unset without being held
  bool holds(const std::string& lock) const;
};
LocksHeld locks_held(const Way& way);

/// The lock that the last act of a way takes, or unsets.
std::optional<std::string> lock_at_end(const Way& way);

} // namespace fletcher::reports
