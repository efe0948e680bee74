// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edits made in a text, and the difference between two texts as `diff -u` shows it.
#pragma once

#include "reports/explanation/diagnostic.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fletcher::reports {

/// The text of one file with all edits, which are that file's and name different lines to replace. Ends of lines stay
/// as they are.
std::string with_edits(std::string_view text, const std::vector<Edit>& edits);

/// The hunks that edits make in a file, headed by its name.
std::string unified_diff(const std::string& name, std::string_view text, const std::vector<Edit>& edits);

} // namespace fletcher::reports
