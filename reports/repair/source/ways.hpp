// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ways that a thread or task can go through the text of what it executes, with the calls of the file's own
// functions: which statements and constructs it meets on each. What was recorded of it says which branch it took, where
// it was in one. Loops are gone through once, or not at all.
#pragma once

#include "reports/repair/source/course.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fletcher::reports {

struct Act {
  enum class Kind : std::uint8_t {
    statement, ///< a simple one
    meets,     ///< a directive that stands alone
    enters,    ///< a construct
    leaves,
    creates, ///< a construct whose body others execute
    arrives, ///< at the place that was asked for: the last one of its way
    lets_go, ///< of what a guard in the block, whose statement is the text, has locked
    ends,    ///< where what it executes is over
  };
  Kind kind = Kind::statement;
  std::string text; ///< of the statement, with what its callers handed over in the place of parameters
  std::optional<DirectiveText> directive;
  std::uint32_t line = 0;
};
using Way = std::vector<Act>;

/// All ways to the last line of the course's route; with `to_end`, to the end instead. `others` are further places at
/// which the same one has been, by routes of the same course. Nothing where the text is not clear, or there are too
/// many. Only what has one of the words matters, and directives.
std::optional<std::vector<Way>> ways(const Code& code, const Course& course, const std::vector<Route>& others,
                                     const std::vector<std::string_view>& words, bool to_end);

} // namespace fletcher::reports
