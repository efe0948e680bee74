// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/source/statement_form.hpp"

#include "reports/source/small_letters.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace fletcher::reports {
namespace {

/// Operators outside of all parentheses, less a sign at the beginning.
std::string operators_of(std::string_view text) {
  std::string out;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c == '-' && i + 1 < text.size() && text[i + 1] == '>')
      ++i;
    else if (depth == 0 && std::string_view("+-*/%&|^<>?=:!~,").find(c) != std::string_view::npos &&
             !trimmed(text.substr(0, i)).empty())
      out += c;
  }
  return out;
}

bool has_only(std::string_view operators, std::string_view allowed) {
  return operators.find_first_not_of(allowed) == std::string_view::npos;
}

/// x, x[i], x.y, x->y, *x, (*x): something that can be assigned to, and no declaration.
bool is_place(std::string_view text) {
  if (text.starts_with('(') && text.ends_with(')')) text = trimmed(text.substr(1, text.size() - 2));
  while (text.starts_with('*')) text = trimmed(text.substr(1));
  if (text.empty() || is_word(text.front()) == 0 || std::isdigit(static_cast<unsigned char>(text.front())) != 0)
    return false;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (depth < 0) return false;
    const bool arrow = c == '-' && i + 1 < text.size() && text[i + 1] == '>';
    if (arrow)
      ++i;
    else if (depth == 0 && !is_word(c) && std::string_view(")].%").find(c) == std::string_view::npos)
      return false;
  }
  return depth == 0;
}

/// In `x = x + e` and `x = e + x` the operation and e; nothing where the value is not of that form.
std::optional<StatementForm> own_operation(std::string_view target, std::string_view value) {
  const std::string name = base_of(target);
  const auto made = [&](char operation, std::string_view rest, bool first) -> std::optional<StatementForm> {
    rest = trimmed(rest);
    const std::string others = operators_of(rest);
    const bool fits = operation == '+'                                           ? has_only(others, "+-*/%")
                      : operation == '-'                                         ? first && has_only(others, "*/%")
                      : operation == '*'                                         ? has_only(others, "*")
                      : operation == '/'                                         ? first && others.empty()
                      : operation == '&' || operation == '|' || operation == '^' ? has_only(others, "+-*")
                                                                                 : false;
    if (!fits || rest.empty() || mentions(rest, name)) return std::nullopt;
    return StatementForm{StatementForm::Kind::update, std::string(target), std::string(1, operation),
                         std::string(rest)};
  };
  if (value.starts_with(target)) {
    const std::string_view rest = trimmed(value.substr(target.size()));
    const bool doubled = rest.size() > 1 && (rest[1] == rest[0] || rest[1] == '=');
    if (!rest.empty() && !doubled && std::string_view("+-*/&|^").find(rest[0]) != std::string_view::npos)
      if (auto form = made(rest[0], rest.substr(1), true)) return form;
  }
  if (value.ends_with(target) && value.size() > target.size()) {
    const std::string_view rest = trimmed(value.substr(0, value.size() - target.size()));
    if (!rest.empty() && (rest.size() < 2 || rest[rest.size() - 2] != rest.back()))
      return made(rest.back(), rest.substr(0, rest.size() - 1), false);
  }
  return std::nullopt;
}

/// x = max(x, e), also by the names of C, C++ and macros.
std::optional<StatementForm> extreme(std::string_view target, std::string_view value) {
  const auto open = value.find('(');
  if (open == std::string_view::npos || !value.ends_with(')')) return std::nullopt;
  const std::string function = in_small_letters(trimmed(value.substr(0, open)));
  constexpr std::array<std::string_view, 4> greatest{"max", "fmax", "fmaxf", "std::max"};
  constexpr std::array<std::string_view, 4> least{"min", "fmin", "fminf", "std::min"};
  const bool is_max = std::ranges::find(greatest, function) != greatest.end();
  if (!is_max && std::ranges::find(least, function) == least.end()) return std::nullopt;
  const std::string_view inside = value.substr(open + 1, value.size() - open - 2);
  int depth = 0;
  std::size_t comma = std::string_view::npos;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    depth += inside[i] == '(' || inside[i] == '[' ? 1 : inside[i] == ')' || inside[i] == ']' ? -1 : 0;
    if (depth < 0 || (inside[i] == ',' && depth == 0 && comma != std::string_view::npos)) return std::nullopt;
    if (inside[i] == ',' && depth == 0) comma = i;
  }
  if (comma == std::string_view::npos) return std::nullopt;
  const std::string_view first = trimmed(inside.substr(0, comma)), second = trimmed(inside.substr(comma + 1));
  if ((first == target) == (second == target)) return std::nullopt;
  const std::string_view other = first == target ? second : first;
  if (mentions(other, base_of(target))) return std::nullopt;
  return StatementForm{StatementForm::Kind::update, std::string(target), is_max ? "max" : "min", std::string(other)};
}

