// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions for which the runtime makes all threads wait until it has gathered their copies, and lets one add the sum
// to the original. OpenMP promises no barrier there (with nowait, not even after it), so only who combines comes after
// the others. And each of them could have been the one: the combination is a unit of work (work.cpp), of which not even
// the thread's number can tell anything, for the original is one for all.
#include "checker/constructs/execution.hpp"

#include <algorithm>

namespace fletcher::constructs {

void Execution::give_copies(Task& member) {
  Team& team = *member.team();
  const Activation& now = member.now();
  const memory::SpinGuard guard(team.lock);
  team.copies.join(now.known);
  if (!member.has_strands()) return;
  const auto at =
      std::find_if(team.copied.begin(), team.copied.end(), [&](const auto& c) { return c.first == now.chain; });
  if (at != team.copied.end())
    at->second = now.last;
  else
    team.copied.emplace_back(now.chain, now.last);
}

// But for the member's own chain, which only this run makes come before.
void Execution::learn_copies(Task& member) {
  Team& team = *member.team();
  const memory::SpinGuard guard(team.lock);
  learn(member, team.copies);
  for (const auto& [chain, last] : team.copied) {
    if (chain == member.chain()) continue;
    member.now().known.raise(chain, last);
    member.learn();
  }
}

void Execution::leave_gathering(access::ThreadState& thread, Task& member) {
  Team& team = *member.team();
  {
    const memory::SpinGuard guard(team.lock);
    if (team.barriers == member.rare().barriers) ++team.barriers;
    ++member.rare().barriers;
  }
  member.now().waiting = false;
  run(thread, &member);
}

void Execution::combine(const Combination& e) {
  access::ThreadState& t = thread(e.thread);
  Task* const member = active_task(e.thread, e.task);
  if (member == nullptr || member != t.task || member->team() == nullptr) return;
  Activation& now = member->now();
  const access::Exclusion others{access::Exclusion::Kind::combination, {}, member->parent()->id};
  if (e.begin) {
    learn_copies(*member);
    now.lockset = locksets_.add(now.lockset, others, ContextId::none);
    begin_unit(t, *member, UnitKind::combination);
  } else {
    now.lockset = locksets_.remove(now.lockset, others);
    close_block(t, *member);
    end_unit(*member);
  }
}

} // namespace fletcher::constructs
