// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/explanation/causes/cause_keys.hpp"

#include <algorithm>

namespace fletcher::reports {

const Note* note_of(const Diagnostic& diagnostic, Note::Kind kind) {
  const auto note =
      std::find_if(diagnostic.notes.begin(), diagnostic.notes.end(), [&](const Note& n) { return n.kind == kind; });
  return note == diagnostic.notes.end() ? nullptr : &*note;
}

std::vector<SourcePlace> task_places(const Diagnostic& diagnostic) {
  std::vector<SourcePlace> out;
  if (diagnostic.rule == Rule::data_race) {
    for (const Participant& one : diagnostic.participants)
      if (!one.tasks.empty()) out.push_back(one.tasks.front().created);
  } else {
    out.push_back(diagnostic.place);
    if (const Note* const other = note_of(diagnostic, Note::Kind::other_access)) out.push_back(other->place);
  }
  std::sort(out.begin(), out.end(), [](const SourcePlace& a, const SourcePlace& b) {
    return std::tie(a.file, a.line) < std::tie(b.file, b.line);
  });
  const bool unknown = std::any_of(out.begin(), out.end(), [](const SourcePlace& place) { return !place.known(); });
  return unknown ? std::vector<SourcePlace>() : out;
}

namespace {

/// Accesses that nothing excludes from each other: what helps is a property of the variable, not of a place.
bool is_about_exclusion(Cause cause) {
  switch (cause) {
  case Cause::missing_mutual_exclusion:
  case Cause::missing_private_or_reduction:
  case Cause::different_locks:
  case Cause::one_side_locked:
  case Cause::not_atomic:
    return true;
  default:
    return false;
  }
}

/// All the places of steps, each once.
std::vector<SourcePlace> step_places(const Diagnostic& diagnostic) {
  std::vector<SourcePlace> out{diagnostic.place};
  for (const Note& note : diagnostic.notes)
    if (note.kind == Note::Kind::step) out.push_back(note.place);
  const auto order = [](const SourcePlace& place) { return std::tie(place.file, place.line); };
  std::sort(out.begin(), out.end(), [&](const auto& a, const auto& b) { return order(a) < order(b); });
  out.erase(std::unique(out.begin(), out.end(), [&](const auto& a, const auto& b) { return order(a) == order(b); }),
            out.end());
  return out;
}

/// Where tasks were created that may use a variable of a frame which is gone: the other access is not their creator's,
/// whose frame it would be.
std::vector<SourcePlace> late_users(const Diagnostic& race) {
  const Note* const other = note_of(race, Note::Kind::other_access);
  if (race.participants.size() != 2 || other == nullptr) return {};
  std::vector<SourcePlace> out;
  for (const std::size_t k : {0U, 1U}) {
    const auto &own = race.participants[k].tasks, &others = race.participants[1 - k].tasks;
    const std::vector<Frame>& stack = k == 0 ? race.stack : other->stack;
    const bool in_construct = !stack.empty() && stack.front().function.outlined != Outlined::no;
    if (in_construct && own.size() > 1 && !others.empty() && own[1].id != others[0].id && own[0].created.known())
      out.push_back(own[0].created);
  }
  return out;
}

/// Of a wait for a lock whose owner has ended: the matter of who left it set.
std::optional<CauseKey> lock_left_set(const Diagnostic& cycle) {
  bool has_ended = false;
  for (const Note& note : cycle.notes) {
    if (note.kind != Note::Kind::step) continue;
    if (has_ended && note.place.known()) return CauseKey{{"held", cycle.variable}, {note.place}};
    has_ended = note.message.find("that has ended without unsetting it") != std::string::npos;
  }
  return std::nullopt;
}

/// Of an operation that is pending: an access that comes before the call which completes it. That call, moved, may
/// complete further operations that the access needs.
std::optional<CauseKey> completed_too_late(const Diagnostic& race) {
  const Note *const other = note_of(race, Note::Kind::other_access), *const completed = note_of(race, Note::Kind::step);
  if (race.cause != Cause::pending_operation || other == nullptr || completed == nullptr || !other->place.known() ||
      !completed->place.known())
    return std::nullopt;
  const auto line = [](const SourcePlace& place) { return SourcePlace{place.file, place.line, 0}; };
  return CauseKey{{"completed too late"}, {line(other->place), line(completed->place)}};
}

Causes causes_of_race(const Diagnostic& diagnostic) {
  const Note* const fix = note_of(diagnostic, Note::Kind::fix);
  const Note* const object = note_of(diagnostic, Note::Kind::object);
  const bool object_known = !diagnostic.variable.empty() || (object != nullptr && object->place.known());
  const bool of_variable = is_about_exclusion(diagnostic.cause) || diagnostic.cause == Cause::missing_dependence;
  const bool has_place = fix != nullptr && !fix->stack.empty() && fix->place.known();
  CauseKey variable{{"variable", diagnostic.variable}, {}};
  if (object != nullptr) variable.places.push_back(object->place);
  const std::vector<SourcePlace> tasks = task_places(diagnostic);
  Causes causes;
  std::vector<CauseKey>& out = causes.keys;
  if (of_variable && object_known) {
    // One variable can be the matter of two bugs in two regions, or between two pairs of tasks.
    variable.words.emplace_back(diagnostic.cause == Cause::missing_dependence ? "dependence" : "exclusion");
    causes.name = variable;
    if (tasks.empty()) out.push_back(variable);
    for (const SourcePlace& task : tasks) {
      out.push_back(variable);
      out.back().places.push_back(task);
    }
  } else if (diagnostic.cause == Cause::non_sibling_dependence && !tasks.empty()) {
    out.push_back({{"not siblings"}, tasks});
  } else if (has_place) {
    out.push_back({{"change", fix->message}, {fix->place}});
  } else if (diagnostic.cause != Cause::simd_lanes && object_known) {
    variable.words.push_back("order " + std::to_string(static_cast<int>(diagnostic.cause)));
    variable.places.insert(variable.places.end(), tasks.begin(), tasks.end());
    out.push_back(variable);
  }
  if (const auto late = completed_too_late(diagnostic)) out.push_back(*late);
  if (diagnostic.cause == Cause::one_side_locked && fix != nullptr && fix->place.known())
    out.push_back({{"change", fix->message}, {fix->place}}); // the same access lacks the lock
  if (diagnostic.cause == Cause::missing_dependence && !tasks.empty()) {
    causes.consequence_of.push_back({{"no match"}, tasks});
    for (const SourcePlace& task : tasks) causes.consequence_of.push_back({{"no match", diagnostic.variable}, {task}});
  }
  const auto by_dependence = [](const Site& site) {
    return std::ranges::all_of(site.locks, [](const auto& one) { return one.kind == MutexKind::mutexinoutset; });
  };
  if (diagnostic.cause == Cause::different_locks && !tasks.empty() &&
      std::ranges::all_of(diagnostic.sites, by_dependence))
    causes.consequence_of.push_back({{"not siblings"}, tasks});
  // A task that outlives the frame of a variable races with whatever has the frame's place on the stack then.
  // Where neither frame is there any more, the report has no place of the variable.
  if ((object == nullptr || object->place.known()) && !diagnostic.variable.empty())
    for (const SourcePlace& task : late_users(diagnostic)) {
      causes.late_use_of.push_back({{"late", diagnostic.variable}, {}});
      if (object != nullptr) causes.late_use_of.back().places.push_back(object->place);
      causes.late_use_of.back().places.push_back(task);
    }
  return causes;
}

} // namespace

Causes causes_of(const Diagnostic& diagnostic) {
  switch (diagnostic.rule) {
  case Rule::data_race:
    return causes_of_race(diagnostic);
  case Rule::missing_taskwait: {
    if (!diagnostic.place.known()) return {};
    std::vector<CauseKey> out{{{"outlives"}, {diagnostic.place}}};
    const Note* const object = note_of(diagnostic, Note::Kind::object);
    if (object != nullptr && object->place.known()) {
      out.push_back({{"frame", diagnostic.variable}, {object->place}});
      out.push_back({{"late", diagnostic.variable}, {object->place, diagnostic.place}});
      out.push_back({{"late", diagnostic.variable}, {diagnostic.place}});
    }
    return {.keys = out};
  }
  case Rule::non_sibling_dependence:
    if (const auto tasks = task_places(diagnostic); !tasks.empty()) return {.keys = {{{"not siblings"}, tasks}}};
    return {};
  case Rule::unmatched_dependence:
    if (const auto tasks = task_places(diagnostic); tasks.size() == 2) return {.keys = {{{"no match"}, tasks}}};
    // A clause that no clause of any sibling matches.
    if (diagnostic.place.known() && !diagnostic.variable.empty())
      return {.keys = {{{"no match", diagnostic.variable}, {diagnostic.place}}}};
    return {};
  case Rule::dependence_cycle:
    if (auto set = lock_left_set(diagnostic))
      return {.keys = {{{"cycle"}, step_places(diagnostic)}}, .consequence_of = {std::move(*set)}};
    [[fallthrough]];
  case Rule::lock_order_cycle:
    if (const auto places = step_places(diagnostic); places.front().known()) return {.keys = {{{"cycle"}, places}}};
    return {};
  case Rule::barrier_mismatch: // once members have met different constructs, all that follows is out of step
    if (const Note* const region = note_of(diagnostic, Note::Kind::creation);
        region != nullptr && region->place.known())
      return {.keys = {{{"team"}, {region->place}}}};
    return {};
  case Rule::lock_misuse: // set and never unset; another task that unsets it then is not its owner
    if (const Note* const set = note_of(diagnostic, Note::Kind::step))
      return {.keys = {{{"misused", diagnostic.variable}, {diagnostic.place}}},
              .consequence_of = {{{"held", diagnostic.variable}, {set->place}}}};
    return {.keys = {{{"held", diagnostic.variable}, {diagnostic.place}}}};
  default:
    return {};
  }
}

} // namespace fletcher::reports
