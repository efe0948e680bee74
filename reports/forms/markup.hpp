// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text within HTML and SVG.
#pragma once

#include <string>
#include <string_view>

namespace fletcher::reports {

/// For content and for attributes in double quotes. Control characters, which XML does not allow, become spaces; tabs
/// and newlines stay.
std::string escaped(std::string_view text);

/// Sources and names may be in any encoding; a report is in one. What is none of it is replaced.
std::string as_utf8(const std::string& text);

} // namespace fletcher::reports
