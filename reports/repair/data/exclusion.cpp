// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that nothing excludes from each other. A sum of a loop becomes a reduction, a variable that each iteration
// sets first becomes private, other updates become atomic, and what reads what it writes goes into a critical
// construct.
#include "reports/document/words.hpp"
#include "reports/repair/data/atomic_construct.hpp"
#include "reports/repair/data/critical_section.hpp"
#include "reports/repair/data/last_value.hpp"
#include "reports/repair/data/loop_order.hpp"
#include "reports/repair/data/private_copy.hpp"
#include "reports/repair/data/read_copy.hpp"
#include "reports/repair/data/reduction.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>

namespace fletcher::reports {
namespace {

/// In a function that updates it, the variable stands somewhere else, too, where several threads may be.
bool is_otherwise_used(const Accesses& accesses) {
  const std::string name = accesses.name.empty() ? accesses.first_target() : accesses.name;
  return std::ranges::any_of(accesses.sites, [&](const Site& site) {
    const auto function = accesses.code.function_around(site.place.line);
    const bool orphaned = std::ranges::none_of(DirectiveText::around(accesses.code, site.place.line),
                                               [](const auto& one) { return one.is("parallel") || one.is("teams"); });
    return !function || std::ranges::any_of(accesses.code.mentions(name, *function), [&](Position at) {
      const bool is_site =
          std::ranges::any_of(accesses.sites, [&](const Site& one) { return one.place.line == at.line; });
      return !is_site && (orphaned || !DirectiveText::around(accesses.code, at.line).empty());
    });
  });
}

std::optional<Repair> privatisation(const Accesses& accesses) {
  const auto directive = accesses.construct();
  if (!directive) return std::nullopt;
  const bool of_tasks = directive->is("task") && !accesses.of_threads();
  return of_tasks || shares_work(*directive) ? private_copy(accesses.leader, accesses.code, *directive) : std::nullopt;
}

/// Updates that may come in any order, whatever else keeps some of them apart.
std::optional<Repair> commuting(Accesses& accesses) {
  std::string operation;
  if (accesses.sites.empty() || accesses.some_atomic() || is_reduced_around(accesses)) return std::nullopt;
  for (const Site& site : accesses.sites) {
    const auto step = site.in_call ? std::nullopt : step_at(accesses.code, site.place);
    const std::string own = step ? reduction_operation(step->form) : std::string();
    if (own.empty() || !may_be_atomic(step->form) || (!operation.empty() && own != operation)) return std::nullopt;
    operation = own;
  }
  if (accesses.is_known_otherwise()) accesses.name.clear();
  return accesses.of_threads() && is_otherwise_used(accesses) ? std::nullopt : atomic_construct(accesses);
}

/// Nothing but an atomic construct excludes the threads of two teams; it can stand for a critical one around it.
std::optional<Repair> between_teams(Accesses& accesses) {
  if (!is_identifier(accesses.name)) accesses.name = accesses.first_target();
  if (!is_identifier(accesses.name)) return std::nullopt;
  const bool some_locked = std::ranges::any_of(accesses.sites, [](const Site& site) { return !site.locks.empty(); });
  for (const Site& site : accesses.sites) { // no atomic construct may stand directly in a teams construct
    const auto around = DirectiveText::around(accesses.code, site.place.line);
    if (!around.empty() && around.front().is("teams") && !around.front().is("distribute") &&
        !around.front().is("parallel") && !around.front().is("loop"))
      return some_locked ? std::nullopt : reduction_of_teams(accesses, around.front());
  }
  if (auto found = only_last_iteration(accesses.sites, accesses.name, accesses.code)) return found;
  if (!some_locked) return atomic_construct(accesses);
  if (auto found = atomic_for_critical(accesses)) return found;
  return commuting(accesses);
}

/// Each thread of a region executes all of the writes, nothing in the region reads the variable, and something behind
/// it may: one of the last values stays, as by atomic writes. A copy for each thread would lose it.
bool leaves_any_last_value(const Accesses& accesses) {
  Diagnostic plain = accesses.leader; // of a namespace by its last name
  plain.variable = plain.variable.substr(plain.variable.rfind(':') + 1);
  const std::string& name = plain.variable;
  if (!accesses.code.is_c() || !accesses.of_threads() || !is_identifier(name)) return false;
  std::optional<DirectiveText> region;
  for (const Site& site : accesses.sites) {
    const auto step = site.in_call || !is_write(site.type) ? std::nullopt : step_at(accesses.code, site.place);
    const auto around = DirectiveText::around(accesses.code, site.place.line);
    if (!step || step->form.kind != StatementForm::Kind::write || !step->form.operation.empty() ||
        step->form.target != name || !is_number(plain, accesses.codes, site.place.line) || around.empty() ||
        !around.front().is("parallel") || around.front().shares_a_loop() || around.front().is("sections") ||
        (region && region->first_line() != around.front().first_line()))
      return false;
    region = around.front();
  }
  const auto body = region ? region->body(accesses.code) : std::nullopt;
  if (!body || region->names_besides_shared(name)) return false;
  const auto uses = accesses.code.mentions(name, *body);
  const bool only_written = std::ranges::all_of(uses, [&](Position at) {
    return std::ranges::any_of(accesses.sites, [&](const Site& site) { return site.place.line == at.line; });
  });
  return only_written && !accesses.code.mentions(name, {body->end, accesses.code.whole().end}).empty();
}

} // namespace

std::optional<Repair> repair_exclusion(const Group& group, Codes& codes) {
  Accesses accesses(group, codes);
  if (accesses.sites.empty() || accesses.code.lines() == 0) return std::nullopt;
  if (std::ranges::any_of(group, [&](const auto* one) { return one->variable != accesses.leader.variable; }))
    return std::nullopt;
  if (accesses.leader.between_teams) return between_teams(accesses);
  if (auto found = part_of_reduction(accesses)) return found;
  if (is_reduced_around(accesses)) return std::nullopt;
  if (std::ranges::all_of(accesses.sites, &Site::in_call)) {
    if (auto found = critical_calls(accesses.sites, accesses.code)) return found;
    return accesses.of_threads() ? critical_argument(accesses.sites, accesses.name, accesses.code) : std::nullopt;
  }
  if (accesses.of_threads())
    if (auto found = critical_argument(accesses.sites, accesses.name, accesses.code)) return found;
  if (auto found = atomic_capture(accesses)) return found;
  if (auto found = critical_addition(accesses.sites, is_identifier(accesses.name) ? accesses.name : std::string(),
                                     accesses.code))
    return found;
  if (accesses.is_known_otherwise()) {
    accesses.name.clear();
    if (auto found = atomic_construct(accesses, leaves_any_last_value(accesses))) return found;
    return critical_extreme(accesses.sites, accesses.first_target(), accesses.code);
  }
  const bool whole = std::ranges::all_of(group, [](const auto* one) { return one->whole_variable; });
  if (accesses.some_atomic()) return atomic_construct(accesses);
  if (whole)
    if (auto found = reduction_of_loop(accesses)) return found;
  if (whole)
    if (auto found = privatisation(accesses)) return found;
  if (accesses.leader.cause == Cause::simd_lanes) return std::nullopt; // nothing but the loop itself excludes its lanes
  if (whole)
    if (auto found = last_value(accesses.leader, accesses.sites, accesses.code)) return found;
  if (auto found = only_last_iteration(accesses.sites, accesses.name, accesses.code)) return found;
  if (auto found = atomic_construct(accesses, are_constants(accesses) || leaves_any_last_value(accesses))) return found;
  if (auto found = critical_extreme(accesses.sites, accesses.name, accesses.code)) return found;
  if (auto found = critical_members(accesses.sites, accesses.name, accesses.code)) return found;
  if (auto found = copy_for_condition(accesses)) return found;
  const std::string target = accesses.first_target(); // a pointer into the variable
  return target != accesses.name ? critical_extreme(accesses.sites, target, accesses.code) : std::nullopt;
}

std::optional<Repair> repair_by_atomic(const Group& group, Codes& codes) {
  Accesses accesses(group, codes);
  return commuting(accesses);
}

} // namespace fletcher::reports
