// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/forms/markup.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

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

std::string as_utf8(const std::string& text) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::all_of(text.begin(), text.end(), is_ascii)) return text; // most are, and the rest takes its time
  using Json = nlohmann::json;
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

} // namespace fletcher::reports
