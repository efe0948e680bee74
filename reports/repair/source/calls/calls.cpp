// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/source/calls/calls.hpp"

#include <algorithm>

namespace fletcher::reports {

std::vector<Argument> arguments_of(std::string_view line, std::string_view function) {
  std::vector<Argument> out;
  std::size_t open = std::string_view::npos;
  for (std::size_t at = line.find(function); at != std::string_view::npos; at = line.find(function, at + 1)) {
    const std::size_t behind = at + function.size();
    if ((at > 0 && is_word(line[at - 1])) || behind >= line.size() || line[behind] != '(') continue;
    if (open != std::string_view::npos) return {};
    open = behind;
  }
  if (open == std::string_view::npos) return {};
  int depth = 0;
  std::size_t begin = open + 1;
  for (std::size_t i = open; i < line.size(); ++i) {
    depth += line[i] == '(' || line[i] == '[' ? 1 : line[i] == ')' || line[i] == ']' ? -1 : 0;
    if ((line[i] != ',' || depth != 1) && depth != 0) continue;
    const std::string_view text = line.substr(begin, i - begin);
    out.push_back({std::string(trimmed(text)), begin + text.find_first_not_of(' ')});
    begin = i + 1;
    if (depth == 0) return out;
  }
  return {};
}

std::vector<std::string> parameters_of(const Code& code, const Extent& body, std::string_view function) {
  for (std::uint32_t line = body.begin.line; line > 0 && line + 2 > body.begin.line; --line) {
    std::vector<std::string> out;
    for (const Argument& one : arguments_of(code.line(line), function)) {
      std::size_t begin = one.text.size();
      while (begin > 0 && is_word(one.text[begin - 1])) --begin;
      out.push_back(one.text.substr(begin));
    }
    if (!out.empty()) return out;
  }
  return {};
}

std::string with_names(std::string_view text, const std::map<std::string, std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view word = first_word(text.substr(i));
    const bool is_member = out.ends_with('.') || out.ends_with("->");
    const auto name = word.empty() || is_member ? names.end() : names.find(std::string(word));
    out += word.empty() ? text.substr(i, 1) : name == names.end() ? word : std::string_view(name->second);
    i += std::max<std::size_t>(word.size(), 1);
  }
  return out;
}

std::string_view plain_name(std::string_view function) {
  const auto end = function.ends_with(')') ? function.rfind('(') : function.size();
  function = function.substr(0, end);
  std::size_t begin = function.size();
  while (begin > 0 && is_word(function[begin - 1])) --begin;
  return function.substr(begin);
}

} // namespace fletcher::reports
