// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/source/member_path.hpp"

#include "reports/repair/source/statement_form.hpp"

#include <algorithm>

namespace fletcher::reports {
namespace {

bool is_member(const std::string& step) { return step != "[]" && step != "()"; }

/// Of Fortran: what parentheses follow is an array that the file declares, and no function.
bool is_declared_array(const Code& code, std::string_view name) {
  for (std::uint32_t l = 1; l <= code.lines(); ++l) {
    const std::string_view line = code.line(l);
    const auto colons = line.find("::");
    if (colons == std::string_view::npos || !mentions(line.substr(colons), name)) continue;
    const bool by_attribute = line.substr(0, colons).find("dimension") != std::string_view::npos;
    for (auto at = line.find(name, colons); at != std::string_view::npos; at = line.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      if (is_word(line[at - 1]) || (end < line.size() && is_word(line[end]))) continue;
      return by_attribute || trimmed(line.substr(end)).starts_with('(');
    }
  }
  return false;
}

/// How much of the text the brackets take that it begins with; 0 where they do not end in it.
std::size_t length_of_index(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '[' || text[i] == '(' ? 1 : text[i] == ']' || text[i] == ')' ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return 0;
}

} // namespace

std::vector<std::string> member_path(const Code& code, Position at, std::string_view variable) {
  std::vector<std::string> out;
  std::string_view rest = trimmed(code.line(at.line).substr(at.column + variable.size()));
  std::string_view indexed = variable;
  while (!rest.empty()) {
    if (rest.starts_with('[') || (rest.starts_with('(') && !code.is_c() && is_declared_array(code, indexed))) {
      const std::size_t end = length_of_index(rest);
      if (end == 0) break;
      out.emplace_back("[]");
      rest = trimmed(rest.substr(end));
      continue;
    }
    if (rest.starts_with('(')) out.emplace_back("()");
    const std::size_t sign = rest.starts_with("->") ? 2 : rest.starts_with('.') || rest.starts_with('%') ? 1 : 0;
    const std::string_view name = sign == 0 ? std::string_view() : first_word(trimmed(rest.substr(sign)));
    if (name.empty()) break;
    out.emplace_back(name);
    indexed = name;
    rest = trimmed(rest.substr(rest.find(name) + name.size()));
  }
  return out;
}

bool are_other_members(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const auto [own, other] = std::ranges::mismatch(a, b);
  return own != a.end() && other != b.end() && is_member(*own) && is_member(*other) && a.back() != "()" &&
         b.back() != "()";
}

bool asks_for_size(const std::vector<std::string>& path) {
  return path.size() == 2 && path[1] == "()" &&
         (path[0] == "size" || path[0] == "length" || path[0] == "empty" || path[0] == "capacity");
}

} // namespace fletcher::reports
