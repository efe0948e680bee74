// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/data/critical_section.hpp"

#include "reports/document/words.hpp"
#include "reports/repair/source/directive_text.hpp"
#include "reports/repair/source/member_path.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>
#include <array>
#include <regex>
#include <set>

namespace fletcher::reports {
namespace {

/// Whole lines that go into the construct.
struct Lines {
  std::uint32_t first = 0, last = 0;
  Extent extent() const { return {{first, 0}, {last + 1, 0}}; }
};

bool are_in(const std::vector<Site>& sites, const Lines& lines) {
  return std::ranges::all_of(sites, [&](const Site& site) {
    return site.locks.empty() && lines.first <= site.place.line && site.place.line <= lines.last;
  });
}

Repair around(const Lines& lines, bool one_statement, const std::string& name, const Code& code) {
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

/// Nothing in there leaves the construct, and no other construct is inside.
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

/// By the text, all threads that reach the line have the same variable: no construct around it has copies, and none
/// begins with one of its own.
bool is_shared(const std::string& name, std::uint32_t line, const Code& code) {
  const auto around = DirectiveText::around(code, line);
  if (std::ranges::any_of(around, [&](const DirectiveText& one) { return one.names_besides_shared(name); }))
    return false;
  const auto body = around.empty() ? std::nullopt : around.back().body(code);
  return body && code.mentions(name, {body->begin, {line, 0}}).empty();
}

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
} // namespace

bool is_used_besides(const std::vector<Site>& sites, const std::vector<Extent>& steps, const std::string& name,
                     const Code& code) {
  for (const Site& site : sites) {
    const auto around = DirectiveText::around(code, site.place.line);
    const auto body = around.empty() ? std::nullopt : around.front().body(code);
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
      const auto own = member_path(code, at, name);
      if (paths.empty() || !std::ranges::all_of(paths, [&](const auto& one) { return are_other_members(one, own); }))
        return true;
    }
  }
  return false;
}

std::optional<Repair> critical_calls(const std::vector<Site>& sites, const Code& code) {
  std::set<std::uint32_t> lines;
  std::vector<Extent> steps;
  std::string object;
  for (const Site& site : sites) {
    const auto extent = code.statement_at(site.place);
    if (!extent || !is_alone(code, *extent) || !site.locks.empty()) return std::nullopt;
    const std::string text = code.text(*extent), own(first_word(text));
    const std::string_view rest = trimmed(std::string_view(text).substr(own.size()));
    const bool calls = rest.starts_with('.') || rest.starts_with("->") || rest.starts_with('[') ||
                       rest.starts_with("+=") || rest.starts_with("<<");
    if (!calls || !is_identifier(own) || (!steps.empty() && own != object)) return std::nullopt;
    object = own;
    steps.push_back(*extent);
    lines.insert(site.place.line);
  }
  if (object.empty() || is_used_besides(sites, steps, object, code)) return std::nullopt;
  const std::string text = directive(code.file(), "critical (" + object + "_update)");
  Repair out{"put this into a critical construct: '" + text + "'", {}};
  for (const std::uint32_t line : lines) out.edits.push_back(inserted_before(code, line, text, line));
  return out;
}

namespace {
/// A call, or an assignment to a variable by its name alone: no declaration, which would end with the construct.
bool declares_nothing(const std::string& statement) {
  if (const auto form = statement_form(statement)) return is_identifier(form->target);
  const std::string function(first_word(statement));
  constexpr std::array<std::string_view, 4> heads{"if", "for", "while", "switch"};
  return is_identifier(function) && std::ranges::find(heads, function) == heads.end() &&
         trimmed(std::string_view(statement).substr(function.size())).starts_with('(');
}
} // namespace

std::optional<Repair> critical_argument(const std::vector<Site>& sites, const std::string& name, const Code& code) {
  if (!is_identifier(name) || !code.is_c()) return std::nullopt;
  std::set<std::uint32_t> lines;
  std::vector<Extent> steps;
  for (const Site& site : sites) {
    const auto extent = code.statement_at({code.file(), site.place.line, 0});
    if (!extent || !is_alone(code, *extent) || !site.locks.empty() || !is_write(site.type)) return std::nullopt;
    const auto uses = code.mentions(name, *extent);
    if (uses.size() != 1) return std::nullopt;
    const std::string_view line = code.line(uses.front().line);
    std::string_view before = trimmed(line.substr(0, uses.front().column));
    if (before.ends_with('&')) before = trimmed(before.substr(0, before.size() - 1));
    const std::string_view behind = trimmed(line.substr(uses.front().column + name.size()));
    const bool is_argument =
        (before.ends_with('(') || before.ends_with(',')) && (behind.starts_with(')') || behind.starts_with(','));
    if (!is_argument || !declares_nothing(code.text(*extent))) return std::nullopt;
    steps.push_back(*extent);
    lines.insert(site.place.line);
  }
  // In a loop the order of the iterations may matter.
  for (const std::uint32_t line : lines)
    for (const DirectiveText& one : DirectiveText::around(code, line))
      if (one.shares_a_loop() || one.is("sections")) return std::nullopt;
  if (lines.empty() || is_used_besides(sites, steps, name, code)) return std::nullopt;
  const std::string text = directive(code.file(), "critical (" + name + "_update)");
  Repair out{"put this into a critical construct: '" + text + "'", {}};
  for (const std::uint32_t line : lines) out.edits.push_back(inserted_before(code, line, text, line));
  return out;
}

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
    return around(lines, true, name, code);
  }
  for (std::uint32_t first = line; first > 0 && first + lines_looked_at > line; --first) {
    const auto found = extreme_from(code, first);
    if (!found || !found->set.contains(name) || !are_in(sites, found->lines)) continue;
    if (!can_be_critical(found->lines, code)) return std::nullopt;
    for (const std::string& one : found->set)
      if (is_used_besides(sites, {found->lines.extent()}, one, code) || !is_shared(one, first, code))
        return std::nullopt;
    return around(found->lines, true, found->compared, code);
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
    return around(found->lines, found->lines.first == found->lines.last, found->position, code);
  }
  return std::nullopt;
}

bool add_construct(const Code& code, const std::string& word, const Extent& statement, std::vector<Edit>& edits) {
  const std::uint32_t line = statement.begin.line;
  if (is_alone(code, statement)) {
    edits.push_back(inserted_before(code, line, directive(code.file(), word), line));
    return true;
  }
  const std::string_view text = code.line(line);
  const std::string_view head = trimmed(text.substr(0, statement.begin.column));
  if (!code.is_c() || !head.ends_with(')') || statement.end.line != line ||
      !trimmed(text.substr(statement.end.column)).empty())
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
