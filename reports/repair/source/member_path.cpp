// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/source/member_path.hpp"

#include "reports/repair/source/statement_form.hpp"

#include <algorithm>

namespace fletcher::reports {
namespace {

bool is_member(const std::string& step) { return step != "[]" && step != "()"; }

} // namespace

std::vector<std::string> member_path(const Code& code, Position at, std::string_view variable) {
  std::vector<std::string> out;
  std::string_view rest = trimmed(code.line(at.line).substr(at.column + variable.size()));
  while (!rest.empty()) {
    if (rest.starts_with('[')) {
      int depth = 0;
      std::size_t end = 0;
      do {
        depth += rest[end] == '[' ? 1 : rest[end] == ']' ? -1 : 0;
        ++end;
      } while (depth > 0 && end < rest.size());
      if (depth > 0) break;
      out.emplace_back("[]");
      rest = trimmed(rest.substr(end));
      continue;
    }
    if (rest.starts_with('(')) out.emplace_back("()");
    const std::size_t sign = rest.starts_with("->") ? 2 : rest.starts_with('.') || rest.starts_with('%') ? 1 : 0;
    const std::string_view name = sign == 0 ? std::string_view() : first_word(trimmed(rest.substr(sign)));
    if (name.empty()) break;
    out.emplace_back(name);
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
