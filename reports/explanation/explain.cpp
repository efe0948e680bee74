// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From findings to diagnostics: which two lines, which object, which tasks, why nothing orders them, what to change.
// The object is described in explain_object.cpp, tasks and accesses in explain_tasks.cpp; a race's sentence is in
// explain_sentence.cpp, those for causes and changes are in explain_cause.cpp.
#include "reports/explanation/explain.hpp"

#include "reports/document/words.hpp"
#include "reports/explanation/accessing_statement.hpp"
#include "reports/explanation/explain_sentence.hpp"
#include "reports/explanation/explain_tasks.hpp"
#include "reports/explanation/fingerprint.hpp"
#include "reports/explanation/library_state.hpp"
#include "reports/explanation/no_finding.hpp"
#include "reports/explanation/task_stacks.hpp"
#include "reports/source/directives.hpp"
#include "reports/source/statement_places.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace fletcher::reports {
namespace {

class Explainer {
public:
  Explainer(const SymbolTable& symbols, SourceText& sources) : symbols_(symbols), sources_(sources), codes_(sources) {}

  Diagnostic explain(const Finding& finding) {
    Diagnostic out;
    out.rule = finding.rule;
    out.severity = finding.severity;
    out.predicted = finding.predicted;
    out.count = finding.count;
    std::vector<Side> sides;
    for (const auto& access : finding.accesses) sides.push_back(side(access));
    std::vector<AccessDescription> step_accesses;
    step_accesses.reserve(finding.steps.size());
    std::vector<Side> step_sides;
    for (const Step& step : finding.steps) {
      step_accesses.push_back({.stack = step.stack, .tasks = step.tasks, .locks = {}, .declared = {}});
      step_sides.push_back(side(step_accesses.back()));
    }
    if (finding.rule == Rule::data_race && sides.size() > 1) put_leading_side_first(sides);
    out.between_teams = in_two_teams(sides);
    tell_teams(sides);
    Object object = describe_object(finding, sides, symbols_, sources_);
    if (object.name.empty() && finding.rule == Rule::data_race && finding.object.kind == ObjectKind::stack)
      name_by_assignment(object, sides, codes_);
    if (finding.rule == Rule::data_race && finding.object.kind == ObjectKind::heap)
      name_by_allocation(object, sides, codes_);
    out.variable = object.name;
    out.cause = cause_of(finding, sides, object, codes_);
    if (sides.size() > 1 && (finding.rule == Rule::data_race || finding.message.empty()))
      out.message = race_sentence(finding, sides, object, sources_);
    else
      out.message = (finding.predicted ? "predicted " : "") + std::string(rule_text(finding.rule).title) + ": " +
                    (finding.message.empty() ? std::string(rule_text(finding.rule).summary)
                                             : with_names(finding.message, 0, finding, step_sides, object.words));
    set_primary(out, finding, sides);
    if (!sides.empty()) add_other_accesses(out, sides, object);
    add_steps(out, finding, step_sides, sides.empty());
    add_cause_and_fix(out, finding, sides, object);
    add_locks(out, finding, sides);
    add_creations(out, sides.empty() ? step_sides : sides);
    add_participants(out, sides, step_sides);
    out.declared = object.name.empty() || !object.stack.empty() ? SourcePlace() : object.place;
    out.whole_variable = object.whole;
    if (out.cause == Cause::simd_lanes) out.lane_distance = finding.distance;
    if (out.rule == Rule::data_race)
      for (const Side& one : sides) out.sites.push_back(site(one));
    add_object(out, object);
    out.message = one_line(out.message); // names may have any bytes
    for (Note& note : out.notes) note.message = one_line(note.message);
    out.fingerprint = fingerprint(out, sources_);
    return out;
  }

private:
  // ---- places and names -------------------------------------------------------------------------------------------

  Side side(const AccessDescription& access) const {
    Side out;
    out.access = &access;
    out.stack = shown_in_task(symbols_, access.stack, who_ran(access.stack, access.tasks));
    out.place = place_of(out.stack);
    if (!access.tasks.empty()) {
      out.creation = shown_in_task(symbols_, access.tasks.front().creation, Tasks(access.tasks).subspan(1));
      out.created = place_of(out.creation);
    }
    return out;
  }

