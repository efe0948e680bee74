// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/source/neighbour.hpp"

namespace fletcher::reports {

std::uint32_t neighbour(const Code& code, std::uint32_t line, bool below) {
  do line += below ? 1U : -1U;
  while (line > 0 && line <= code.lines() && trimmed(code.line(line)).empty() && code.directive_line(line).empty());
  return line;
}

} // namespace fletcher::reports
