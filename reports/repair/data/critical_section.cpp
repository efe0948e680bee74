// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/data/critical_section.hpp"

#include "reports/document/words.hpp"
#include "reports/repair/source/directives/directive_text.hpp"
#include "reports/repair/source/lambda.hpp"
#include "reports/repair/source/member_path.hpp"

#include <algorithm>
#include <set>

namespace fletcher::reports {

bool are_in(const std::vector<Site>& sites, const Lines& lines) {
  return std::ranges::all_of(sites, [&](const Site& site) {
    return site.locks.empty() && lines.first <= site.place.line && site.place.line <= lines.last;
  });
}

Repair critical_around(const Lines& lines, bool one_statement, const std::string& name, const Code& code) {
  const std::string construct = "critical (" + name + "_update)";
  Repair out{"put this into a critical construct: '" + directive(code.file(), construct) + "'",
             {inserted_before(code, lines.first, directive(code.file(), construct), lines.first)}};
  if (!code.is_c()) {
    out.edits.push_back(inserted_before(code, lines.last + 1, directive(code.file(), "end " + construct), lines.first));
  } else if (!one_statement) {
    out.edits.push_back(inserted_before(code, lines.first, "{", lines.first));
    out.edits.push_back(inserted_before(code, lines.last + 1, "}", lines.first));
  }
  return out;
}

bool can_be_critical(const Lines& lines, const Code& code) {
  for (std::uint32_t line = lines.first; line <= lines.last; ++line) {
    if (!code.directive_line(line).empty()) return false;
    for (const std::string_view word : {"break", "continue", "return", "goto", "throw", "exit", "cycle"})
      if (mentions(code.line(line), word)) return false;
  }
  const auto above = DirectiveText::at(code, lines.first - 1);
  const bool free = !above || above->stands_alone() || above->is("single") || above->is("task") ||
                    above->is("section") || above->is("parallel");
  return free && begins_a_statement(code, lines.first);
}

bool is_shared(const std::string& name, std::uint32_t line, const Code& code) {
  const auto around = DirectiveText::around(code, line);
  if (std::ranges::any_of(around, [&](const DirectiveText& one) { return one.names_besides_shared(name); }))
    return false;
  const auto body = around.empty() ? std::nullopt : around.back().body(code);
  return body && code.mentions(name, {body->begin, {line, 0}}).empty();
}

bool has_atomic_above(const Code& code, std::uint32_t line) {
  const auto above = DirectiveText::at(code, line - 1);
  return above && above->is("atomic");
}

bool is_alone(const Code& code, const Extent& step) {
  const std::string_view line = code.line(step.begin.line);
  if (step.begin.line != step.end.line) return false;
  const std::string_view behind = trimmed(line.substr(step.end.column));
  return trimmed(line.substr(0, step.begin.column)).empty() && (behind.empty() || behind.starts_with("//")) &&
         begins_a_statement(code, step.begin.line) && !has_atomic_above(code, step.begin.line);
}

namespace {
/// `catch (type& name)`: it is declared there.
bool is_caught(const Code& code, Position at) {
  const std::string_view before = trimmed(code.line(at.line).substr(0, at.column));
  return mentions(before, "catch") && before.find(';') == std::string_view::npos && before.ends_with('&');
}

/// Beside a lambda: neither in another one nor in a construct, so the one thread executes it that calls the function.
bool is_of_its_function(const Code& code, std::uint32_t line) {
  return !lambda_around(code, line) && DirectiveText::around(code, line).empty();
}
} // namespace

bool is_used_besides(const std::vector<Site>& sites, const std::vector<Extent>& steps, const std::string& name,
                     const Code& code) {
  for (const Site& site : sites) {
    const auto around = DirectiveText::around(code, site.place.line);
    const auto body = around.empty() ? code.function_around(site.place.line) : around.front().body(code);
    const auto lambda = code.is_c() && around.empty() ? lambda_around(code, site.place.line) : std::nullopt;
    if (!body) continue;
    const std::vector<Position> all = code.mentions(name, *body);
    const auto is_in_step = [&](Position at) {
      return std::ranges::any_of(steps, [&](const Extent& step) { return step.contains(at); });
    };
    std::vector<std::vector<std::string>> paths; // of what the steps name
    for (const Position at : all)
      if (is_in_step(at)) paths.push_back(member_path(code, at, name));
    for (const Position at : all) {
      if (is_in_step(at) || has_atomic_above(code, at.line) || is_caught(code, at)) continue;
      if (lambda && is_of_its_function(code, at.line)) continue;
      const auto own = member_path(code, at, name);
      const auto is_element = [](const std::vector<std::string>& one) { return !one.empty() && one.front() == "[]"; };
      if (!site.in_call && !paths.empty() && std::ranges::all_of(paths, is_element) && asks_for_size(own)) continue;
      if (paths.empty() || !std::ranges::all_of(paths, [&](const auto& one) { return are_other_members(one, own); }))
        return true;
    }
  }
  return false;
}

bool add_construct(const Code& code, const std::string& word, const Extent& statement, std::vector<Edit>& edits) {
  const std::uint32_t line = statement.begin.line;
  if (is_alone(code, statement)) {
    edits.push_back(inserted_before(code, line, directive(code.file(), word), line));
    return true;
  }
  const std::string_view text = code.line(line);
  const std::string_view head = trimmed(text.substr(0, statement.begin.column));
  const bool in_function = code.function_of_one_line(line) && (head.ends_with('{') || head.ends_with(';'));
  if (!code.is_c() || statement.end.line != line ||
      (!in_function && (!head.ends_with(')') || !trimmed(text.substr(statement.end.column)).empty())))
    return false;
  const std::string before(code.original(line).substr(0, statement.begin.column));
  const std::string indent = before.substr(0, before.find_first_not_of(" \t")) + "  ";
  edits.push_back({{code.file(), line, 1}, before.substr(0, before.find_last_not_of(" \t") + 1), true});
  edits.push_back({{code.file(), line + 1, 1}, indent + directive(code.file(), word), false});
  edits.push_back(
      {{code.file(), line + 1, 1}, indent + std::string(code.original(line).substr(statement.begin.column)), false});
  return true;
}

} // namespace fletcher::reports
