// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks and critical constructs that do not match: the lock of one side for the other, one name for both constructs,
// and two locks in one order.
#include "reports/repair/directive_text.hpp"
#include "reports/repair/repair.hpp"
#include "reports/repair/statement_form.hpp"

#include <algorithm>
#include <regex>
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

/// What a call that sets a lock names: "&lock". Only where the line has nothing else.
std::optional<std::string> lock_of_call(std::string_view line) {
  static const std::regex call(
      R"(^\s*(?:call\s+)?omp_set_lock\s*\(\s*(&?\s*[A-Za-z_]\w*(?:\[[^\]]*\])?)\s*\)\s*;?\s*$)");
  std::match_results<std::string_view::const_iterator> match;
  if (!std::regex_match(line.begin(), line.end(), match, call)) return std::nullopt;
  return match[1].str();
}

/// The other side takes the lock that one side has.
std::optional<Repair> same_lock(const Group& group, Codes& codes) {
  const std::vector<Site> sites = sites_of(group);
  if (sites.empty()) return std::nullopt;
  const Code& code = codes.of(sites.front().place.file);
  std::set<std::string> names;
  std::optional<MutexKind> kind;
  for (const Site& site : sites)
    for (const Site::Lock& lock : site.locks) {
      if (kind && kind != lock.kind) return std::nullopt;
      kind = lock.kind;
      if (lock.kind == MutexKind::critical) {
        const auto construct = critical_at(lock.acquired, codes);
        if (!construct) return std::nullopt;
        names.insert(construct->argument());
      } else if (lock.kind == MutexKind::lock && lock.acquired.file == code.file()) {
        const auto name = lock_of_call(code.line(lock.acquired.line));
        if (!name || !code.is_c()) return std::nullopt;
        names.insert(*name);
      } else {
        return std::nullopt;
      }
    }
  if (names.size() != 1) return std::nullopt;
  const std::string& name = *names.begin();
  Repair out{{}, {}};
  std::set<std::uint32_t> told;
  for (const Site& site : sites) {
    if (!site.locks.empty() || !told.insert(site.place.line).second) continue;
    const std::uint32_t line = site.place.line;
    const auto extent = code.statement_at(site.place);
    const auto form = extent ? statement_form(code.text(*extent)) : std::nullopt;
    // Who only reads may mean to come later, not in between.
    if (!form || form->kind == StatementForm::Kind::write || !begins_a_statement(code, line)) return std::nullopt;
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
      out.edits.push_back(inserted_before(code, line, "omp_set_lock(" + name + ");", line));
      out.edits.push_back(inserted_before(code, line + 1, "omp_unset_lock(" + name + ");", line));
    }
  }
  if (out.edits.empty()) return std::nullopt;
  out.sentence = kind == MutexKind::critical
                     ? "put this into a critical construct, too: '" + directive(code.file(), critical(name)) + "'"
                     : "hold the same lock here: '" + name + "'";
  return out;
}

/// How many critical constructs of a file have this name.
std::size_t criticals(const Code& code, const std::string& name) {
  std::size_t n = 0;
  for (std::uint32_t l = 1; l <= code.lines(); ++l)
    if (const auto directive = DirectiveText::at(code, l);
        directive && directive->is("critical") && !directive->is("end") && directive->argument() == name)
      ++n;
  return n;
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
  // Constructs of one name have to agree on their hints.
  if (!constructs[0].clauses().empty() || !constructs[1].clauses().empty()) return std::nullopt;
  // The name that others share stays; of two names, the first in the text.
  if (constructs[1].first_line() < constructs[0].first_line()) std::swap(constructs[0], constructs[1]);
  const bool second_is_alone = criticals(*code, constructs[1].argument()) == 1;
  const bool first_is_alone = criticals(*code, constructs[0].argument()) == 1;
  if (!first_is_alone && !second_is_alone) return std::nullopt;
  const DirectiveText &stays = constructs[second_is_alone ? 0 : 1], &changes = constructs[second_is_alone ? 1 : 0];
  for (const DirectiveText& around : DirectiveText::around(*code, changes.first_line()))
    if (around.is("critical") && around.first_line() != changes.first_line()) return std::nullopt;
  const auto edit = changes.renamed(*code, stays.argument());
  if (!edit) return std::nullopt;
  Repair out{stays.argument().empty() ? "leave out the name here: both then are the same critical construct"
                                      : "name this '" + stays.argument() + "', too: both then are the same construct",
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

/// Two calls on neighbouring lines change places.
std::optional<Repair> other_order(const Group& group, Codes& codes) {
  const Diagnostic& leader = *group.front();
  std::vector<SourcePlace> places{leader.place};
  for (const Note& note : leader.notes)
    if (note.kind == Note::Kind::step) places.push_back(note.place);
  static const std::regex call(
      R"(^\s*(?:call\s+)?(?:omp_set_lock|omp_set_nest_lock|pthread_mutex_lock|mtx_lock)\s*\([^()]*\)\s*;?\s*$)");
  const auto is_call = [&](std::string_view line) { return std::regex_match(line.begin(), line.end(), call); };
  std::set<std::pair<std::string, std::uint32_t>> all;
  for (const SourcePlace& place : places) {
    if (!place.known()) return std::nullopt;
    all.insert({place.file, place.line});
  }
  if (all.size() != 4) return std::nullopt; // two tasks, each of which takes two locks at places of its own
  for (auto one = all.rbegin(); one != all.rend(); ++one) {
    const auto& [file, second] = *one;
    const Code& code = codes.of(file);
    std::uint32_t first = second - 1;
    while (first > 0 && trimmed(code.line(first)).empty() && code.directive_line(first).empty()) --first;
    if (!all.contains({file, first}) || !is_call(code.line(first)) || !is_call(code.line(second))) continue;
    if (without_blanks(code.line(first)) == without_blanks(code.line(second))) continue;
    return Repair{"take the two locks in the other order here",
                  {{{file, first, 1}, std::string(code.original(second)), true},
                   {{file, second, 1}, std::string(code.original(first)), true}}};
  }
  return std::nullopt;
}

} // namespace

std::optional<Repair> repair_locks(const Group& group, Codes& codes) {
  switch (group.front()->cause) {
  case Cause::one_side_locked: {
    const auto by_atomic = [](const Site& site) {
      return std::ranges::any_of(site.locks, [](const auto& lock) { return lock.kind == MutexKind::atomic; });
    };
    const std::vector<Site> sites = sites_of(group);
    return std::ranges::any_of(sites, by_atomic) ? repair_exclusion(group, codes) : same_lock(group, codes);
  }
  case Cause::different_locks:
    return one_name(group, codes);
  default:
    return other_order(group, codes);
  }
}

} // namespace fletcher::reports
