// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Teams have no barrier: where one loop of a league uses what the loop above it computes, each loop gets a league of
// its own, and the first one has ended when the second begins.
#include "reports/document/words.hpp"
#include "reports/repair/data/critical_section.hpp"
#include "reports/repair/repair.hpp"
#include "reports/repair/source/directives/directive_text.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>

namespace fletcher::reports {
namespace {

/// The block of a teams construct that has nothing but loops which are distributed.
struct League {
  std::uint32_t first = 0; ///< line of the outermost directive that belongs to it
  Extent body;
};

std::optional<League> league_around(const Code& code, std::uint32_t line) {
  const auto around = DirectiveText::around(code, line);
  for (std::size_t i = 0; i < around.size(); ++i) {
    if (!around[i].is("teams") || around[i].is("distribute")) continue;
    const auto body = around[i].body(code);
    if (!body || trimmed(code.line(body->begin.line)) != "{" || trimmed(code.line(body->end.line)) != "}")
      return std::nullopt;
    League out{around[i].first_line(), *body};
    // A target construct right above goes with it.
    if (i + 1 < around.size() && around[i + 1].is("target") && around[i + 1].last_line() + 1 == out.first)
      out.first = around[i + 1].first_line();
    return out;
  }
  return std::nullopt;
}

/// All teams set a variable to the same: how many they are.
std::optional<Repair> set_by_first_team(const std::vector<Site>& sites, const Code& code) {
  const std::uint32_t line = sites.front().place.line;
  const auto around = DirectiveText::around(code, line);
  const auto statement = code.statement_at({code.file(), line, 0});
  const auto form = statement ? statement_form(code.text(*statement)) : std::nullopt;
  if (!form || form->kind != StatementForm::Kind::write || without_blanks(form->value) != "omp_get_num_teams()" ||
      !form->operation.empty() || around.empty() || !around.front().is("teams") || around.front().is("distribute") ||
      around.front().is("parallel") || !is_alone(code, *statement))
    return std::nullopt;
  if (std::ranges::any_of(sites, [&](const Site& site) { return site.place.line != line; })) return std::nullopt;
  std::string text(code.original(line));
  text.insert(statement->begin.column, "if (omp_get_team_num() == 0) ");
  return Repair{"let only the first team do this: the result is the same for all of them",
                {{{code.file(), line, 1}, std::move(text), true}}};
}

} // namespace

std::optional<Repair> repair_league(const Group& group, Codes& codes) {
  const std::vector<Site> sites = sites_of(group);
  if (sites.empty()) return std::nullopt;
  const Code& code = codes.of(sites.front().place.file);
  if (auto found = code.is_c() ? set_by_first_team(sites, code) : std::nullopt) return found;
  const auto league = code.is_c() ? league_around(code, sites.front().place.line) : std::nullopt;
  if (!league) return std::nullopt;
  std::vector<DirectiveText> loops;
  for (const Extent& part : code.parts_of(league->body)) {
    const auto above = DirectiveText::around(code, part.begin.line);
    if (above.empty() || !above.front().is("distribute") || !above.front().body(code) ||
        above.front().body(code)->begin != part.begin)
      return std::nullopt;
    loops.push_back(above.front());
  }
  if (loops.size() != 2) return std::nullopt;
  const auto first = loops[0].body(code), second = loops[1].body(code);
  for (const Diagnostic* one : group) {
    const std::uint32_t a = one->sites[0].place.line, b = one->sites[1].place.line;
    if (!(first->contains(a) && second->contains(b)) && !(first->contains(b) && second->contains(a)))
      return std::nullopt;
  }
  const std::uint32_t before = loops[1].first_line(), begin = league->body.begin.line;
  Repair out{"end the teams construct here, and begin another one: inside of one, teams do not wait for each other",
             {inserted_before(code, before, "}", begin)}};
  for (std::uint32_t line = league->first; line <= begin; ++line)
    out.edits.push_back({{code.file(), before, 1}, std::string(code.original(line)), false});
  return out;
}

} // namespace fletcher::reports
