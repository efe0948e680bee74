// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/source/course.hpp"

#include "reports/repair/source/calls/calls.hpp"

#include <algorithm>
#include <array>

namespace fletcher::reports {

bool is_of_others(const DirectiveText& construct) {
  constexpr std::array<std::string_view, 5> words{"task", "taskloop", "parallel", "target", "teams"};
  return std::ranges::any_of(words, [&](std::string_view word) { return construct.is(word); });
}

std::map<std::string, Extent> functions_of(const Code& code) {
  std::map<std::string, Extent> out;
  for (std::uint32_t line = 1; line <= code.lines(); ++line) {
    const auto open = code.line(line).rfind('{');
    if (open == std::string_view::npos || !code.blocks_around(line).empty()) continue;
    const auto body = code.statement_from({line, open});
    if (!body) continue;
    std::string head = code.text({{std::max(line, 3U) - 2, 0}, {line, open}});
    head.erase(0, std::min(head.find_last_of(";}") + 1, head.size()));
    std::size_t parenthesis = 0; // the last one that is in no other
    int depth = 0;
    for (std::size_t i = 0; i < head.size(); ++i) {
      if (head[i] == '(' && depth++ == 0) parenthesis = i;
      if (head[i] == ')') --depth;
    }
    const std::string_view name = plain_name(trimmed(std::string_view(head).substr(0, parenthesis)));
    if (!name.empty()) out.emplace(name, *body);
  }
  return out;
}

std::optional<Course> course_of(const Code& code, const Route& route) {
  if (!code.is_c() || route.empty()) return std::nullopt;
  for (std::size_t k = route.size(); k-- > 0;) {
    for (const DirectiveText& one : DirectiveText::around(code, route[k]))
      if (is_of_others(one) && one.first_line() < route[k])
        if (const auto body = one.body(code))
          return Course{*body, one, Route(route.begin() + static_cast<std::ptrdiff_t>(k), route.end())};
  }
  const auto function = code.function_around(route.front());
  return function ? std::optional(Course{*function, {}, route}) : std::nullopt;
}

} // namespace fletcher::reports
