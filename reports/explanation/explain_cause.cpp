// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cause of a race and the change that removes it, in words.
#include "reports/explanation/explain.hpp"

#include "reports/document/enum_names.hpp"
#include "reports/document/words.hpp"
#include "reports/explanation/accessing_statement.hpp"
#include "reports/explanation/library_state.hpp"
#include "reports/source/directives.hpp"
#include "reports/source/statement_places.hpp"

#include <algorithm>
#include <cctype>

namespace fletcher::reports {
namespace {

/// The dependence type that a side declared for the memory of the access; empty where it declared none.
std::string declared_type(const Side& side) {
  for (const Dependence& dependence : side.access->declared)
    if (dependence.all_memory || dependence.address == side.access->address)
      return std::string(name_of(dependence.type));
  return {};
}

std::string wrong_type(const std::vector<Side>& sides) {
  for (const Side& side : sides)
    if (declared_type(side) == "in" && is_write(side.access->type))
      return "a task declares this memory 'in' but writes it, and 'in' does not order it after other readers";
  return "both tasks name this memory in depend clauses, but with types that do not order them";
}

bool between_tasks(const std::vector<Side>& sides) {
  return std::any_of(sides.begin(), sides.end(), [](const Side& side) {
    return !side.access->tasks.empty() && side.access->tasks.front().kind != TaskKind::implicit;
  });
}

bool with_foreign_thread(const std::vector<Side>& sides) {
  return std::any_of(sides.begin(), sides.end(), [](const Side& side) {
    return !side.access->tasks.empty() && side.access->tasks.front().kind == TaskKind::foreign;
  });
}

bool with_free(const std::vector<Side>& sides) {
  return std::any_of(sides.begin(), sides.end(),
                     [](const Side& side) { return side.access->type == AccessType::free; });
}

/// What a function does that is called, or a copy of a structure, no atomic construct can do.
bool may_be_atomic(const std::vector<Side>& sides) {
  constexpr std::uint64_t largest = 8;
  return std::all_of(sides.begin(), sides.end(), [](const Side& side) {
    const std::uint64_t size = side.access->size; // 0 where unknown
    return !is_in_call(side) && size <= largest && (size & (size - 1)) == 0;
  });
}

/// A race all the same: they hold it in two contention groups.
bool hold_one_lock(const Finding& finding) {
  const auto& a = finding.accesses.at(0).locks;
  const auto& b = finding.accesses.at(1).locks;
  return std::any_of(a.begin(), a.end(), [&](const HeldLock& held) {
    return std::any_of(b.begin(), b.end(), [&](const HeldLock& other) {
      return held.mutex.kind == other.mutex.kind && held.mutex.address == other.mutex.address;
    });
  });
}

/// All that either side holds is the exclusion of a dependence type.
bool exclude_by_dependences(const std::vector<Side>& sides) {
  return std::all_of(sides.begin(), sides.end(), [](const Side& side) {
    return std::all_of(side.access->locks.begin(), side.access->locks.end(),
                       [](const HeldLock& held) { return held.mutex.kind == MutexKind::mutexinoutset; });
  });
}

std::string subject(const Object& object) {
  if (object.words.starts_with('\'')) return object.words;
  return "this memory";
}

/// Between a thread of OpenMP's and one of the program's own.
CauseWords foreign_words() {
  return {"nothing orders the two threads or keeps them apart: no join, no lock, no atomic",
          "wait for the thread first (join), take the same lock around both accesses, or make both atomic"};
}

/// What keeps the teams of a league apart, as their members have no other means.
CauseWords teams_words(Cause cause, const Object& object) {
  if (cause == Cause::missing_private_or_reduction)
    return {subject(object) + " is shared by all teams of the league, and each of them writes it",
            "give each team its own copy (private), combine the copies if the result is needed (reduction), or make "
            "the update atomic"};
  return {
      "the accesses are in two teams of a league: barriers, locks and critical constructs order or exclude the threads "
      "of one team only",
      "make the accesses atomic, or give each team its own elements or its own copy (distribute, private, reduction)"};
}

} // namespace

const TaskDescription* team_of_league(const AccessDescription& access) {
  const auto found = std::find_if(access.tasks.begin(), access.tasks.end(),
                                  [](const TaskDescription& task) { return task.of_league; });
  return found == access.tasks.end() ? nullptr : &*found;
}

bool in_two_teams(const std::vector<Side>& sides) {
  if (sides.size() != 2) return false;
  const TaskDescription *a = team_of_league(*sides[0].access), *b = team_of_league(*sides[1].access);
  return a != nullptr && b != nullptr && a->id != b->id;
}

namespace {

/// One construct creates both tasks, and has no depend clause. Where the compiler unrolled the loop around it, the
/// checker has seen two places in the code.
bool of_one_construct(const std::vector<Side>& sides) {
  return sides[0].created.known() && sides[0].created == sides[1].created && sides[0].access->declared.empty() &&
         sides[1].access->declared.empty();
}

} // namespace

Cause cause_of(const Finding& finding, const std::vector<Side>& sides, const Object& object, Codes& codes) {
  if (finding.rule == Rule::data_race && sides.size() == 2 && finding.cause == Cause::missing_dependence &&
      of_one_construct(sides))
    return Cause::missing_mutual_exclusion;
  if (finding.rule == Rule::data_race && sides.size() == 2 &&
      (finding.cause == Cause::missing_dependence || finding.cause == Cause::missing_taskwait) &&
      update_one_member(sides, codes))
    return Cause::missing_mutual_exclusion;
  if (finding.rule != Rule::data_race || sides.size() != 2 || !object.whole) return finding.cause;
  const Frame *a = frame_of_interest(sides[0].stack), *b = frame_of_interest(sides[1].stack);
  // A task on one line with what its creator does next is a function of its own.
  if (a == nullptr || b == nullptr || !a->place.known() || a->place.file != b->place.file ||
      a->place.line != b->place.line || a->function.name != b->function.name ||
      a->function.outlined != b->function.outlined)
    return finding.cause;
  switch (finding.cause) {
  case Cause::missing_mutual_exclusion:
    return between_tasks(sides) || hold_one_lock(finding) ? finding.cause : Cause::missing_private_or_reduction;
  case Cause::missing_taskwait:
  case Cause::missing_dependence:
    return Cause::missing_mutual_exclusion;
  default:
    return finding.cause;
  }
}

CauseWords cause_words(Cause cause, const Finding& finding, const std::vector<Side>& sides, const Object& object,
                       const std::string& unawaited) {
  const bool share_lock = finding.accesses.size() == 2 && hold_one_lock(finding);
  if (in_two_teams(sides) && !share_lock &&
      (cause == Cause::missing_mutual_exclusion || cause == Cause::missing_private_or_reduction))
    return teams_words(cause, object);
  if (const auto state = library_state(object.name))
    return {"all calls use " + state->words + ", and nothing orders these two or keeps them apart", state->advice};
  switch (cause) {
  case Cause::missing_taskwait:
    return {"nothing waits for " + unawaited +
                ": it may run at any time after its creation, until a taskwait, the end of a taskgroup or a barrier",
            "wait for the task (taskwait, or a taskgroup around its creation) before the memory is used again"};
  case Cause::missing_dependence:
    return {
        "the tasks are siblings, but their depend clauses do not both name this memory, so they may run in any order",
        "name " + subject(object) + " in the depend clauses of both tasks: 'in' to read, 'out' or 'inout' to write"};
  case Cause::wrong_dependence_type:
    return {wrong_type(sides), "declare what the tasks do: 'inout' (or 'out') in the task that writes"};
  case Cause::non_sibling_dependence:
    return {
        "both tasks name this memory in depend clauses, but different tasks created them; depend clauses order only "
        "siblings",
        "create both from the same task, or let the inner task's parent wait for it (taskwait) and declare the "
        "dependence itself"};
  case Cause::missing_barrier:
    if (with_foreign_thread(sides)) return foreign_words();
    return {std::string(no_barrier_between),
            "put a barrier between them, or remove the nowait clause of the first construct"};
  case Cause::missing_mutual_exclusion: {
    if (share_lock)
      return {
          "both hold the same lock, but in two teams of a league: locks and critical constructs exclude the threads "
          "of one team only",
          "make the update atomic, or give each team its own copy (reduction)"};
    const bool tasks = between_tasks(sides);
    // Of one line the accesses are of two iterations or of the same code in two threads.
    const bool one_line =
        sides.size() == 2 && sides[0].place.file == sides[1].place.file && sides[0].place.line == sides[1].place.line;
    if (with_foreign_thread(sides)) return foreign_words();
    const std::string actors = tasks ? "tasks" : "threads";
    const std::string order =
        tasks && object.whole
            ? "give each task its own variable; if one has to run before the other, order them by depend clauses"
        : tasks    ? "order the tasks by depend clauses"
        : one_line ? "give each thread its own copy (reduction, private); a loop whose iterations need each other's "
                     "results cannot be divided among threads as it is"
                   : "give each thread its own copy (reduction, private); if one access has to come before the other, "
                     "put a barrier between them, outside of worksharing constructs";
    return {(one_line ? "several " + actors + " execute this" : "two " + actors + " may execute these lines") +
                " at the same time, and no critical construct, lock or atomic keeps them apart",
            (!may_be_atomic(sides) ? ""
             : one_line            ? "make the update atomic, "
                                   : "make both accesses atomic, ") +
                std::string("put both accesses into the same critical construct, or ") + order};
  }
  case Cause::different_locks:
    if (exclude_by_dependences(sides))
      return {"both tasks have a mutexinoutset dependence, but tasks exclude each other only if they are siblings and "
              "name the same item",
              "name " + subject(object) +
                  " in both depend clauses (mutexinoutset), and create both from the same task"};
    return {"each access is protected, but not by the same lock, so they do not exclude each other",
            "use the same lock (or the same critical name) for both accesses"};
  case Cause::one_side_locked:
    return {"one access holds a lock, the other does not: a lock excludes only code that takes it",
            "protect the other access by the same lock, or by a critical construct of the same name"};
  case Cause::missing_private_or_reduction:
    return {subject(object) + " is shared by all threads of the region, and each of them writes it",
            "give each thread its own copy (private), combine the copies if the result is needed (reduction), or make "
            "the update atomic"};
  case Cause::not_atomic: {
    const std::string only_atomic = "an atomic access excludes other atomic accesses only";
    if (with_free(sides))
      return {"the memory is freed while another " + std::string(between_tasks(sides) ? "task" : "thread") +
                  " may still use it; " + only_atomic,
              "free it where no other task can still use it: after a barrier or a wait for those that do, or after the "
              "region"};
    return {"only one of the two accesses is atomic; " + only_atomic,
            may_be_atomic(sides) ? "make the other access atomic too"
                                 : "put both accesses into the same critical construct, or order them"};
  }
  case Cause::task_outlives_frame:
    return {"the variable belongs to a function that can return before the task has ended",
            "wait for the task (taskwait) before the function returns, or give the task its own copy (firstprivate)"};
  case Cause::descendant_outlives_frame:
    return {
        "the variable belongs to a function that can return before the task has ended: a taskwait there waits for the "
        "tasks that the function creates, not for those that these create",
        "wait for the task where it is created (taskwait), or let the function end with a taskgroup around its tasks"};
  case Cause::simd_lanes: {
    const std::string n = std::to_string(finding.distance);
    return {"the construct lets iterations run at the same time in the lanes of a vector, which execute each statement "
            "together; the access that has to come first is " +
                (finding.distance == 1 ? std::string("one iteration") : n + " iterations") +
                " earlier, but further down in the loop body",
            object.whole            ? "make it a reduction, or remove simd"
            : finding.distance == 1 ? "remove simd: each iteration needs the previous one"
                                    : "add 'safelen(" + n + ")' to the simd construct, or remove simd"};
  }
  case Cause::pending_operation:
    return {"a nonblocking operation may access its buffer at any time from the call that begins it until a call that "
            "completes it has returned",
            "complete the operation (MPI_Wait, or MPI_Test until its flag is true) before the memory is used again"};
  case Cause::unknown:
    break;
  }
  if (finding.rule == Rule::data_race)
    return {"no synchronisation leads from one access to the other, and no common lock protects them", std::string()};
  std::string remedy(rule_text(finding.rule).remedy);
  remedy.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(remedy.front())));
  remedy.pop_back(); // the full stop
  return {std::string(), remedy};
}

