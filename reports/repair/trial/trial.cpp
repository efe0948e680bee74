// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a trial asks of a finding, and its sides as the record has them; exclusion and copies.
#include "reports/repair/trial/trial.hpp"

#include "reports/explanation/causes/cause_keys.hpp"
#include "reports/repair/data/accesses.hpp"
#include "reports/repair/source/calls/lock_call.hpp"
#include "reports/repair/source/statement_form.hpp"
#include "reports/repair/trial/versions.hpp"
#include "reports/source/statement_places.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace fletcher::reports {
namespace {

/// Where tasks[i] was when it created tasks[i - 1], by the call path where a note has it.
std::vector<SourcePlace> creation_path(const Diagnostic& finding, const SourcePlace& created) {
  for (const Note& note : finding.notes)
    if (note.kind == Note::Kind::creation && note.place == created) {
      std::vector<SourcePlace> out;
      for (const Frame& frame : note.stack) out.push_back(frame.place);
      return out;
    }
  return {created};
}

std::vector<SourcePlace> places_of(const std::vector<Frame>& stack, const SourcePlace& own) {
  std::vector<SourcePlace> out;
  for (const Frame& frame : stack) out.push_back(frame.place);
  if (out.empty()) out.push_back(own);
  return out;
}

bool is_copy_clause(const Clause& clause) {
  constexpr std::array<std::string_view, 7> names{"private",   "firstprivate",   "lastprivate", "linear",
                                                  "reduction", "task_reduction", "in_reduction"};
  return std::ranges::find(names, clause.name) != names.end();
}

/// The clause by which a construct around the place gives the variable a copy.
struct Copy {
  std::string clause;
  bool is_new = false;
};
std::optional<Copy> copy_at(const SourcePlace& place, const std::string& variable, const Change& change) {
  const Code& code = change.code();
  if (place.file != code.file()) return std::nullopt;
  std::vector<Construct> around;
  if (mentions(code.line(place.line), variable)) around = change.around(place.line);
  if (auto own = change.construct_at(place.line)) around.push_back(std::move(*own)); // what it does of its own
  for (const Construct& one : around)
    for (const Clause& clause : one.directive.clauses()) {
      if (!is_copy_clause(clause) || !mentions(clause.arguments, variable)) continue;
      const auto before = one.is_new ? DirectiveText::at(code, one.line) : std::nullopt;
      const bool is_new = one.is_new && (!before || std::ranges::none_of(before->clauses(), [&](const Clause& old) {
                            return old.name == clause.name && old.arguments == clause.arguments;
                          }));
      return Copy{clause.name, is_new};
    }
  return std::nullopt;
}

/// An atomic construct is around the access, and it is its operand that is accessed.
bool becomes_atomic(const Site& site, const std::string& variable, const Change& change) {
  const Code& code = change.code();
  if (site.in_call || site.place.file != code.file()) return false;
  const auto around = change.around(site.place.line);
  const auto atomic = std::ranges::find_if(around, [](const Construct& one) { return one.directive.is("atomic"); });
  if (atomic == around.end()) return false;
  const std::string text = code.text(atomic->body);
  if (!is_identifier(variable) || !mentions(text, variable)) return true; // it has another name here
  const auto step = step_at(code, site.place);
  if (!step) return true;
  if (atomic->directive.clause("read") != nullptr) return mentions(step->form.value, variable);
  return mentions(step->form.target, variable) && base_of(step->form.target) == variable;
}

std::vector<std::string> criticals_of(const TrialSide& side, const Change& change, Codes& codes) {
  std::vector<std::string> out;
  const auto add = [&](const std::vector<Construct>& around) {
    for (const Construct& one : around)
      if (one.directive.is("critical")) out.push_back("critical " + one.directive.argument());
  };
  for (const SourcePlace& place : side.at.front())
    if (place.file == change.code().file()) add(change.around(place.line));
  for (const Site::Lock& lock : side.site->locks) {
    if (!lock.acquired.known() || lock.kind != MutexKind::critical) continue;
    const auto line = line_of_construct(lock.acquired, codes.sources()).value_or(lock.acquired.line);
    const auto entered = lock.acquired.file == change.code().file()
                             ? change.directive_at(line)
                             : DirectiveText::at(codes.of(lock.acquired.file), line);
    if (entered && entered->is("critical")) out.push_back("critical " + entered->argument());
  }
  return out;
}

/// Without those that are members of another object than the one that is accessed.
std::vector<std::string> locks_of(const TrialSide& side, const Change& change) {
  std::vector<std::string> out;
  for (const SourcePlace& place : side.at.front()) {
    if (place.file != change.code().file()) continue;
    const std::string text = without_blanks(change.code().line(place.line));
    for (std::string& lock : change.locks_at(place.line)) {
      const std::string object = object_of_lock(lock);
      if (object.empty() || text.find(object + "->") != std::string::npos ||
          text.find(object + ".") != std::string::npos)
        out.push_back(std::move(lock));
    }
  }
  return out;
}

bool share_one(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::ranges::any_of(a, [&](const std::string& one) { return std::ranges::find(b, one) != b.end(); });
}

/// By their names, of which the run has shown that they are not of one lock where the text has both.
bool share_a_lock(const TrialSide& a, const TrialSide& b, const Change& change) {
  const Change before = Change::none(change.code());
  const auto known = locks_of(a, before);
  auto own = locks_of(a, change);
  if (share_one(known, locks_of(b, before)))
    std::erase_if(own, [&](const std::string& lock) { return share_one({lock}, known); });
  return share_one(own, locks_of(b, change));
}

/// The line of the loop whose iterations come by a place of the side in their order; 0 where none does.
std::uint32_t ordered_loop(const TrialSide& side, const Change& change) {
  for (const SourcePlace& place : side.at.front()) {
    if (place.file != change.code().file()) continue;
    bool in_order = false;
    for (const Construct& one : change.around(place.line)) {
      if (in_order && one.directive.clause("ordered") != nullptr) return one.line;
      in_order = in_order || one.directive.is("ordered");
    }
  }
  return 0;
}

/// The iterations do not run side by side any more, or in vectors that are short enough.
bool keeps_lanes_apart(const Diagnostic& race, const Change& change) {
  if (race.place.file != change.code().file()) return false;
  for (const Construct& one : change.around(race.place.line)) {
    if (!one.directive.is("simd")) continue;
    const Clause* const length = one.directive.clause("safelen");
    return length != nullptr && std::strtoull(length->arguments.c_str(), nullptr, 10) <= race.lane_distance;
  }
  return true;
}

/// The clause that matched nothing is another one now.
bool names_others(const Diagnostic& finding, const Change& change, Codes& codes) {
  return finding.rule == Rule::unmatched_dependence &&
         std::ranges::any_of(task_places(finding), [&](const SourcePlace& place) {
           const auto line =
               place.file == change.code().file() ? line_of_construct(place, codes.sources()) : std::nullopt;
           return line && change.is_changed(*line);
         });
}

} // namespace

