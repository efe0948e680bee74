// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions for which the runtime makes all threads wait until it has gathered their copies, and lets one add the sum
// to the original. OpenMP promises no barrier there (with nowait, not even after it), so only who combines comes after
// the others. And each of them could have been the one: the combination is a unit of work (work.cpp), of which not even
// the thread's number can tell anything, for the original is one for all. With nowait nobody comes after it, not even
// whichever thread combined: another one could have, or each its own copy, as smaller teams do. Nor does it come after
// the others any longer then, except for what their copies owned (RaceCheck::handed_over).
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

bool combined_before(const Task& member, ChainId chain, StrandId past) noexcept {
  const Rare* const rare = member.now().rare_.get();
  if (rare == nullptr) return false;
  if (number(rare->combined.get(chain)) >= number(past)) return true;
  if (!rare->has_gathered) return false;
  Team& team = *member.team();
  const memory::SpinGuard guard(team.lock);
  if (number(team.copies.get(chain)) >= number(past)) return true;
  if (rare->combines && chain == member.chain()) return false; // only this run makes it come before
  return std::ranges::any_of(team.copied,
                             [&](const auto& c) { return c.first == chain && number(c.second) >= number(past); });
}

// Until the combination ends.
void Execution::learn_copies(Task& member) { member.rare().combines = true; }

void Execution::leave_gathering(access::ThreadState& thread, Task& member) {
  Team& team = *member.team();
  {
    const memory::SpinGuard guard(team.lock);
    if (team.barriers == member.rare().barriers) ++team.barriers;
    ++member.rare().barriers;
  }
  member.now().waiting = false;
  member.rare().has_gathered = true;
  run(thread, &member);
}

namespace {

// As in a unit of work before which only the combination was.
void go_on_after_combination(access::ThreadState& thread, Task& member) {
  Activation& now = member.now();
  Rare& rare = member.rare();
  if (member.team()->size < 2 || !member.has_strands() || now.last == rare.before_combination) return;
  now.known.raise(now.chain, rare.before_combination);
  rare.unit_since = StrandId{number(now.last) + 1};
  rare.has_combined = true;
  thread.units_since = StrandId::none;
  thread.forget_order();
}

} // namespace

void Execution::combine(const Combination& e) {
  access::ThreadState& t = thread(e.thread);
  Task* const member = active_task(e.thread, e.task);
  if (member == nullptr || member != t.task || member->team() == nullptr) return;
  Activation& now = member->now();
  const access::Exclusion others{access::Exclusion::Kind::combination, {}, member->parent()->id};
  if (e.begin) {
    now.lockset = locksets_.add(now.lockset, others, ContextId::none);
    member->rare().before_combination = member->has_strands() ? now.last : StrandId::none;
    begin_unit(t, *member, UnitKind::combination);
    learn_copies(*member);
  } else {
    now.lockset = locksets_.remove(now.lockset, others);
    close_block(t, *member);
    end_unit(*member);
    t.forget_order();
    go_on_after_combination(t, *member);
  }
}

} // namespace fletcher::constructs
