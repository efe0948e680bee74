// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/construct_mismatch.hpp"

#include "checker/rules/describe.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace fletcher::rules {

using constructs::Meeting;
using constructs::Met;
using constructs::Task;

namespace {

std::optional<Met> met(SyncKind kind) {
  switch (kind) {
  case SyncKind::barrier_explicit:
    return Met::barrier;
  case SyncKind::barrier_workshare:
    return Met::implied_barrier;
  case SyncKind::barrier_parallel:
    return Met::region_end;
  case SyncKind::barrier_teams:
  case SyncKind::barrier_internal:
  case SyncKind::gathering:
  case SyncKind::taskwait:
  case SyncKind::taskgroup:
    break;
  }
  return std::nullopt;
}

std::optional<Met> met(WorkKind kind) {
  switch (kind) {
  case WorkKind::loop_static: // each member's own schedule(runtime) decides which
  case WorkKind::loop_dynamic:
  case WorkKind::loop_guided:
  case WorkKind::loop_other:
    return Met::loop;
  case WorkKind::sections:
    return Met::sections;
  case WorkKind::single_executor:
  case WorkKind::single_other:
    return Met::single;
  case WorkKind::workshare:
    return Met::workshare;
  case WorkKind::scope:
    return Met::scope;
  case WorkKind::distribute: // the league's
  case WorkKind::taskloop:   // anybody's
    break;
  }
  return std::nullopt;
}

const char* words(Met what) {
  switch (what) {
  case Met::loop:
    return "a worksharing loop";
  case Met::sections:
    return "a sections construct";
  case Met::single:
    return "a single construct";
  case Met::workshare:
    return "a workshare construct";
  case Met::scope:
    return "a scope construct";
  case Met::barrier:
    return "a barrier";
  case Met::implied_barrier:
    return "the barrier at the end of a worksharing construct";
  case Met::region_end:
    return "the end of the region";
  }
  return "a construct";
}

/// Barriers that a runtime of before LLVM 19 does not tell apart.
bool is_implied(Met what) { return what == Met::implied_barrier || what == Met::region_end; }

bool are_different(const Meeting& a, const Meeting& b) {
  if (a.what != b.what) return !(is_implied(a.what) && is_implied(b.what));
  return a.what != Met::region_end && a.pc != 0 && b.pc != 0;
}

} // namespace

void ConstructMismatch::barrier(access::ThreadState& thread, Task& member, const SyncBegin& e) {
  if (const std::optional<Met> what = met(e.kind)) meets(thread, member, *what, e.pc);
}

void ConstructMismatch::work(access::ThreadState& thread, Task& member, const Work& e) {
  if (!e.begin) return;
  if (const std::optional<Met> what = met(e.kind)) meets(thread, member, *what, e.pc);
}

void ConstructMismatch::meets(access::ThreadState& thread, Task& member, Met what, Address pc) {
  if (member.kind == TaskKind::explicit_ && what != Met::implied_barrier) report_nested(thread, member, what, pc);
  constructs::Team* const team = member.team();
  if (member.kind != TaskKind::implicit || team == nullptr || team->size < 2 || team->league) return;
  const std::uint64_t ordinal = member.rare().met++;
  const Meeting own{what, member.now().index, pc};
  const std::optional<Meeting> other = team->sequence.compare(ordinal, own);
  if (!other || !are_different(own, *other) || team->cancelled) return;
  // From here on their sequences have nothing to do with each other.
  if (!team->parted.exchange(true, std::memory_order_relaxed)) report(thread, member, own, *other);
}

void ConstructMismatch::report_nested(access::ThreadState& thread, Task& task, Met what, Address pc) {
  const ContextId place = execution_.place(thread, pc);
  reporter_.report({Rule::barrier_mismatch, execution_.calls().pc(place), 0}, [&] {
    Finding f;
    f.rule = Rule::barrier_mismatch;
    f.message = std::string("{task} encounters ") + words(what) +
                ", which is for the threads of a team, not for a task that one of them executes";
    f.steps.push_back({"", execution_.calls().stack(place), {}, lineage(execution_, record_of(thread, task))});
    return f;
  });
}

void ConstructMismatch::report(access::ThreadState& thread, Task& member, Meeting own, Meeting other) {
  const auto lineage_of = [&](const Meeting& meeting) {
    std::vector<TaskDescription> tasks = lineage(execution_, record_of(thread, member));
    if (meeting.member == member.now().index) return tasks;
    constructs::Team& team = *member.team();
    const memory::SpinGuard guard(team.lock);
    for (const Task* t : team.members)
      if (t->now().index == meeting.member)
        tasks.front().id = t->id, tasks.front().thread = t->thread(), tasks.front().thread_number = t->now().index;
    return tasks;
  };
  // The words do not depend on who came first; a place that is known leads.
  const auto rank = [](const Meeting& m) {
    return std::tuple(m.what == Met::region_end || m.pc == 0, m.pc, m.what, m.member);
  };
  if (rank(other) < rank(own)) std::swap(own, other);
  const auto stack = [&](const Meeting& m) {
    if (m.what == Met::region_end) return execution_.calls().stack(member.team()->creation);
    return m.pc == 0 ? Stack{} : Stack{m.pc};
  };
  const std::string first = words(own.what), second = words(other.what);
  reporter_.report({Rule::barrier_mismatch, own.pc, other.what == Met::region_end ? 0 : other.pc}, [&] {
    Finding f;
    f.rule = Rule::barrier_mismatch;
    f.if_lines_differ = own.what == other.what;
    f.message = "threads of a team encounter different constructs: {task 0} reaches " + first +
                " here, but {task 1} reaches " + (f.if_lines_differ ? "another one" : second);
    f.steps.push_back({"", stack(own), {}, lineage_of(own)});
    f.steps.push_back({"{task} reaches " + second + (other.what == Met::region_end ? " instead" : " here instead"),
                       stack(other),
                       {},
                       lineage_of(other)});
    return f;
  });
}

} // namespace fletcher::rules