  /// The writer leads; of two writers the one further down, so that the text does not depend on the schedule.
  static void put_leading_side_first(std::vector<Side>& sides) {
    const bool first_writes = is_write(sides[0].access->type), second_writes = is_write(sides[1].access->type);
    const auto rank = [](const Side& s) { return std::tie(s.place.file, s.place.line, s.place.column); };
    if (first_writes != second_writes ? second_writes : rank(sides[0]) < rank(sides[1])) std::swap(sides[0], sides[1]);
  }

  static void tell_teams(std::vector<Side>& sides) {
    if (!in_two_teams(sides)) return;
    for (Side& one : sides)
      if (!one.access->tasks.front().of_league) one.team = team_of_league(*one.access)->thread_number;
  }

  // ---- words ------------------------------------------------------------------------------------------------------

  std::string task_words(const Side& one, const SourcePlace& seen_from) const {
    return reports::task_words(one, seen_from, sources_);
  }

  /// Puts names where a message has placeholders (Step); `own` is the step that placeholders without a number mean.
  std::string with_names(std::string_view message, std::size_t own, const Finding& finding,
                         const std::vector<Side>& steps, const std::string& object = {}) const {
    return fill_placeholders(message, own, [&](std::string_view what, std::size_t step) -> std::string {
      if (what == "object") return object;
      if (step >= steps.size()) return "?";
      if (what == "lock")
        return finding.steps[step].mutex
                   ? lock_words(*finding.steps[step].mutex, steps[step].place, finding, symbols_, sources_)
                   : "a lock";
      return task_words(steps[step], steps.front().place);
    });
  }

  // ---- the parts of a diagnostic ----------------------------------------------------------------------------------

  void set_primary(Diagnostic& out, const Finding& finding, const std::vector<Side>& sides) const {
    if (!sides.empty()) {
      out.stack = sides.front().stack;
    } else {
      for (const Step& step : finding.steps)
        if (out.stack.empty() && !step.stack.empty()) out.stack = symbols_.shown(step.stack);
      if (out.stack.empty() && !finding.fix_place.empty()) out.stack = symbols_.shown(finding.fix_place);
      if (out.stack.empty() && !finding.object.origin.empty()) out.stack = symbols_.shown(finding.object.origin);
    }
    out.place = place_of(out.stack);
  }

  void add_other_accesses(Diagnostic& out, const std::vector<Side>& sides, const Object& object) const {
    for (std::size_t i = 1; i < sides.size(); ++i) {
      const Side& other = sides[i];
      // A rule about declarations gives the tasks' constructs as the places of its accesses.
      const std::string words =
          out.rule != Rule::data_race
              ? "the other task is created here"
              : "the other access: " + access_words(*other.access) +
                    (other.access->function.empty() ? " of " : " in ") +
                    (object.name.empty() ? "the same memory" : accessed_words(object, *other.access)) + " in " +
                    task_words(other, other.place);
      out.notes.push_back({Note::Kind::other_access, words, other.stack, other.place});
    }
  }

  void add_steps(Diagnostic& out, const Finding& finding, const std::vector<Side>& steps, bool first_is_primary) const {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::string& message = finding.steps[i].message;
      if (message.empty() && first_is_primary && i == 0) continue;
      out.notes.push_back({Note::Kind::step, with_names(message, i, finding, steps), steps[i].stack, steps[i].place});
    }
  }

  static bool is_construct(const Stack& place, const Finding& finding) {
    return std::none_of(finding.accesses.begin(), finding.accesses.end(),
                        [&](const AccessDescription& access) { return access.stack == place; });
  }

  /// Corrects the line of a construct. Whether it certainly is the construct's then.
  bool find_construct(std::vector<Frame>& stack) const {
    if (stack.empty()) return false;
    SourcePlace& place = stack.front().place;
    const auto line = line_of_construct(place, sources_);
    if (!line) return false;
    if (*line != place.line) place.column = 0;
    place.line = *line;
    return true;
  }