TrialPair::TrialPair(const Diagnostic& of) : finding(of) {
  const Note* const other = note_of(finding, Note::Kind::other_access);
  for (const std::size_t k : {0U, 1U}) {
    TrialSide& side = sides[k];
    if (k < finding.sites.size()) side.site = &finding.sites[k];
    if (k == 0 || other != nullptr) side.stack = k == 0 ? &finding.stack : &other->stack;
    if (k < finding.participants.size()) side.tasks = finding.participants[k].tasks;
    const SourcePlace& own = side.site != nullptr         ? side.site->place
                             : k == 0 || other == nullptr ? finding.place
                                                          : other->place;
    side.at.push_back(places_of(side.stack != nullptr ? *side.stack : std::vector<Frame>(), own));
    for (const LineageTask& task : side.tasks) side.at.push_back(creation_path(finding, task.created));
  }
  for (std::size_t i = 0; i < sides[0].tasks.size() && !common; ++i)
    for (std::size_t j = 0; j < sides[1].tasks.size() && !common; ++j)
      if (sides[0].tasks[i].id == sides[1].tasks[j].id && sides[0].tasks[i].id != TaskId::none) common.emplace(i, j);
}

bool are_excluded(const TrialPair& pair, const Change& change, Codes& codes) {
  const auto &a = pair.sides[0], &b = pair.sides[1];
  if (a.site == nullptr || b.site == nullptr) return false;
  const auto atomic = [&](const TrialSide& side) {
    return is_atomic(*side.site) || becomes_atomic(*side.site, pair.finding.variable, change);
  };
  if (atomic(a) && atomic(b)) return true;
  const auto by_one = [&](const TrialSide& side) {
    return side.site->place.file == change.code().file() && change.is_guarded_at(side.site->place.line);
  };
  if (by_one(a) && by_one(b) && a.site->place.line == b.site->place.line) return true;
  if (pair.finding.between_teams) return false;
  if (share_one(criticals_of(a, change, codes), criticals_of(b, change, codes))) return true;
  if (share_a_lock(a, b, change)) return true;
  if (pair.finding.cause == Cause::simd_lanes && keeps_lanes_apart(pair.finding, change)) return true;
  const std::uint32_t loop = ordered_loop(a, change);
  return loop != 0 && loop == ordered_loop(b, change);
}

