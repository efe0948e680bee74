// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text as Fortran reads its words.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace fletcher::reports {

inline std::string in_small_letters(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small;
}

} // namespace fletcher::reports
