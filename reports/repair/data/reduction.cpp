// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/repair/data/reduction.hpp"

#include "reports/document/words.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace fletcher::reports {
namespace {

/// "+" of a clause that reduces the variable; empty for none.
std::string reduction_of(const DirectiveText& directive, const std::string& name) {
  for (const Clause& clause : directive.clauses()) {
    const auto colon = clause.arguments.rfind(':');
    if (!clause.name.ends_with("reduction") || colon == std::string::npos ||
        !mentions(std::string_view(clause.arguments).substr(colon), name))
      continue;
    const std::string_view before = std::string_view(clause.arguments).substr(0, colon);
    return std::string(trimmed(before.substr(before.rfind(',') + 1)));
  }
  return {};
}

bool reduces_for_tasks(const DirectiveText& one) {
  return one.clause("task_reduction") != nullptr || std::ranges::any_of(one.clauses(), [](const Clause& clause) {
           return clause.name == "reduction" && trimmed(clause.arguments).starts_with("task");
         });
}

/// The construct that reduces the variable for its tasks: around the task, or the only one of the file, from which a
/// function is called that creates it.
std::optional<DirectiveText> reducing_for(const Accesses& accesses, const std::vector<DirectiveText>& around) {
  const auto found = std::find_if(around.begin() + 1, around.end(),
                                  [&](const DirectiveText& one) { return !reduction_of(one, accesses.name).empty(); });
  if (found != around.end()) return reduces_for_tasks(*found) ? std::optional(*found) : std::nullopt;
  std::optional<DirectiveText> out;
  for (std::uint32_t line = 1; line <= accesses.code.lines(); ++line) {
    const auto one = DirectiveText::at(accesses.code, line);
    if (!one || reduction_of(*one, accesses.name).empty()) continue;
    if (out || !reduces_for_tasks(*one)) return std::nullopt;
    out = one;
  }
  return out;
}

bool ends_with_nowait(const Accesses& accesses, const DirectiveText& directive, const Extent& body) {
  if (directive.clause("nowait") != nullptr) return true;
  const auto end = accesses.code.is_c() ? std::nullopt : DirectiveText::at(accesses.code, body.end.line + 1);
  return end && end->clause("nowait") != nullptr;
}

bool is_in_league(const Accesses& accesses) {
  return std::ranges::any_of(
      DirectiveText::around(accesses.code, accesses.leader.place.line),
      [](const DirectiveText& one) { return one.is("teams") || one.is("distribute") || one.is("target"); });
}

/// One thread of a team, or a task, comes to the construct.
bool is_executed_once(const Accesses& accesses, const DirectiveText& directive) {
  const auto body = directive.body(accesses.code);
  if (!body) return false;
  for (const DirectiveText& one : DirectiveText::around(accesses.code, body->begin.line)) {
    if (one.first_line() == directive.first_line()) continue;
    return one.is("single") || one.is("master") || one.is("masked") || one.is("task");
  }
  return false;
}

/// A reduction clause has a meaning there, and one thread or task at a time combines the copies.
bool combines(const Accesses& accesses, const DirectiveText& directive) {
  if (directive.is("taskloop")) return directive.clause("nogroup") == nullptr && is_executed_once(accesses, directive);
  if (accesses.leader.cause == Cause::simd_lanes && directive.is("simd") && !directive.shares_a_loop()) return true;
  return accesses.of_threads() && shares_work(directive);
}

} // namespace

bool shares_work(const DirectiveText& directive) {
  const bool other = directive.is("single") || directive.is("critical") || directive.is("task") ||
                     directive.is("ordered") || directive.is("masked") || directive.is("master") ||
                     directive.is("atomic") || directive.is("teams") || directive.is("target");
  return !other && (directive.shares_a_loop() || directive.is("parallel") || directive.is("sections"));
}

bool is_reduced_around(const Accesses& accesses) {
  return std::ranges::any_of(accesses.sites, [&](const Site& site) {
    return std::ranges::any_of(DirectiveText::around(accesses.code, site.place.line),
                               [&](const DirectiveText& one) { return !reduction_of(one, accesses.name).empty(); });
  });
}

bool is_reduced_for_tasks(const Accesses& accesses, const std::string& name) {
  if (accesses.of_threads()) return false;
  for (std::uint32_t line = 1; line <= accesses.code.lines(); ++line)
    if (const auto one = DirectiveText::at(accesses.code, line); one && !reduction_of(*one, name).empty()) return true;
  return false;
}

