// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that change an object, one at a time.
#include "reports/document/words.hpp"
#include "reports/repair/data/critical_section.hpp"
#include "reports/repair/source/directives/directive_text.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace fletcher::reports {

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

} // namespace fletcher::reports
