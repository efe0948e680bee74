// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/explanation/causes/shared_updates.hpp"

#include "reports/explanation/causes/cause_keys.hpp"
#include "reports/repair/repair.hpp"
#include "reports/repair/source/statement_form.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace fletcher::reports {

namespace {

using Line = std::pair<std::string, std::uint32_t>;
Line line_of(const SourcePlace& place) { return {place.file, place.line}; }

/// By its declaration. Of suppressed diagnostics others make groups of their own.
using Subject = std::tuple<bool, std::string, Line>;
Subject subject_of(const Diagnostic& one) { return {one.suppressed, one.variable, line_of(one.declared)}; }

bool is_of_tasks(const Diagnostic& one) {
  return one.rule == Rule::data_race && one.whole_variable && one.declared.known() && one.sites.size() == 2 &&
         one.participants.size() == 2 &&
         std::ranges::all_of(one.sites, [](const Site& site) { return site.task == TaskKind::explicit_; });
}

bool updates_itself(const Diagnostic& one, Codes& codes) {
  if (one.cause != Cause::missing_mutual_exclusion || line_of(one.sites[0].place) != line_of(one.sites[1].place))
    return false;
  const auto step = step_at(codes.of(one.place.file), one.sites[0].place);
  return step && step->form.kind == StatementForm::Kind::update && step->form.target == one.variable;
}

/// One of the two created the other, or who did.
bool are_related(const Diagnostic& one) {
  const auto is_among = [](const Participant& older, const Participant& younger) {
    return !older.tasks.empty() &&
           std::ranges::any_of(younger.tasks, [&](const auto& task) { return task.id == older.tasks.front().id; });
  };
  return is_among(one.participants[0], one.participants[1]) || is_among(one.participants[1], one.participants[0]);
}

void take_advice(Diagnostic& to, const Diagnostic& from) {
  to.cause = from.cause;
  to.edits = from.edits;
  const auto advice = [](const Note& note) { return note.kind == Note::Kind::cause || note.kind == Note::Kind::fix; };
  std::erase_if(to.notes, advice);
  const auto behind = to.notes.begin() + std::min<std::ptrdiff_t>(1, std::ssize(to.notes)); // the other access
  std::vector<Note> taken;
  std::ranges::copy_if(from.notes, std::back_inserter(taken), advice);
  to.notes.insert(behind, taken.begin(), taken.end());
}

/// Where the side is that holds no lock, of a race whose other side holds one.
std::optional<Line> unlocked_line(const Diagnostic& one) {
  if (one.rule != Rule::data_race || one.sites.size() != 2) return std::nullopt;
  const bool first = one.sites[0].locks.empty(), second = one.sites[1].locks.empty();
  return first == second ? std::nullopt : std::optional(line_of(one.sites[first ? 0 : 1].place));
}

/// An access without a lock races with several that hold one: no barrier would order it with all of them.
void take_for_locked(std::vector<Diagnostic>& diagnostics) {
  for (Diagnostic& one : diagnostics) {
    const auto line = one.cause == Cause::missing_barrier ? unlocked_line(one) : std::nullopt;
    if (!line) continue;
    const auto locked = std::ranges::find_if(diagnostics, [&](const Diagnostic& other) {
      return other.cause == Cause::one_side_locked && subject_of(other) == subject_of(one) &&
             unlocked_line(other) == line;
    });
    if (locked != diagnostics.end()) take_advice(one, *locked);
  }
}

} // namespace

void take_for_exclusion(std::vector<Diagnostic>& diagnostics, SourceText& sources) {
  take_for_locked(diagnostics);
  Codes codes(sources);
  std::map<Subject, std::vector<std::size_t>> updates;
  for (std::size_t i = 0; i < diagnostics.size(); ++i)
    if (is_of_tasks(diagnostics[i]) && updates_itself(diagnostics[i], codes))
      updates[subject_of(diagnostics[i])].push_back(i);
  if (updates.empty()) return;
  for (Diagnostic& one : diagnostics) {
    if (!is_of_tasks(one) || are_related(one)) continue;
    if (one.cause != Cause::missing_taskwait && one.cause != Cause::missing_dependence) continue;
    const auto known = updates.find(subject_of(one));
    if (known == updates.end()) continue;
    for (const std::size_t i : known->second) {
      const Diagnostic& update = diagnostics[i];
      const bool meets = std::ranges::any_of(
          one.sites, [&](const Site& site) { return line_of(site.place) == line_of(update.sites[0].place); });
      if (!meets) continue;
      take_advice(one, update);
      break;
    }
  }
}

} // namespace fletcher::reports
