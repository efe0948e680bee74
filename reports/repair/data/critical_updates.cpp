// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements that compute what they set from what was there.
#include "reports/document/words.hpp"
#include "reports/repair/data/critical_section.hpp"
#include "reports/repair/source/directives/directive_text.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>
#include <map>
#include <regex>
#include <set>

namespace fletcher::reports {
namespace {

/// `if (value > x) { x = value; place = i; }`, over several lines: what it compares, and all that it sets.
struct Extreme {
  Lines lines;
  std::string compared;
  std::set<std::string> set;
};

std::optional<Extent> condition_of_fortran(const Code& code, std::uint32_t first) {
  int depth = 0;
  for (std::uint32_t line = first; line <= code.lines(); ++line) {
    const std::string text = without_blanks(code.line(line));
    if (text.starts_with("if(") && text.ends_with("then")) ++depth;
    if (text.starts_with("else") && depth == 1) return std::nullopt;
    if (text.starts_with("endif") && --depth == 0) return Extent{{first, 0}, {line, code.line(line).size()}};
    if (depth == 0) return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Extreme> extreme_from(const Code& code, std::uint32_t first) {
  const std::string_view head = trimmed(code.line(first));
  if (first_word(head) != "if") return std::nullopt;
  const auto extent = code.is_c() ? code.statement_from({first, 0}) : condition_of_fortran(code, first);
  if (!extent || !trimmed(code.line(extent->end.line).substr(extent->end.column)).empty()) return std::nullopt;
  const std::string text = code.text(*extent);
  const auto open = text.find('(');
  std::size_t close = open;
  for (int depth = 0; close < text.size(); ++close) {
    depth += text[close] == '(' ? 1 : text[close] == ')' ? -1 : 0;
    if (depth == 0) break;
  }
  if (open == std::string::npos || close >= text.size()) return std::nullopt;
  Extreme out{{extent->begin.line, extent->end.line}, {}, {}};
  std::vector<std::string> statements;
  if (code.is_c()) {
    std::string_view body = trimmed(std::string_view(text).substr(close + 1));
    if (!body.starts_with('{') || !body.ends_with('}')) return std::nullopt;
    body = body.substr(1, body.size() - 2);
    for (std::size_t end; (end = body.find(';')) != std::string_view::npos; body.remove_prefix(end + 1))
      statements.emplace_back(trimmed(body.substr(0, end)));
    if (!trimmed(body).empty()) return std::nullopt;
  } else {
    for (std::uint32_t line = out.lines.first + 1; line < out.lines.last; ++line)
      if (const std::string_view own = trimmed(code.line(line)); !own.empty()) statements.emplace_back(own);
  }
  for (const std::string& one : statements) {
    const auto form = statement_form(one);
    if (!form || form->kind != StatementForm::Kind::write || !form->operation.empty()) return std::nullopt;
    out.set.insert(base_of(form->target));
    const std::string alone = "if " + text.substr(open, close - open + 1) + " " + one + ";";
    if (const auto compared = conditional_form(alone)) out.compared = first_word(compared->target);
  }
  if (out.compared.empty()) return std::nullopt;
  return out;
}

constexpr std::uint32_t lines_looked_at = 8;

/// `list[n++] = x`, or, over two lines, `list[n] = x; n++;` and `x->next = first; first = x;`: the variable that says
/// where the next one goes.
struct Addition {
  Lines lines;
  std::string position;
};

std::optional<Addition> addition_at(const Code& code, std::uint32_t line) {
  const auto form_of = [&](std::uint32_t number) -> std::optional<StatementForm> {
    const auto extent = code.statement_at({code.file(), number, 0});
    return extent && is_alone(code, *extent) ? statement_form(code.text(*extent)) : std::nullopt;
  };
  const auto own = form_of(line);
  if (!own || own->kind == StatementForm::Kind::update || !own->operation.empty()) return std::nullopt;
  const auto bracket = own->target.find('[');
  const std::string index = bracket == std::string::npos || !own->target.ends_with(']')
                                ? std::string()
                                : own->target.substr(bracket + 1, own->target.size() - bracket - 2);
  if (const auto step = statement_form(index); step && step->operation == "+" && step->value == "1") {
    static const std::regex member(R"(^(\w+)\s*(?:->|\.)\s*\w+$)"); // `list->items[list->size++] = x`
    std::smatch match;
    const std::string position = std::regex_match(step->target, match, member) ? match[1].str() : step->target;
    if (!mentions(own->value, position) && is_identifier(position)) return Addition{{line, line}, position};
  }
  const std::string_view above = trimmed(code.line(line - 1));
  if (above.ends_with(')') || above.ends_with("else")) return std::nullopt; // the next line is behind the condition
  const auto next = form_of(line + 1);
  if (!next || !is_identifier(next->target)) return std::nullopt;
  const std::string& position = next->target;
  if (index == position && next->kind == StatementForm::Kind::update && next->operation == "+" && next->value == "1" &&
      !mentions(own->value, position))
    return Addition{{line, line + 1}, position};
  const bool pushes = own->target.find("->") != std::string::npos && own->value == position &&
                      next->kind == StatementForm::Kind::write && next->value == first_word(own->target) &&
                      is_identifier(next->value);
  if (pushes) return Addition{{line, line + 1}, position};
  return std::nullopt;
}

} // namespace

std::optional<Repair> critical_extreme(const std::vector<Site>& sites, const std::string& name, const Code& code) {
  const std::uint32_t line = sites.front().place.line;
  if (const auto step = step_at(code, sites.front().place);
      step && (step->form.operation == "max" || step->form.operation == "min")) {
    const Lines lines{step->extent.begin.line, step->extent.end.line};
    const bool same = std::ranges::all_of(sites, [&](const Site& site) {
      const auto own = step_at(code, site.place);
      return own && own->extent.begin == step->extent.begin && base_of(own->form.target) == name;
    });
    const std::string_view last = code.line(lines.last);
    const bool whole_lines = trimmed(code.line(lines.first).substr(0, step->extent.begin.column)).empty() &&
                             trimmed(last.substr(std::min(step->extent.end.column, last.size()))).empty();
    if (!same || !whole_lines || !are_in(sites, lines) || !begins_a_statement(code, lines.first)) return std::nullopt;
    return critical_around(lines, true, name, code);
  }
  for (std::uint32_t first = line; first > 0 && first + lines_looked_at > line; --first) {
    const auto found = extreme_from(code, first);
    if (!found || !found->set.contains(name) || !are_in(sites, found->lines)) continue;
    if (!can_be_critical(found->lines, code)) return std::nullopt;
    for (const std::string& one : found->set)
      if (is_used_besides(sites, {found->lines.extent()}, one, code) || !is_shared(one, first, code))
        return std::nullopt;
    return critical_around(found->lines, true, found->compared, code);
  }
  return std::nullopt;
}

std::optional<Repair> critical_addition(const std::vector<Site>& sites, const std::string& name, const Code& code) {
  if (!code.is_c()) return std::nullopt;
  const std::uint32_t line = sites.front().place.line;
  for (std::uint32_t first = line; first + 1 >= line && first > 0; --first) {
    const auto found = addition_at(code, first);
    if (!found || !are_in(sites, found->lines)) continue;
    const std::string text = code.text(found->lines.extent());
    if ((!name.empty() && !mentions(text, name)) || !can_be_critical(found->lines, code) ||
        is_used_besides(sites, {found->lines.extent()}, found->position, code) ||
        !is_shared(found->position, first, code))
      return std::nullopt;
    // In an ordered loop the order of the elements matters.
    for (const DirectiveText& one : DirectiveText::around(code, line))
      if (one.is("ordered") || one.clause("ordered") != nullptr || one.is("critical")) return std::nullopt;
    return critical_around(found->lines, found->lines.first == found->lines.last, found->position, code);
  }
  return std::nullopt;
}

std::optional<Repair> critical_members(const std::vector<Site>& sites, const std::string& name, const Code& code) {
  if (!code.is_c() || !is_identifier(name)) return std::nullopt;
  std::map<Position, Extent> steps;
  std::set<std::string> members;
  for (const Site& site : sites) {
    const auto step = site.in_call ? std::nullopt : step_at(code, site.place);
    const std::string target = step ? without_blanks(step->form.target) : std::string();
    if (!step || reduction_operation(step->form).empty() || base_of(target) != name || !site.locks.empty() ||
        target.find_first_of("[(") != std::string::npos || target.find(name + ".") != 0)
      return std::nullopt;
    steps.emplace(step->extent.begin, step->extent);
    members.insert(target);
  }
  if (members.size() < 2) return std::nullopt; // an atomic update does for one
  const Lines lines{steps.begin()->second.begin.line, steps.rbegin()->second.end.line};
  std::optional<Position> next = steps.begin()->first; // one statement comes right behind the other
  std::vector<Extent> extents;
  for (const auto& [begin, extent] : steps) {
    if (next != begin) return std::nullopt;
    next = code.next(extent.end);
    extents.push_back(extent);
  }
  const Extent &first = extents.front(), &last = extents.back();
  const bool whole_lines =
      trimmed(code.line(lines.first).substr(0, first.begin.column)).empty() &&
      trimmed(code.line(lines.last).substr(std::min(last.end.column, code.line(lines.last).size()))).empty();
  const std::string_view above = trimmed(code.line(lines.first - 1));
  if (!whole_lines || above.ends_with(')') || above.ends_with("else") || !can_be_critical(lines, code) ||
      is_used_besides(sites, extents, name, code) || !is_shared(name, lines.first, code))
    return std::nullopt;
  return critical_around(lines, false, name, code);
}

} // namespace fletcher::reports
