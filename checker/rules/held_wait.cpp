// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/held_wait.hpp"

#include "checker/rules/describe.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace fletcher::rules {

namespace {

constexpr std::uint32_t always_looked_at = 16; ///< times that a pair of places is looked at before it becomes rare
constexpr std::size_t most_pairs = 4096;

bool may_be_waited_for(const Mutex& mutex) {
  return mutex.kind == MutexKind::lock || mutex.kind == MutexKind::nest_lock || mutex.kind == MutexKind::critical ||
         mutex.kind == MutexKind::posix;
}

std::string place_of_wait(SyncKind kind) {
  switch (kind) {
  case SyncKind::taskwait:
    return "in taskwait";
  case SyncKind::taskgroup:
    return "at the end of a taskgroup";
  default:
    return "at a barrier";
  }
}

} // namespace

// A pair of places is looked at a few times, then ever more rarely: a program may wait like this in a loop, and be
// right.
bool HeldWait::worth_a_look(Address wait, Address acquisition) {
  const memory::SpinGuard guard(lock_);
  if (looks_.size() == most_pairs) looks_.clear();
  const std::uint32_t looks = ++looks_[{wait, acquisition}];
  return looks <= always_looked_at || std::has_single_bit(looks);
}

void HeldWait::look(access::ThreadState& thread, constructs::Task& waiter, SyncKind kind, Address pc) {
  std::vector<Suspect> suspects;
  const access::CallTree& calls = execution_.calls();
  for (const constructs::HeldMutex& held : waiter.held) {
    if (!may_be_waited_for(held.mutex)) continue;
    const std::vector<constructs::Taker> takers = execution_.takers(held.key);
    const auto own = std::find_if(takers.begin(), takers.end(), [&](const auto& t) { return t.task == waiter.id; });
    if (own != takers.end() && own->repeated) continue;
    for (const constructs::Taker& taker : takers) {
      if (taker.task == waiter.id ||
          order::happens_before(execution_.tables(), taker.strand, constructs::position_in_run(waiter)))
        continue;
      if (!worth_a_look(pc, calls.pc(taker.where))) continue;
      Finding f;
      f.rule = Rule::dependence_cycle;
      f.predicted = true;
      f.message =
          "{task 0} holds {lock 0} while it waits " + place_of_wait(kind) +
          " for {task 2}, which takes {lock 0}, too: when that one comes later, they wait for each other for ever";
      f.fix = "leave the lock or construct that the waiting needs before the wait begins";
      f.steps.push_back(
          {"", calls.stack(execution_.place(thread, pc)), held.mutex, lineage(execution_, record_of(thread, waiter))});
      f.steps.push_back({"{task 0} holds {lock}, taken here", calls.stack(held.acquired), held.mutex});
      f.steps.push_back({"{task} takes {lock} here, and the wait does not end before", calls.stack(taker.where),
                         held.mutex, lineage(execution_, execution_.tables().block_of(taker.strand).task)});
      suspects.push_back({held, taker.strand, std::move(f)});
    }
  }
  if (suspects.empty()) return;
  const memory::SpinGuard guard(lock_);
  waiting_.insert_or_assign(waiter.id, Waiting{execution_.horizon_generation(), std::move(suspects)});
  pending_ = waiting_.size();
}

void HeldWait::judge(const constructs::Task& waiter) {
  std::vector<Suspect> suspects;
  std::uint32_t generation = 0;
  {
    const memory::SpinGuard guard(lock_);
    const auto at = waiting_.find(waiter.id);
    if (at == waiting_.end()) return;
    generation = at->second.generation;
    suspects = std::move(at->second.suspects);
    waiting_.erase(at);
    pending_ = waiting_.size();
  }
  if (waiter.team != nullptr && waiter.team->cancelled) return;
  for (Suspect& s : suspects) {
    const bool of_openmp = s.held.mutex.kind == MutexKind::lock || s.held.mutex.kind == MutexKind::nest_lock;
    // A barrier made of locks: their order is the program's, not luck.
    if (of_openmp && (execution_.locks_change_hands() || execution_.locks_overlap())) continue;
    // Somebody else may have unset it meanwhile.
    const constructs::Holder holder = execution_.holder_of(s.held.key);
    if (holder.task != waiter.id || holder.acquired != s.held.acquired) continue;
    // At a horizon everything comes before.
    if (execution_.horizon_generation() == generation &&
        !order::happens_before(execution_.tables(), s.strand, constructs::position_in_run(waiter)))
      continue;
    const auto pc = [&](std::size_t step) {
      return s.finding.steps[step].stack.empty() ? 0 : s.finding.steps[step].stack.front();
    };
    reporter_.report({Rule::dependence_cycle, pc(0), pc(2)}, [&] { return std::move(s.finding); });
  }
}

} // namespace fletcher::rules
