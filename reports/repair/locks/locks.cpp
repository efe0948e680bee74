// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks and critical constructs that do not match: the lock of one side for the other, one name for both constructs.
#include "reports/document/words.hpp"
#include "reports/repair/data/critical_section.hpp"
#include "reports/repair/locks/longer_section.hpp"
#include "reports/repair/locks/wait_without_lock.hpp"
#include "reports/repair/repair.hpp"
#include "reports/repair/source/calls/lock_call.hpp"
#include "reports/repair/source/directives/depend_clause.hpp"
#include "reports/repair/source/directives/directive_text.hpp"
#include "reports/repair/source/statement_form.hpp"
#include "reports/source/statement_places.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace fletcher::reports {
namespace {

/// The critical construct that begins at a place.
std::optional<DirectiveText> critical_at(const SourcePlace& place, Codes& codes) {
  if (!place.known()) return std::nullopt;
  const auto line = line_of_construct(place, codes.sources());
  auto directive = DirectiveText::at(codes.of(place.file), line.value_or(place.line));
  return directive && directive->is("critical") ? directive : std::nullopt;
}

std::string critical(const std::string& name) { return name.empty() ? "critical" : "critical (" + name + ")"; }

/// The lines are in the two branches of one condition: no barrier can stand between them.
bool are_in_two_branches(const Code& code, std::uint32_t first, std::uint32_t then) {
  const auto function = code.function_around(first);
  if (!code.is_c() || !function || !function->contains(then)) return false;
  for (std::uint32_t line = first; line > function->begin.line; --line) {
    const std::string_view text = code.line(line);
    const auto at = text.find_first_not_of(" \t");
    if (first_word(trimmed(text)) != "if") continue;
    const auto whole = code.statement_from({line, at});
    const auto branch = whole ? code.behind_head(*whole) : std::nullopt;
    if (branch && branch->contains(first) && branch->end.line < then && whole->contains(then)) return true;
  }
  return false;
}

/// One side reads while the other one may write: the two accesses of each pair are in two branches of one condition.
bool reads_meanwhile(const Group& group, const Code& code) {
  return std::ranges::all_of(group, [&](const Diagnostic* one) {
    const auto lines = lines_in_one_function(*one, code);
    return lines && are_in_two_branches(code, lines->first, lines->second);
  });
}

/// The one lock that the sites of one side hold, as the source names it.
struct NamedLock {
  MutexKind kind = MutexKind::critical;
  std::string name;
  std::string set; ///< the function, of a lock that is no critical construct
};

std::optional<NamedLock> lock_of(const std::vector<Site>& sites, const Code& code, Codes& codes) {
  std::set<std::string> names;
  std::optional<MutexKind> kind;
  NamedLock out;
  for (const Site& site : sites)
    for (const Site::Lock& lock : site.locks) {
      if (kind && kind != lock.kind) return std::nullopt;
      kind = lock.kind;
      if (lock.kind == MutexKind::critical) {
        const auto construct = critical_at(lock.acquired, codes);
        if (!construct) return std::nullopt;
        names.insert(construct->argument());
      } else if (lock.kind != MutexKind::atomic && lock.acquired.file == code.file() && code.is_c()) {
        const auto call = lock_call(code.line(lock.acquired.line));
        if (!call || undone_by(call->function).empty()) return std::nullopt;
        names.insert(call->lock);
        out.set = call->function;
      } else {
        return std::nullopt;
      }
    }
  if (names.size() != 1) return std::nullopt;
  out.kind = *kind;
  out.name = *names.begin();
  return out;
}

/// `q->item[q->tail] = v; q->tail++;`: statements that follow each other, of which one is an update, change one object
/// together. So they are in one critical construct.
std::optional<Repair> same_critical_around(const std::vector<Site>& sites, const std::string& name, const Code& code) {
  std::set<Position> statements;
  std::string object;
  std::uint32_t first = 0, last = 0;
  bool updates = false;
  for (const Site& site : sites) {
    if (!site.locks.empty()) continue;
    const auto extent = site.in_call ? std::nullopt : code.statement_at(site.place);
    const auto form = extent ? statement_form(code.text(*extent)) : std::nullopt;
    if (!form || !is_alone(code, *extent) || (!object.empty() && object != base_of(form->target))) return std::nullopt;
    object = base_of(form->target);
    updates = updates || form->kind == StatementForm::Kind::update;
    statements.insert(extent->begin);
    first = first == 0 ? site.place.line : std::min(first, site.place.line);
    last = std::max(last, site.place.line);
  }
  const auto blocks = code.blocks_around(first);
  if (!code.is_c() || statements.size() < 2 || !updates || blocks.empty() || !can_be_critical({first, last}, code))
    return std::nullopt;
  const auto parts = code.parts_of(blocks.front());
  auto part = std::ranges::find(parts, *statements.begin(), &Extent::begin);
  for (const Position at : statements) // nothing stands between them
    if (part == parts.end() || (part++)->begin != at) return std::nullopt;
  return Repair{"put these lines into a critical construct, too: '" + directive(code.file(), critical(name)) + "'",
                {inserted_before(code, first, directive(code.file(), critical(name)), first),
                 inserted_before(code, first, "{", first), inserted_before(code, last + 1, "}", first)}};
}

/// The other side takes the lock that one side has.
std::optional<Repair> same_lock(const Group& group, Codes& codes) {
  const std::vector<Site> sites = sites_of(group);
  if (sites.empty()) return std::nullopt;
  const Code& code = codes.of(sites.front().place.file);
  const auto lock = lock_of(sites, code, codes);
  if (!lock) return std::nullopt;
  const auto& [kind, name, set] = *lock;
  if (kind == MutexKind::critical)
    if (auto found = same_critical_around(sites, name, code)) return found;
  Repair out{{}, {}};
  std::set<std::uint32_t> told;
  for (const Site& site : sites) {
    if (!site.locks.empty() || !told.insert(site.place.line).second) continue;
    const std::uint32_t line = site.place.line;
    const auto extent = code.statement_at(site.place);
    const auto form = extent ? statement_form(code.text(*extent)) : std::nullopt;
    // A read may be intended to come later, not in between.
    if (!form || !begins_a_statement(code, line) ||
        (form->kind == StatementForm::Kind::write && (is_write(site.type) || !reads_meanwhile(group, code))))
      return std::nullopt;
    const std::string_view text = code.line(line);
    if (!trimmed(text.substr(0, extent->begin.column)).empty() || !trimmed(text.substr(extent->end.column)).empty())
      return std::nullopt;
    if (kind == MutexKind::critical) {
      out.edits.push_back(inserted_before(code, line, directive(code.file(), critical(name)), line));
      if (!code.is_c())
        out.edits.push_back(inserted_before(code, line + 1, directive(code.file(), "end " + critical(name)), line));
    } else { // two calls are no statement of one condition
      for (std::uint32_t above = line - 1; above > 0; --above) {
        const std::string_view before = trimmed(code.line(above));
        if (before.empty() && code.directive_line(above).empty()) continue;
        if (before.empty() || std::string_view(";{}").find(before.back()) == std::string_view::npos)
          return std::nullopt;
        break;
      }
      out.edits.push_back(inserted_before(code, line, set + "(" + name + ");", line));
      out.edits.push_back(inserted_before(code, line + 1, std::string(undone_by(set)) + "(" + name + ");", line));
    }
  }
  if (out.edits.empty()) return std::nullopt;
  out.sentence = kind == MutexKind::critical
                     ? "put this into a critical construct, too: '" + directive(code.file(), critical(name)) + "'"
                     : "hold the same lock here: '" + name + "'";
  return out;
}

/// The critical construct with the name of another one, and with its hint: constructs of one name have to agree on
/// that.
std::optional<Edit> named_as(const DirectiveText& construct, const DirectiveText& other, const Code& code) {
  if (construct.clauses().empty() && other.clauses().empty()) return construct.renamed(code, other.argument());
  if (!code.is_c() || construct.clauses().size() > 1 || other.clauses().size() > 1) return std::nullopt;
  const Clause* const hint = other.clause("hint");
  if (!other.clauses().empty() && hint == nullptr) return std::nullopt;
  return construct.replaced_by(code, critical(other.argument()) +
                                         (hint == nullptr ? std::string() : " hint(" + hint->arguments + ")"));
}

/// Two names become one, where one of them belongs to this construct only.
std::optional<Repair> one_name(const Group& group, Codes& codes) {
  std::vector<DirectiveText> constructs;
  const Code* code = nullptr;
  for (const Diagnostic* one : group)
    for (const Site& site : one->sites) {
      if (site.locks.size() != 1 || site.locks.front().kind != MutexKind::critical) return std::nullopt;
      const SourcePlace& place = site.locks.front().acquired;
      auto construct = critical_at(place, codes);
      if (!construct || (code != nullptr && code != &codes.of(place.file))) return std::nullopt;
      code = &codes.of(place.file);
      const bool known = std::ranges::any_of(
          constructs, [&](const DirectiveText& other) { return other.first_line() == construct->first_line(); });
      if (!known) constructs.push_back(std::move(*construct));
    }
  if (constructs.size() != 2 || constructs[0].argument() == constructs[1].argument()) return std::nullopt;
  // The name that others share stays; of two names, the first in the text.
  if (constructs[1].first_line() < constructs[0].first_line()) std::swap(constructs[0], constructs[1]);
  const bool second_is_alone = criticals(*code, constructs[1].argument()) == 1;
  const bool first_is_alone = criticals(*code, constructs[0].argument()) == 1;
  if (!first_is_alone && !second_is_alone) return std::nullopt;
  const DirectiveText &stays = constructs[second_is_alone ? 0 : 1], &changes = constructs[second_is_alone ? 1 : 0];
  for (const DirectiveText& around : DirectiveText::around(*code, changes.first_line()))
    if (around.is("critical") && around.first_line() != changes.first_line()) return std::nullopt;
  const auto edit = named_as(changes, stays, *code);
  if (!edit) return std::nullopt;
  Repair out{stays.argument().empty() ? "remove the name here: both are then the same critical construct"
                                      : "name this '" + stays.argument() + "', too: both are then the same construct",
             {*edit}};
  if (!code->is_c()) {
    const auto body = changes.body(*code);
    const auto end = body ? DirectiveText::at(*code, body->end.line) : std::nullopt;
    const auto also = end ? end->renamed(*code, stays.argument()) : std::nullopt;
    if (!also) return std::nullopt;
    out.edits.push_back(*also);
  }
  return out;
}

/// Two mutexes become one, where a single guard has one of them.
std::optional<Repair> one_guarded_mutex(const Group& group, Codes& codes) {
  const std::vector<Site> sites = sites_of(group);
  if (sites.empty()) return std::nullopt;
  const Code& code = codes.of(sites.front().place.file);
  std::map<std::uint32_t, std::string> guards; ///< by line
  for (const Site& site : sites) {
    if (site.locks.size() != 1 || site.locks.front().acquired.file != code.file()) return std::nullopt;
    const std::uint32_t line = site.locks.front().acquired.line;
    guards[line] = guarded_mutex(code.line(line));
    if (!is_identifier(guards[line])) return std::nullopt;
  }
  if (guards.size() != 2 || guards.begin()->second == guards.rbegin()->second) return std::nullopt;
  const std::string& stays = guards.begin()->second;
  const auto& [line, changes] = *guards.rbegin();
  // Its declaration, and the guard.
  if (code.mentions(changes, code.whole()).size() != 2) return std::nullopt;
  const Position at = code.mentions(changes, {{line, 0}, {line + 1, 0}}).back();
  std::string text(code.original(line));
  text.replace(at.column, changes.size(), stays);
  return Repair{"hold the same mutex here: '" + stays + "'", {{{code.file(), line, 1}, std::move(text), true}}};
}

/// Two locks become one, where one of them is set and unset by one pair of calls only.
std::optional<Repair> one_lock(const Group& group, Codes& codes) {
  const std::vector<Site> sites = sites_of(group);
  if (sites.empty()) return std::nullopt;
  const Code& code = codes.of(sites.front().place.file);
  std::map<std::string, std::uint32_t> set_at; ///< by lock
  std::string function;
  for (const Site& site : sites) {
    if (site.locks.size() != 1 || site.locks.front().acquired.file != code.file()) return std::nullopt;
    const std::uint32_t line = site.locks.front().acquired.line;
    const auto call = lock_call(code.line(line));
    if (!call || undone_by(call->function).empty() || (!function.empty() && function != call->function) ||
        call->lock.find('[') != std::string::npos)
      return std::nullopt;
    function = call->function;
    const auto [known, fresh] = set_at.try_emplace(without_blanks(call->lock), line);
    if (!fresh && known->second != line) return std::nullopt;
  }
  if (set_at.size() != 2) return std::nullopt;
  // Of the two the one in the text's first place stays.
  auto stays = set_at.begin(), changes = std::next(stays);
  if (changes->second < stays->second) std::swap(stays, changes);
  std::vector<std::uint32_t> uses;
  const std::string base(first_word(std::string_view(changes->first).substr(changes->first.starts_with('&') ? 1 : 0)));
  for (std::uint32_t line = 1; line <= code.lines(); ++line) {
    if (!mentions(code.line(line), base)) continue;
    const auto call = lock_call(code.line(line));
    if (call && without_blanks(call->lock) == changes->first)
      uses.push_back(line);
    else if (code.line(line).find("set_lock") != std::string_view::npos ||
             code.line(line).find("test_lock") != std::string_view::npos)
      return std::nullopt;
  }
  if (uses.size() != 2 || uses[0] != changes->second || lock_call(code.line(uses[1]))->function != undone_by(function))
    return std::nullopt;
  // Inside of a section of the other lock it would be set twice.
  for (std::uint32_t line = uses[0]; line <= uses[1]; ++line)
    if (line != uses[0] && line != uses[1] && lock_call(code.line(line))) return std::nullopt;
  Repair out{"hold the same lock here: '" + stays->first + "'", {}};
  for (const std::uint32_t line : uses) {
    std::string text(code.original(line));
    const std::string old = lock_call(code.line(line))->lock;
    const auto at = text.find(old);
    if (at == std::string::npos) return std::nullopt;
    out.edits.push_back({{code.file(), line, 1}, text.replace(at, old.size(), stays->first), true});
  }
  return out;
}

/// Tasks that exclude each other name one item: where one names the variable, so does the other.
std::optional<Repair> one_exclusive_item(const Group& group, Codes& codes) {
  const Diagnostic& leader = *group.front();
  const std::vector<Site> sites = sites_of(group);
  if (sites.empty() || !is_identifier(leader.variable)) return std::nullopt;
  const Code& code = codes.of(sites.front().place.file);
  std::map<std::uint32_t, DirectiveText> tasks;
  for (const Site& site : sites) {
    if (!site.locks.empty() || !site.construct.known() || site.construct.file != code.file()) return std::nullopt;
    const auto line = line_of_construct(site.construct, codes.sources());
    auto task = line ? DirectiveText::at(code, *line) : std::nullopt;
    if (!task) return std::nullopt;
    tasks.emplace(*line, std::move(*task));
  }
  Repair out{"name '" + leader.variable + "' here, too: tasks exclude each other if they name the same item", {}};
  bool named = false;
  for (const auto& [line, task] : tasks) {
    const Clause* other = nullptr;
    bool names = false;
    for (const Clause& clause : task.clauses()) {
      const auto list = read_depend(clause);
      if (!list || list->type != "mutexinoutset") continue;
      if (std::ranges::find(list->items, leader.variable) != list->items.end())
        names = true;
      else if (list->items.size() == 1)
        other = &clause;
    }
    named = named || names;
    if (names) continue;
    const auto edit =
        other != nullptr ? task.with_replaced(code, *other, depend("mutexinoutset", leader.variable)) : std::nullopt;
    if (!edit) return std::nullopt;
    out.edits.push_back(*edit);
  }
  return named && !out.edits.empty() ? std::optional(out) : std::nullopt;
}

} // namespace

std::optional<Repair> repair_locks(const Group& group, Codes& codes) {
  switch (group.front()->cause) {
  case Cause::one_side_locked: {
    const auto by_atomic = [](const Site& site) {
      return std::ranges::any_of(site.locks, [](const auto& lock) { return lock.kind == MutexKind::atomic; });
    };
    const std::vector<Site> sites = sites_of(group);
    if (std::ranges::any_of(sites, by_atomic)) return repair_exclusion(group, codes);
    if (auto found = same_lock(group, codes)) return found;
    return longer_section(group, codes);
  }
  case Cause::different_locks:
    if (auto found = one_name(group, codes)) return found;
    if (auto found = one_guarded_mutex(group, codes)) return found;
    if (auto found = one_exclusive_item(group, codes)) return found;
    return one_lock(group, codes);
  default:
    if (auto found = repair_lock_order(group, codes)) return found;
    if (auto found = wait_without_lock(group, codes)) return found;
    return repair_held_lock(group, codes);
  }
}

} // namespace fletcher::reports
