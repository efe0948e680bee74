// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Line forms: `file:line[:column]: error|warning: text [rule]`, advice, which is a note of a rule of its own, and
// `file:line[:column]: note: text`.
#include "diagnostics.hpp"

#include <regex>
#include <sstream>

namespace fletcher::programs {

std::vector<Reported> read_diagnostics(std::string_view output) {
  static const std::regex first(
      R"(^(\S.*?):(\d+):(?:\d+:)? (error|warning|note(?=.*\[not-needed\]$)): .* \[([a-z-]+)\]$)");
  static const std::regex note(R"(^(\S.*?):(\d+):(?:\d+:)? note: .*$)");
  std::vector<Reported> out;
  std::istringstream in{std::string(output)};
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    const auto place = [&] { return Place{match[1], static_cast<unsigned>(std::stoul(match[2]))}; };
    if (std::regex_match(line, match, first)) {
      out.push_back({match[3] == "error", match[4], line, line, place(), {}});
    } else if (!out.empty() && std::regex_match(line, match, note)) {
      out.back().notes.push_back(place());
      out.back().all += "\n" + line;
    }
  }
  return out;
}

} // namespace fletcher::programs
