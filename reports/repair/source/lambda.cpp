// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/source/lambda.hpp"

#include <regex>

namespace fletcher::reports {

std::optional<Extent> lambda_around(const Code& code, std::uint32_t line) {
  static const std::regex head(R"(\[[^\[\]]*&[^\[\]]*\]\s*(?:\([^()]*\))?\s*(?:mutable\s*)?$)");
  for (const Extent& block : code.blocks_around(line)) {
    const std::string_view before = code.line(block.begin.line).substr(0, block.begin.column);
    if (std::regex_search(before.begin(), before.end(), head)) return block;
  }
  return std::nullopt;
}

} // namespace fletcher::reports