  void add_cause_and_fix(Diagnostic& out, const Finding& finding, const std::vector<Side>& sides,
                         const Object& object) {
    std::string fix_word = finding.fix, unawaited = "the task";
    auto fix_stack = finding.fix_place.empty() ? std::vector<Frame>() : symbols_.shown(finding.fix_place);
    if (out.cause != finding.cause || library_state(object.name)) {
      fix_word.clear();
      fix_stack.clear();
    }
    if (out.cause == Cause::missing_taskwait)
      if (auto wait = missing_wait(sides, symbols_)) {
        unawaited = task_words(*wait->descendant, out.place);
        if (!wait->place.empty()) {
          fix_stack = std::move(wait->place);
          fix_word = wait->taskwait_is_enough ? "taskwait" : "taskgroup";
        }
      }
    CauseWords cause = cause_words(out.cause, finding, sides, object, unawaited);
    if (out.cause == Cause::missing_mutual_exclusion && !object.whole && uses_other_iterations(sides, codes_))
      cause = {"an iteration uses what another one sets, and the threads execute the iterations at the same time",
               "the loop cannot be divided among threads as it is: read from a second array, use an algorithm for this "
               "(for running sums, a scan), or remove the construct"};
    if (cause.why == no_barrier_between && !leaves_out_a_barrier(sides, codes_))
      cause.advice = "put a barrier between them";
    const std::string accident = finding.rule == Rule::data_race && finding.predicted
                                     ? "; this run happened to take locks in an order that kept the two apart, but "
                                       "nothing in the program guarantees that order"
                                     : "";
    if (!cause.why.empty()) out.notes.push_back({Note::Kind::cause, "why: " + cause.why + accident, {}, out.place});
    // What creates a task on a line of its own may be all that the line says.
    bool is_certain = std::none_of(sides.begin(), sides.end(), [at = place_of(fix_stack)](const Side& one) {
      return one.created.file == at.file && one.created.line == at.line;
    });
    const auto is_no_member = [](const Side& one) {
      return !one.access->tasks.empty() && one.access->tasks.front().kind == TaskKind::foreign;
    };
    if (std::any_of(sides.begin(), sides.end(), is_no_member)) is_certain = false; // no construct binds it
    if (fix_word == "barrier")
      is_certain &= is_construct(finding.fix_place, finding) ? find_construct(fix_stack)
                                                             : is_directly_in_region(place_of(fix_stack), sources_);
    const SourcePlace fix_place = place_of(fix_stack);
    const SourcePlace& place = fix_place.known() ? fix_place : out.place;
    const bool says_where = fix_word != "barrier" || is_certain;
    if (fix_word.empty() || !says_where) {
      if (!cause.advice.empty()) out.notes.push_back({Note::Kind::fix, "fix: " + cause.advice, {}, place});
      return;
    }
    const FixWords fix = fix_words(fix_word, finding.rule == Rule::data_race ? cause.advice : std::string(), fix_place,
                                   object, sources_);
    if (fix.edit && is_certain) out.edits.push_back(*fix.edit);
    out.notes.push_back({Note::Kind::fix, "fix: " + fix.sentence, std::move(fix_stack), place});
  }

  /// A lock that both accesses hold, taken at the same place, is one note.
  void add_locks(Diagnostic& out, const Finding& finding, const std::vector<Side>& sides) const {
    for (std::size_t i = 0; i < sides.size(); ++i)
      for (const HeldLock& lock : sides[i].access->locks) {
        const auto also_held = [&](const Side& other) {
          return std::any_of(other.access->locks.begin(), other.access->locks.end(), [&](const HeldLock& one) {
            return one.mutex.kind == lock.mutex.kind && one.mutex.address == lock.mutex.address &&
                   one.acquired_at == lock.acquired_at;
          });
        };
        const bool both = sides.size() == 2 && also_held(sides[1 - i]);
        if (both && i > 0) continue;
        auto stack = lock.acquired_at.empty() ? std::vector<Frame>() : symbols_.shown(lock.acquired_at);
        const bool known = !stack.empty();
        SourcePlace place = known ? place_of(stack) : sides[i].place;
        const bool construct = lock.mutex.kind == MutexKind::critical || lock.mutex.kind == MutexKind::ordered;
        const std::string who = both ? "both accesses" : "the " + std::string(words(sides[i].access->type));
        const std::string has = construct ? (both ? " are in the " : " is in the ")
                                : both    ? " hold the "
                                          : " holds the ";
        const std::string here = construct ? ", entered here" : ", acquired here";
        out.notes.push_back(
            {Note::Kind::lock,
             who + has + lock_words(lock.mutex, place, finding, symbols_, sources_) + (known ? here : ""),
             std::move(stack), std::move(place)});
      }
  }

