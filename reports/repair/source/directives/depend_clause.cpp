// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/source/directives/depend_clause.hpp"

#include "reports/source/directives.hpp"

#include <string_view>

namespace fletcher::reports {

std::optional<DependClause> read_depend(const Clause& clause) {
  if (clause.name != "depend") return std::nullopt;
  const auto colon = clause.arguments.find(':');
  if (colon == std::string::npos || clause.arguments.find("iterator") != std::string::npos) return std::nullopt;
  DependClause out{std::string(trimmed(std::string_view(clause.arguments).substr(0, colon))), {}};
  int depth = 0;
  std::string item;
  for (const char c : clause.arguments.substr(colon + 1) + ",") {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c == ',' && depth == 0) {
      out.items.emplace_back(trimmed(item));
      item.clear();
    } else {
      item += c;
    }
  }
  return out;
}

std::string depend(const std::string& type, const std::string& item) { return "depend(" + type + ": " + item + ")"; }

std::vector<DependClause> depend_clauses(const DirectiveText& directive) {
  std::vector<DependClause> out;
  for (const Clause& clause : directive.clauses())
    if (auto list = read_depend(clause)) out.push_back(std::move(*list));
  return out;
}

bool is_first_of(std::string_view item, std::string_view whole) {
  if (!item.starts_with(whole)) return false;
  const std::string_view index = item.substr(whole.size());
  return (index.starts_with("[0]") || index.starts_with("[0:")) && index.find(']') == index.size() - 1;
}

std::string type_of(const DirectiveText& directive, const std::string& item) {
  for (const DependClause& clause : depend_clauses(directive))
    for (const std::string& one : clause.items)
      if (without_blanks(one) == without_blanks(item)) return clause.type;
  return {};
}

} // namespace fletcher::reports