std::optional<StatementForm> increment(std::string_view text) {
  for (const std::string_view sign : {"++", "--"}) {
    std::string_view place;
    if (text.starts_with(sign))
      place = trimmed(text.substr(2));
    else if (text.ends_with(sign))
      place = trimmed(text.substr(0, text.size() - 2));
    if (!place.empty() && is_place(place))
      return StatementForm{StatementForm::Kind::update, std::string(place), std::string(1, sign[0]), "1"};
  }
  return std::nullopt;
}

} // namespace

std::string base_of(std::string_view target) {
  while (target.starts_with('*') || target.starts_with('(')) target = trimmed(target.substr(1));
  return std::string(first_word(target));
}

std::optional<StatementForm> statement_form(std::string_view statement) {
  std::string_view text = trimmed(statement);
  if (text.ends_with(';')) text = trimmed(text.substr(0, text.size() - 1));
  if (auto form = increment(text)) return form;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    if (depth != 0 || c != '=') continue;
    const char before = i != 0 ? text[i - 1] : '\0';
    if (i + 1 < text.size() && text[i + 1] == '=') return std::nullopt;
    if (before == '!' || before == '=') return std::nullopt;
    const bool shift = i > 1 && (before == '<' || before == '>') && text[i - 2] == before;
    if (!shift && (before == '<' || before == '>')) return std::nullopt;
    const bool compound = shift || std::string_view("+-*/&|^%").find(before) != std::string_view::npos;
    const std::size_t width = shift ? 2 : compound ? 1 : 0;
    const std::string_view target = trimmed(text.substr(0, i - width)), value = trimmed(text.substr(i + 1));
    const std::string operators = operators_of(value);
    if (!is_place(target) || value.empty() || value.starts_with('{') || operators.find('=') != std::string::npos ||
        operators.find(',') != std::string::npos)
      return std::nullopt;
    StatementForm form{StatementForm::Kind::write, std::string(target), std::string(text.substr(i - width, width)),
                       std::string(value)};
    const bool reads_itself = mentions(value, base_of(target));
    if (compound) {
      form.kind = reads_itself ? StatementForm::Kind::own : StatementForm::Kind::update;
      return form;
    }
    if (auto own = own_operation(target, value)) return own;
    if (auto own = extreme(target, value)) return own;
    if (auto step = increment(value)) {
      if (mentions(target, base_of(step->target))) return std::nullopt;
      step->kind = StatementForm::Kind::capture;
      return step;
    }
    if (reads_itself) form.kind = StatementForm::Kind::own;
    return form;
  }
  return std::nullopt;
}

