// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/forms/markup.hpp"

namespace fletcher::reports {

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += (byte < 0x20 && c != '\t' && c != '\n') || byte == 0x7f ? ' ' : c;
  }
  return out;
}

} // namespace fletcher::reports
