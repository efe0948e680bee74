// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data that is set where it is first needed: `if (!ready) { ...; ready = true; }`, as it stands in a function.
#pragma once

#include "reports/repair/source/directives/directive_text.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace fletcher::reports {

struct Initialisation {
  std::string variable;                  ///< that is tested, and set by nothing else
  std::string value;                     ///< what it is set to
  Extent condition, body;                ///< the whole statement, and what stands behind its condition
  std::optional<DirectiveText> critical; ///< whose body the statement is
  std::optional<Extent> guard;           ///< C++: the std::lock_guard or the like that is declared in front of it
  std::optional<Extent> outer;           ///< a condition of the same words, whose body is the critical construct, or
                                         ///< the block that the guard begins

  bool is_exclusive() const { return critical || guard; }

  /// The outermost of what belongs to it begins and ends there.
  Extent whole(const Code& code) const;
  /// The value ends the condition: a thread that comes later does not set the data again.
  bool ends_by_value() const;
};

/// The one that a line is in the body of.
std::optional<Initialisation> initialisation_around(const Code& code, std::uint32_t line);

/// The line that declares the variable as a static one of the function; 0 for none.
std::uint32_t declared_static_at(const Code& code, const Initialisation& one);

/// A thread that reaches the line is in the statement, or has passed it.
bool comes_by(const Code& code, const Initialisation& one, std::uint32_t line);

} // namespace fletcher::reports