std::optional<Repair> part_of_reduction(const Accesses& accesses) {
  if (!is_identifier(accesses.name)) return std::nullopt;
  std::map<std::uint32_t, DirectiveText> tasks;
  std::string operation;
  for (const Site& site : accesses.sites) {
    const auto around = DirectiveText::around(accesses.code, site.place.line);
    if (around.empty() || !around[0].is("task") || around[0].names_besides_shared(accesses.name)) continue;
    const auto reducing = reducing_for(accesses, around);
    const auto step = step_at(accesses.code, site.place);
    if (!reducing || !step || step->form.target != accesses.name || site.task != TaskKind::explicit_) continue;
    if (reduction_operation(step->form) != reduction_of(*reducing, accesses.name)) return std::nullopt;
    const auto body = around[0].body(accesses.code);
    if (!body || accesses.code.mentions(accesses.name, *body).size() >
                     accesses.code.mentions(accesses.name, step->extent).size())
      return std::nullopt;
    operation = reduction_of(*reducing, accesses.name);
    tasks.emplace(around[0].first_line(), around[0]);
  }
  if (tasks.empty()) return std::nullopt;
  const std::string clause = "in_reduction(" + operation + ": " + accesses.name + ")";
  Repair out{"add '" + clause + "' to the construct" + (tasks.size() == 1 ? "" : "s") +
                 " here: the construct around it reduces '" + accesses.name + "' for tasks that take part",
             {}};
  for (const auto& [line, task] : tasks) {
    const auto edit = task.with_instead_of_shared(accesses.code, clause, accesses.name);
    if (!edit) return std::nullopt;
    out.edits.push_back(*edit);
  }
  return out;
}

std::optional<Repair> reduction_of_teams(const Accesses& accesses, const DirectiveText& teams) {
  std::string operation;
  std::set<std::uint32_t> lines;
  for (const Site& site : accesses.sites) {
    const auto step = site.in_call ? std::nullopt : step_at(accesses.code, site.place);
    const std::string own =
        step && step->form.target == accesses.name ? reduction_operation(step->form) : std::string();
    if (own.empty() || (!operation.empty() && own != operation)) return std::nullopt;
    operation = own;
    lines.insert(site.place.line);
  }
  const auto body = teams.body(accesses.code);
  if (!body || !is_number(accesses.leader, accesses.codes, teams.first_line())) return std::nullopt;
  for (const Position at : accesses.code.mentions(accesses.name, *body))
    if (!lines.contains(at.line)) return std::nullopt;
  const std::string clause = "reduction(" + operation + ": " + accesses.name + ")";
  const auto edit = teams.with_instead_of_shared(accesses.code, clause, accesses.name);
  if (!edit) return std::nullopt;
  return Repair{"add '" + clause +
                    "' to the construct here: each team then has its own copy, and the copies are combined at the end",
                {*edit}};
}

std::optional<Repair> reduction_of_loop(const Accesses& accesses) {
  std::vector<Extent> steps;
  std::string operation;
  std::optional<std::uint32_t> at_directive;
  for (const Site& site : accesses.sites) {
    if (DirectiveText::at(accesses.code, site.place.line)) { // what the loop adds up is written when it ends
      at_directive = site.place.line;
      continue;
    }
    const auto step = step_at(accesses.code, site.place);
    if (!step || step->form.target != accesses.name) return std::nullopt;
    const std::string own = reduction_operation(step->form);
    if (own.empty() || (!operation.empty() && own != operation)) return std::nullopt;
    operation = own;
    steps.push_back(step->extent);
  }
  const auto directive = accesses.construct();
  if (at_directive && (!directive || directive->first_line() != *at_directive)) return std::nullopt;
  if (is_in_league(accesses)) return std::nullopt; // each team would have to combine what the others have, too
  if (!directive || !combines(accesses, *directive) ||
      !is_number(accesses.leader, accesses.codes, directive->first_line()))
    return std::nullopt;
  const auto body = directive->body(accesses.code);
  if (!body || ends_with_nowait(accesses, *directive, *body) ||
      has_directive_with(accesses.code, *body, accesses.name) || directive->names_besides_shared(accesses.name))
    return std::nullopt;
  if (has_directive_with(accesses.code, *body, "cancel")) return std::nullopt; // leaves copies that nobody combines
  for (const Position at : accesses.code.mentions(accesses.name, *body))
    if (std::ranges::none_of(steps, [&](const Extent& step) { return step.contains(at); })) return std::nullopt;
  const std::string clause = "reduction(" + operation + ": " + accesses.name + ")";
  const auto edit = directive->with_instead_of_shared(accesses.code, clause, accesses.name);
  if (!edit) return std::nullopt;
  return Repair{
      "add '" + clause +
          "' to the construct here: each thread then has its own copy, and the copies are combined at the end",
      {*edit}};
}

} // namespace fletcher::reports