  /// The creation of both tasks, and of those ancestors that they do not share.
  void add_creations(Diagnostic& out, const std::vector<Side>& sides) const {
    std::vector<SourcePlace> told;
    if (out.rule == Rule::non_sibling_dependence || out.rule == Rule::missing_taskwait)
      for (const Side& one : sides) told.push_back(one.place);
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const auto& tasks = sides[i].access->tasks;
      for (std::size_t depth = 0; depth < tasks.size(); ++depth) {
        const TaskDescription& task = tasks[depth];
        const bool shared = std::any_of(sides.begin(), sides.end(), [&](const Side& other) {
          return &other != &sides[i] &&
                 std::any_of(other.access->tasks.begin(), other.access->tasks.end(),
                             [&](const TaskDescription& t) { return t.id == task.id && t.id != TaskId::none; });
        });
        if (shared && depth > 0) break;
        if (task.kind == TaskKind::operation) break; // its access is the call that began it
        auto stack = shown_in_task(symbols_, task.creation, Tasks(tasks).subspan(depth + 1));
        SourcePlace place = place_of(stack);
        if (stack.empty() || std::find(told.begin(), told.end(), place) != told.end()) continue;
        told.push_back(place);
        const bool both = depth == 0 && sides.size() > 1 && sides[0].created == sides[1].created;
        out.notes.push_back(
            {Note::Kind::creation,
             creation_words(task, sides[i], depth, both, out.rule) + (depth == 0 ? length_words(tasks) : ""),
             std::move(stack), std::move(place)});
      }
    }
  }

  void add_participants(Diagnostic& out, const std::vector<Side>& sides, const std::vector<Side>& steps) const {
    const auto add = [&](std::string act, const Side& one) {
      out.participants.push_back(participant(std::move(act), one.place, one.access->tasks, symbols_));
    };
    for (const Side& one : sides)
      add(out.rule == Rule::data_race ? access_words(*one.access) : "the task is created", one);
    for (std::size_t i = 0; sides.empty() && i < steps.size(); ++i) add("step " + std::to_string(i + 1), steps[i]);
  }

  Site site(const Side& one) const {
    Site out{one.place, one.access->type, one.created, TaskKind::initial, {}, is_in_call(one)};
    if (!one.access->tasks.empty()) out.task = one.access->tasks.front().kind;
    for (const HeldLock& lock : one.access->locks)
      out.locks.push_back(
          {lock.mutex.kind, lock.acquired_at.empty() ? SourcePlace() : place_of(symbols_.shown(lock.acquired_at))});
    return out;
  }

  static void add_object(Diagnostic& out, const Object& object) {
    if (!object.note.empty() && (object.place.known() || !object.stack.empty()))
      out.notes.push_back({Note::Kind::object, object.note, object.stack, object.place});
  }

  const SymbolTable& symbols_;
  SourceText& sources_;
  Codes codes_;
};

} // namespace

std::vector<std::optional<Diagnostic>> diagnose_each(const Document& document, const SymbolTable& symbols,
                                                     SourceText& sources) {
  Explainer explainer(symbols, sources);
  std::vector<std::optional<Diagnostic>> out;
  for (const Finding& finding : document.findings) {
    out.push_back(is_none(finding, symbols) ? std::nullopt : std::optional(explainer.explain(finding)));
  }
  return out;
}

std::vector<Diagnostic> diagnose(const Document& document, const SymbolTable& symbols, SourceText& sources) {
  std::vector<Diagnostic> out;
  for (auto& diagnostic : diagnose_each(document, symbols, sources))
    if (diagnostic) out.push_back(std::move(*diagnostic));
  return out;
}

} // namespace fletcher::reports
