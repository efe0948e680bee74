// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which part of a variable an expression names: `p[i].force.x` and `p[j].mass` are different members, whatever i and j
// are.
#pragma once

#include "reports/repair/source/code.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fletcher::reports {

/// The steps from a variable that stands at `at` to the part that is named: "[]" for an element, "x" for a member.
/// Of a call the last step is "()".
std::vector<std::string> member_path(const Code& code, Position at, std::string_view variable);

/// The first steps in which the two differ are members of one structure.
bool are_other_members(const std::vector<std::string>& a, const std::vector<std::string>& b);

/// `v.size()`: a container's own part, which no element is. (An index that is a call, as of a map, may change it.)
bool asks_for_size(const std::vector<std::string>& path);

} // namespace fletcher::reports