namespace {

/// Two threads have copies by a new threadprivate directive behind the declaration.
bool have_own_globals(const TrialPair& pair, const Change& change) {
  const SourcePlace& declared = pair.finding.declared;
  const std::string variable = pair.finding.variable.substr(pair.finding.variable.rfind(':') + 1);
  if (!declared.known() || declared.file != change.code().file()) return false;
  for (const TrialSide& side : pair.sides)
    if (side.site == nullptr || side.site->task != TaskKind::implicit) return false;
  return std::ranges::any_of(change.waits_between(declared.line, declared.line + 1), [&](const Wait& one) {
    return one.is_new && one.directive.is("threadprivate") && mentions(one.directive.argument(), variable);
  });
}

} // namespace

bool have_copies(const TrialPair& pair, const Change& change) {
  if (have_own_globals(pair, change)) return true;
  const std::string& variable = pair.finding.variable;
  if (!is_identifier(variable)) return false;
  const auto has_local = [&](const TrialSide& side) {
    return side.site != nullptr && side.site->place.file == change.code().file() &&
           change.has_local(variable, side.site->place.line);
  };
  if (has_local(pair.sides[0]) && has_local(pair.sides[1])) return true;
  std::optional<Copy> copies[2];
  for (const std::size_t k : {0U, 1U})
    for (const SourcePlace& place : pair.sides[k].at.front())
      if (!copies[k]) copies[k] = copy_at(place, variable, change);
  if (copies[0] && copies[1]) return copies[0]->is_new || copies[1]->is_new;
  for (const std::size_t k : {0U, 1U}) {
    if (!copies[k] || !copies[k]->is_new) continue;
    if (copies[k]->clause == "private") return true;
    // The creator copies the value when it creates the task, and goes on only then.
    if (copies[k]->clause == "firstprivate" && pair.common)
      return (k == 0 ? pair.common->second : pair.common->first) == 0;
  }
  return false;
}

namespace {

bool is_removed(const Diagnostic& finding, const Change& change, Codes& codes) {
  if (finding.rule == Rule::missing_taskwait) return is_awaited(finding, change, codes);
  const TrialPair pair(finding);
  return are_excluded(pair, change, codes) || have_copies(pair, change) || names_others(finding, change, codes) ||
         are_ordered(pair, change, codes);
}

bool is_about_order(Rule rule) {
  return rule == Rule::data_race || rule == Rule::missing_taskwait || rule == Rule::non_sibling_dependence ||
         rule == Rule::unmatched_dependence;
}

Trial::Happens judge_of(const Diagnostic& finding) {
  switch (finding.rule) {
  case Rule::lock_order_cycle:
    return locks_make_a_circle;
  case Rule::lock_misuse:
    return lock_is_misused;
  case Rule::dependence_cycle:
    return waits_for_ever;
  case Rule::barrier_mismatch:
    return team_parts;
  case Rule::mapping_bug:
    return mapping_fails;
  case Rule::data_race:
    return finding.cause == Cause::pending_operation ? operation_is_pending : accesses_meet;
  default:
    return nullptr;
  }
}

} // namespace

Verdict Trial::of_two_versions(Happens happens, const Diagnostic& finding) const {
  if (!source_) source_.emplace(edits_, codes_);
  // The run says that it happens: who finds that it does not misreads the source.
  if (!happens(finding, Version(*source_, false)).value_or(false)) return Verdict::unknown;
  const auto still = happens(finding, Version(*source_, true));
  if (!still) return Verdict::unknown;
  return *still ? Verdict::kept : Verdict::removed;
}

Verdict Trial::gone_through_again(const Diagnostic& finding) const {
  const Happens happens = judge_of(finding);
  return happens == nullptr ? Verdict::unknown : of_two_versions(happens, finding);
}

Verdict Trial::of(const Diagnostic& finding) const {
  if (!change_) return Verdict::unknown;
  if (!is_about_order(finding.rule)) return gone_through_again(finding);
  // The run says that the source as it is does not keep the two apart: who finds that it does misreads it.
  if (is_removed(finding, *change_, codes_))
    return is_removed(finding, Change::none(change_->code()), codes_) ? Verdict::unknown : Verdict::removed;
  if (finding.rule == Rule::data_race && of_two_versions(is_read_uninitialised, finding) == Verdict::removed)
    return Verdict::removed;
  if (finding.rule == Rule::data_race && change_->changes_statements()) {
    const Verdict moved = gone_through_again(finding);
    return moved == Verdict::removed ? moved : Verdict::unknown;
  }
  return change_->changes_statements() || is_unclear(finding, *change_, codes_) ? Verdict::unknown : Verdict::kept;
}

Verdict Trial::of(const std::vector<const Diagnostic*>& findings) const {
  Verdict out = Verdict::removed;
  for (const Diagnostic* one : findings) {
    const Verdict own = of(*one);
    if (own == Verdict::kept) return own;
    if (own == Verdict::unknown) out = own;
  }
  return out;
}

} // namespace fletcher::reports
