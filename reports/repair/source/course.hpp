// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a thread or task executes, as it stands in a file: where it begins, and the functions that it may call.
#pragma once

#include "reports/repair/source/directives/directive_text.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fletcher::reports {

/// The lines by which one came to a place, from the outermost call inward.
using Route = std::vector<std::uint32_t>;

/// What one executes: the body of the innermost construct of a task or region around where it came by, or a function.
struct Course {
  Extent body;
  std::optional<DirectiveText> construct;
  Route route; ///< from the body on
};
std::optional<Course> course_of(const Code& code, const Route& route);

/// The construct's body is executed by others than who comes to it.
bool is_of_others(const DirectiveText& construct);
/// The bodies of a file's own functions, by their names.
std::map<std::string, Extent> functions_of(const Code& code);

} // namespace fletcher::reports