FixWords fix_words(const std::string& fix, const std::string& advice, const SourcePlace& place, const Object& object,
                   SourceText& sources) {
  FixWords out;
  const bool standalone = fix == "taskwait" || fix == "barrier";
  const std::string what = subject(object);
  if (standalone && place.known()) {
    const std::string text = directive(place.file, fix);
    out.sentence = "add '" + text + "' before this line";
    if (begins_statement(place, sources)) {
      const std::string_view own = *sources.line(place.file, place.line);
      const bool anywhere = source_form(place.file) != SourceForm::fixed_fortran; // else in the first column
      const std::size_t indent = anywhere ? own.find_first_not_of(" \t") : 0;
      out.edit = Edit{place, std::string(own.substr(0, indent)) + text, false};
    }
  } else if (standalone) {
    out.sentence = "add a " + fix;
  } else if (fix == "taskgroup") {
    out.sentence = "wait for the descendants before this line: end a taskgroup here, or add a taskwait to every task "
                   "in between (taskwait waits for children only)";
  } else if (fix == "depend") {
    out.sentence = "add a depend clause that names " + what + " to the construct here: 'in' to read, 'inout' to write";
  } else if (fix == "depend in both") {
    out.sentence = "add depend clauses that name " + what +
                   " to the constructs of both tasks, of which one is here: 'in' to read, 'inout' to write; or name "
                   "another item that stands for it, the same one in both";
  } else if (fix == "depend(inout)") {
    out.sentence = "declare " + what + " as 'inout' in the depend clause of the task that writes it";
  } else if (fix.starts_with("depend(") && place.known()) {
    out.sentence = "add '" + fix + "' to the construct here";
  } else {
    out.sentence = advice.empty() ? fix : advice;
  }
  return out;
}

} // namespace fletcher::reports
