// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compilers give line 0 to code that belongs to no line alone, as to the store that two branches have in common. It is
// known by its function's line. Functions that compilers outlined have none: there the line of the code before is near,
// although it may be another one's.
#pragma once

#include "reports/symbols/symbolizer.hpp"

#include <string>
#include <vector>

namespace fletcher::reports {

/// Puts those lines, without columns, into the answers about code whose innermost frame has line 0, in a function
/// without a line. What cannot be found stays as it is.
void find_nearest_lines(const std::string& symbolizer, const std::vector<Query>& queries, std::vector<Answer>& answers);

} // namespace fletcher::reports
