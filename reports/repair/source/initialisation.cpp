// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/source/initialisation.hpp"

#include "reports/repair/repair.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>
#include <cctype>
#include <regex>

namespace fletcher::reports {
namespace {

/// What `if (!ready)` and `if (p == NULL)` test; empty for other statements.
std::string tested_by(const std::string& head) {
  static const std::regex words(R"(^if\((?:!(\w+)|(\w+)==(?:0|NULL|nullptr|false))\)$)");
  std::smatch match;
  if (!std::regex_match(head, match, words)) return {};
  return match[1].matched ? match[1].str() : match[2].str();
}

std::string head_of(const Code& code, const Extent& statement, const Extent& body) {
  return without_blanks(code.text({statement.begin, body.begin}));
}

/// A declaration: a type stands in front of the name.
bool is_declared_at(const Code& code, Position at) {
  const std::string_view before = trimmed(code.line(at.line).substr(0, at.column));
  return !before.empty() && (is_word(before.back()) || before.ends_with('*') || before.ends_with('>')) &&
         !before.ends_with("return");
}

/// It is set itself, and not what it points to.
bool is_set_at(const Code& code, Position at, const std::string& name) {
  const std::string_view behind = trimmed(code.line(at.line).substr(at.column + name.size()));
  return !behind.starts_with('[') && !behind.starts_with("->") && is_changed_at(code, at, name);
}

/// Nothing but the body sets the variable.
bool is_set_only_in(const Code& code, const Extent& body, const std::string& name) {
  return std::ranges::all_of(code.mentions(name, code.whole()), [&](Position at) {
    return body.contains(at) || is_declared_at(code, at) || !is_set_at(code, at, name);
  });
}

/// What the body sets the variable to, by one statement that every way through it comes by.
std::string value_in(const Code& code, const Extent& body, const std::string& name) {
  std::string out;
  for (const Extent& part : code.parts_of(body)) {
    const auto form = statement_form(code.text(part));
    if (!form || form->target != name) continue;
    if (!out.empty() || form->kind != StatementForm::Kind::write || !form->operation.empty()) return {};
    out = form->value;
  }
  const auto changes =
      std::ranges::count_if(code.mentions(name, body), [&](Position at) { return is_set_at(code, at, name); });
  return changes == 1 ? out : std::string();
}

/// `std::lock_guard<std::mutex> guard(mutex);` directly in front of the statement, in its block.
std::optional<Extent> guard_before(const Code& code, const Extent& statement) {
  static const std::regex declaration(
      R"(^(?:const )?(?:std::)?(?:lock_guard|scoped_lock|unique_lock)\b(?:\s*<[^;]*>)?\s+\w+\s*[({][^,]*[)}];$)");
  const auto blocks = code.blocks_around(statement.begin.line);
  if (blocks.empty()) return std::nullopt;
  const std::vector<Extent> parts = code.parts_of(blocks.front());
  const auto own = std::ranges::find(parts, statement.begin, &Extent::begin);
  if (own == parts.begin() || own == parts.end()) return std::nullopt;
  return std::regex_match(code.text(own[-1]), declaration) ? std::optional(own[-1]) : std::nullopt;
}

} // namespace

Extent Initialisation::whole(const Code& code) const {
  if (outer) return *outer;
  if (guard) return {guard->begin, condition.end};
  if (!critical) return condition;
  const auto all = critical->body(code);
  return {{critical->first_line(), 0}, all ? all->end : condition.end};
}

bool Initialisation::ends_by_value() const {
  static const std::regex allocates(
      R"(^(?:\([^()]*\*\)|static_cast<[^()]*\*>\()?(?:std::)?(?:malloc|calloc|aligned_alloc)\()");
  const std::string own = without_blanks(value);
  if (own == "true" || own.starts_with("new") || own.starts_with("std::make_") || own.starts_with('&')) return true;
  if (std::regex_search(own, allocates)) return true;
  return !own.empty() && std::ranges::all_of(own, [](char c) { return std::isdigit(static_cast<unsigned char>(c)); }) &&
         own.find_first_not_of('0') != std::string::npos;
}

std::optional<Initialisation> initialisation_around(const Code& code, std::uint32_t line) {
  const auto function = code.function_around(line);
  if (!code.is_c() || !function) return std::nullopt;
  std::optional<Initialisation> out;
  for (std::uint32_t l = line; l >= function->begin.line && l > 0; --l) {
    const std::string_view text = code.line(l);
    if (first_word(trimmed(text)) != "if") continue;
    const auto statement = code.statement_from({l, text.find_first_not_of(" \t")});
    const auto body = statement ? code.behind_head(*statement) : std::nullopt;
    if (!body || body->end != statement->end || !body->contains(line)) continue;
    const std::string head = head_of(code, *statement, *body), variable = tested_by(head);
    if (!out) {
      std::string value = variable.empty() ? std::string() : value_in(code, *body, variable);
      if (value.empty() || !is_set_only_in(code, *body, variable)) continue;
      out = Initialisation{variable, std::move(value), *statement, *body, {}, {}, {}};
      const auto around = DirectiveText::around(code, l);
      const auto all = around.empty() || !around.front().is("critical") ? std::nullopt : around.front().body(code);
      if (all && all->begin == statement->begin && all->end == statement->end) out->critical = around.front();
      if (!out->critical) out->guard = guard_before(code, *statement);
      continue;
    }
    if (variable != out->variable || !out->is_exclusive()) continue;
    if (out->guard) {
      const auto parts = code.parts_of(*body);
      if (parts.size() != 2 || parts[0].begin != out->guard->begin || parts[1].begin != out->condition.begin)
        return std::nullopt;
      out->outer = *statement;
      continue;
    }
    // Nothing but the critical construct, whose directive is no code.
    if (without_blanks(code.text(*body)) == "{" + without_blanks(code.text(out->condition)) + "}" ||
        body->begin == out->condition.begin)
      out->outer = *statement;
    else
      return std::nullopt;
  }
  return out;
}

std::uint32_t declared_static_at(const Code& code, const Initialisation& one) {
  const auto function = code.function_around(one.condition.begin.line);
  if (!function) return 0;
  const auto at = code.mentions(one.variable, {function->begin, one.condition.begin});
  return !at.empty() && is_declared_at(code, at.front()) && mentions(code.line(at.front().line), "static")
             ? at.front().line
             : 0;
}

bool comes_by(const Code& code, const Initialisation& one, std::uint32_t line) {
  const Extent whole = one.whole(code);
  if (whole.contains(line)) return true;
  const auto function = code.function_around(whole.begin.line);
  if (!function || !function->contains(line) || line <= whole.end.line || !begins_a_statement(code, whole.begin.line) ||
      trimmed(code.line(whole.begin.line - 1)).ends_with(')') || !code.mentions("goto", *function).empty())
    return false;
  for (const Extent& block : code.blocks_around(whole.begin.line)) {
    if (block.contains(line)) return true;
    const std::uint32_t first = block.begin.line; // a block on its own has no condition
    if (trimmed(code.line(first)) != "{" || !begins_a_statement(code, first) ||
        trimmed(code.line(first - 1)).ends_with(')'))
      return false;
  }
  return false;
}

} // namespace fletcher::reports
