// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/data/last_value.hpp"

#include "reports/document/words.hpp"
#include "reports/repair/source/directives/directive_text.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>

namespace fletcher::reports {
namespace {

/// The construct that divides the loop around all sites, if no other one is between.
std::optional<DirectiveText> loop_around(const std::vector<Site>& sites, const Code& code) {
  std::optional<DirectiveText> out;
  for (const Site& site : sites) {
    const auto around = DirectiveText::around(code, site.place.line);
    if (around.empty() || !is_write(site.type) || site.in_call || !site.locks.empty() ||
        site.task != TaskKind::implicit || (out && out->first_line() != around.front().first_line()))
      return std::nullopt;
    out = around.front();
  }
  const bool fits = out && (out->is("for") || out->is("do")) && !out->is("teams") && !out->is("distribute") &&
                    !out->is("simd") && out->clause("nowait") == nullptr && out->clause("collapse") == nullptr &&
                    !out->is("ordered") && out->clause("ordered") == nullptr && out->clause("linear") == nullptr;
  return fits ? out : std::nullopt;
}

/// Under no condition. (clang 19 does not implement lastprivate(conditional): it leaves any value.)
bool each_iteration_comes_to(const Extent& statement, const Extent& iteration, const Code& code) {
  const auto before = [&](Position end) {
    const std::size_t from = end.line == iteration.begin.line ? iteration.begin.column : 0;
    std::string_view text = trimmed(code.line(end.line).substr(from, end.column - from));
    if (end.line == iteration.begin.line && text.starts_with('{')) text = trimmed(text.substr(1));
    return std::string(text);
  };
  const std::uint32_t line = statement.begin.line;
  const auto blocks = code.blocks_around(line);
  const bool has_block = code.line(iteration.begin.line).substr(iteration.begin.column).starts_with('{');
  const bool directly =
      has_block ? line == iteration.begin.line || (!blocks.empty() && blocks.front().begin == iteration.begin)
                : blocks.empty() || blocks.front().begin < iteration.begin;
  if (!directly || !before(statement.begin).empty()) return false;
  if (line == iteration.begin.line) return true;
  const std::string above = before({line - 1, code.line(line - 1).size()});
  return !above.ends_with(')') && !above.ends_with("else");
}

/// LLVM's runtime forgets which thread had the last iteration, where that one steals earlier iterations afterwards.
bool may_steal(const DirectiveText& loop) {
  const Clause* const schedule = loop.clause("schedule");
  return schedule != nullptr && !mentions(schedule->arguments, "monotonic") &&
         (mentions(schedule->arguments, "dynamic") || mentions(schedule->arguments, "runtime"));
}

} // namespace

std::optional<Repair> last_value(const Diagnostic& race, const std::vector<Site>& sites, const Code& code) {
  const std::string& name = race.variable;
  const auto loop = code.is_c() && is_identifier(name) ? loop_around(sites, code) : std::nullopt;
  const auto body = loop ? loop->body(code) : std::nullopt;
  const auto function = code.function_around(sites.front().place.line);
  if (!body || !function || loop->names_besides_shared(name)) return std::nullopt;
  // No function that the loop calls may know the variable.
  const bool is_local = is_local_to(code, race, loop->first_line());
  for (const Position at : code.mentions(name, code.whole())) {
    const bool declares = race.declared.file == code.file() && at.line == race.declared.line;
    if (!is_local && !declares && !function->contains(at)) return std::nullopt;
    const std::string_view before = trimmed(code.line(at.line).substr(0, at.column));
    if (function->contains(at) && before.ends_with('&') && !before.ends_with("&&")) return std::nullopt;
  }
  const auto statement = code.statement_at(sites.front().place);
  const auto form = statement ? statement_form(code.text(*statement)) : std::nullopt;
  if (!form || form->kind != StatementForm::Kind::write || !form->operation.empty() || form->target != name)
    return std::nullopt;
  if (code.mentions(name, *body).size() != 1) return std::nullopt;
  const auto iteration = code.behind_head(*body);
  if (!iteration || may_steal(*loop) || !each_iteration_comes_to(*statement, *iteration, code)) return std::nullopt;
  for (std::uint32_t line = body->begin.line; line <= body->end.line; ++line)
    for (const std::string_view word : {"continue", "cancel", "goto"})
      if (mentions(code.line(line), word) || mentions(code.directive_line(line), word)) return std::nullopt;
  const std::string clause = "lastprivate(" + name + ")";
  const auto edit = loop->with_instead_of_shared(code, clause, name);
  if (!edit) return std::nullopt;
  return Repair{"add '" + clause + "' to the construct here: '" + name +
                    "' then has the value that the last iteration set",
                {*edit}};
}

} // namespace fletcher::reports
