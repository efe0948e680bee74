// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Teams of one inside of other teams. The limit on levels makes them so, by default wherever regions are nested: most
// of them execute a loop, and nothing else. Their member comes after what the encountering task did, and before what
// that does next, and nobody else is in the team. So it goes on as a part of that task, in the strand that is open
// there: what it reads again costs what it would without the region. It is set apart as a task of its own when it does
// what depends on which task does it: it creates tasks, begins a taskgroup, takes a lock or comes to an ordered
// iteration.
#include "checker/constructs/execution.hpp"

namespace fletcher::constructs {

bool Execution::may_be_lone(const Team& team, const ImplicitTaskBegin& e) noexcept {
  const Task& encountering = *team.encountering;
  return e.size == 1 && !e.open && !team.league && encountering.team() != nullptr && !encountering.team()->league &&
         !encountering.untied;
}

bool Execution::is_lone(const access::ThreadState& thread) const noexcept {
  const std::vector<LoneMember>& lone = static_cast<const ThreadData&>(thread).lone;
  return !lone.empty() && lone.back().team->encountering == thread.task;
}

void Execution::set_apart(ThreadId id) {
  access::ThreadState& t = thread(id);
  if (!is_lone(t)) [[likely]]
    return;
  std::vector<LoneMember> lone;
  while (is_lone(t)) {
    lone.push_back(data(t).lone.back());
    data(t).lone.pop_back();
  }
  for (; !lone.empty(); lone.pop_back()) { // the outermost first
    const LoneMember& member = lone.back();
    Team& team = *member.team;
    Task& encountering = *t.task;
    if (team.encountering != &encountering) { // a member that was itself a part until now
      drop(t, team.encountering);
      retain(encountering);
      team.encountering = &encountering;
    }
    team.unit = unit_to_create_in(encountering);
    team.fork = released(encountering);
    team.result = team.fork;
    close_strand(t);
    begin_member(t, team, {.thread = id, .team = team.id, .task = member.id, .index = 0, .size = 1, .open = false},
                 member.base);
  }
}

/// False where the member is none, or has been set apart.
bool Execution::end_lone(access::ThreadState& thread, TaskId member) noexcept {
  if (!is_lone(thread) || data(thread).lone.back().id != member) return false;
  thread.stack.unwind_to(data(thread).lone.back().base);
  data(thread).lone.pop_back();
  return true;
}

} // namespace fletcher::constructs