std::optional<StatementForm> conditional_form(std::string_view statement) {
  const std::string_view text = trimmed(statement);
  if (first_word(text) != "if") return std::nullopt;
  const auto open = text.find('(');
  int depth = 0;
  std::size_t close = open;
  for (; close < text.size(); ++close) {
    depth += text[close] == '(' ? 1 : text[close] == ')' ? -1 : 0;
    if (depth == 0) break;
  }
  if (open == std::string_view::npos || close >= text.size()) return std::nullopt;
  const std::string_view condition = trimmed(text.substr(open + 1, close - open - 1));
  std::string_view body = trimmed(text.substr(close + 1));
  if (body.starts_with('{') && body.ends_with('}')) body = trimmed(body.substr(1, body.size() - 2));
  const auto form = statement_form(body);
  if (!form || form->kind != StatementForm::Kind::write || body.find(';') < body.size() - 1) return std::nullopt;
  const auto relation_from = [&](std::size_t from) { // "->" is none
    while ((from = condition.find_first_of("<>", from)) != std::string_view::npos && from > 0 &&
           condition[from - 1] == '-')
      ++from;
    return from;
  };
  const auto relation = relation_from(0);
  if (relation == std::string_view::npos || relation_from(relation + 1) != std::string_view::npos ||
      condition.find_first_of("&|!?") != std::string_view::npos)
    return std::nullopt;
  std::string_view right = condition.substr(relation + 1);
  if (right.starts_with('=')) right.remove_prefix(1);
  const std::string a = without_blanks(condition.substr(0, relation)), b = without_blanks(right);
  const std::string target = without_blanks(form->target), value = without_blanks(form->value);
  const bool greater = condition[relation] == '>';
  StatementForm out = *form;
  out.kind = StatementForm::Kind::update;
  if (a == value && b == target)
    out.operation = greater ? "max" : "min";
  else if (a == target && b == value)
    out.operation = greater ? "min" : "max";
  else
    return std::nullopt;
  return out;
}

namespace {
/// `if (e > x)` and `x = e;` together, wherever of the two the site is.
std::optional<Step> conditional_step(const Code& code, std::uint32_t line) {
  for (std::uint32_t first = line; first + 1 >= line && first > 0; --first) {
    if (first_word(trimmed(code.line(first))) != "if") continue;
    const auto extent = code.statement_from({first, 0});
    if (!extent || !extent->contains(line)) continue;
    if (auto form = conditional_form(code.text(*extent))) return Step{*extent, *form};
  }
  return std::nullopt;
}
} // namespace

std::optional<Step> step_at(const Code& code, const SourcePlace& place) {
  if (auto step = conditional_step(code, place.line)) return step;
  const auto extent = code.statement_at(place);
  if (!extent) return std::nullopt;
  if (auto form = statement_form(code.text(*extent))) return Step{*extent, *form};
  return std::nullopt;
}

bool is_changed_at(const Code& code, Position at, std::string_view name) {
  const std::string_view line = code.line(at.line);
  const std::string_view before = trimmed(line.substr(0, at.column));
  std::string_view behind = trimmed(line.substr(at.column + name.size()));
  for (;;) { // the parts of it
    if (behind.starts_with('[')) {
      int depth = 0;
      std::size_t end = 0;
      for (; end < behind.size(); ++end) {
        depth += behind[end] == '[' ? 1 : behind[end] == ']' ? -1 : 0;
        if (depth == 0) break;
      }
      if (end == behind.size()) return true; // goes on below
      behind = trimmed(behind.substr(end + 1));
    } else if (behind.starts_with('.') || behind.starts_with("->")) {
      behind = trimmed(behind.substr(behind.front() == '.' ? 1 : 2));
      behind = trimmed(behind.substr(first_word(behind).size()));
    } else {
      break;
    }
  }
  if (before.ends_with("++") || before.ends_with("--") || (before.ends_with('&') && !before.ends_with("&&")))
    return true;
  const auto equals = behind.find('=');
  const bool operation = (equals == 1 && std::string_view("+-*/%&|^").find(behind[0]) != std::string_view::npos) ||
                         behind.starts_with("<<=") || behind.starts_with(">>=");
  return behind.starts_with("++") || behind.starts_with("--") || operation ||
         (equals == 0 && !behind.starts_with("=="));
}

bool may_be_atomic(const StatementForm& form) {
  if (form.kind == StatementForm::Kind::capture) return true;
  return form.kind == StatementForm::Kind::update && form.operation != "max" && form.operation != "min" &&
         form.operation != "%";
}

std::string reduction_operation(const StatementForm& form) {
  if (form.kind != StatementForm::Kind::update) return {};
  if (form.operation == "-") return "+";
  constexpr std::array<std::string_view, 7> known{"+", "*", "&", "|", "^", "max", "min"};
  return std::ranges::find(known, form.operation) != known.end() ? form.operation : std::string();
}

} // namespace fletcher::reports
