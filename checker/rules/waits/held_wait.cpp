// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/waits/held_wait.hpp"

#include "checker/rules/describe.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace fletcher::rules {

namespace {

constexpr std::uint32_t always_looked_at = 16; ///< times that a pair of places is looked at before it becomes rare
constexpr std::size_t most_pairs = 4096;
constexpr std::size_t most_others = 64;                  ///< acquisitions of other locks that one wait may be for
constexpr std::size_t most_locks = 1024, most_waits = 8; ///< that are kept: locks, and waits with one of them held

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

/// At a barrier every task that a thread may start is waited for anyway.
bool runs_descendants(SyncKind kind) { return kind == SyncKind::taskwait || kind == SyncKind::taskgroup; }

Finding finding(SyncKind kind) {
  Finding f;
  f.rule = Rule::dependence_cycle;
  f.predicted = true;
  f.message = "{task 0} holds the {lock 0} while it waits " + place_of_wait(kind);
  f.fix = "release the lock, or leave the construct, before the wait begins";
  return f;
}

/// The third step's task is not waited for, but may be started by the thread that waits.
void say_started(Finding& f) {
  f.message += ", where its thread may start {task 2}, which takes the {lock 0}, too: then they wait for each other "
               "forever";
  f.steps[2].message = "{task} takes the {lock} here; nothing keeps the waiting thread from starting it";
}

void report(Reporter& reporter, Finding f) {
  const FindingKey key{Rule::dependence_cycle, f.steps[0].place(), f.steps[2].place()};
  reporter.report(key, [&] { return std::move(f); });
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

bool HeldWait::may_start_in(TaskId waiter, const order::Knowledge& past, const Startable& what) const {
  return may_start(execution_.tables(), what, waiter) && !may_have_begun(what, past);
}

// A barrier made of locks: their order is the program's, not luck.
bool HeldWait::passes_signals(const Mutex& mutex) const {
  const bool of_openmp = mutex.kind == MutexKind::lock || mutex.kind == MutexKind::nest_lock;
  return of_openmp && (execution_.locks_change_hands() || execution_.locks_overlap());
}

std::vector<Step> HeldWait::steps_of_waiter(access::ThreadState& thread, constructs::Task& waiter,
                                            const constructs::HeldMutex& held, Address pc) {
  const access::CallTree& calls = execution_.calls();
  std::vector<Step> steps;
  steps.push_back(
      {"", calls.stack(execution_.place(thread, pc)), held.mutex, lineage(execution_, record_of(thread, waiter))});
  steps.push_back({"{task 0} holds the {lock}, taken here", calls.stack(held.acquired), held.mutex});
  return steps;
}

void HeldWait::look(access::ThreadState& thread, constructs::Task& waiter, SyncKind kind, Address pc) {
  std::vector<Suspect> suspects;
  const access::CallTree& calls = execution_.calls();
  const order::Knowledge past = past_of(waiter);
  for (const constructs::HeldMutex& held : waiter.now().held) {
    if (!may_be_waited_for(held.mutex)) continue;
    const std::vector<constructs::Taker> takers = execution_.takers(held.key);
    const auto own = std::find_if(takers.begin(), takers.end(), [&](const auto& t) { return t.task == waiter.id; });
    if (own != takers.end() && own->repeated) continue;
    if (runs_descendants(kind)) keep(thread, waiter, held, kind, pc);
    for (const constructs::Taker& taker : takers) {
      if (taker.task == waiter.id ||
          order::happens_before(execution_.tables(), taker.strand, constructs::position_in_run(waiter)))
        continue;
      if (!worth_a_look(pc, calls.pc(taker.where))) continue;
      const Startable what{taker.starter, taker.starter_chain, execution_.tables().block_of(taker.strand).task};
      Suspect s{held, taker.strand, finding(kind), runs_descendants(kind) && may_start_in(waiter.id, past, what)};
      s.finding.steps = steps_of_waiter(thread, waiter, held, pc);
      s.finding.steps.push_back({"{task} takes the {lock} here, and the wait does not end before",
                                 calls.stack(taker.where), held.mutex,
                                 lineage(execution_, execution_.tables().block_of(taker.strand).task)});
      suspects.push_back(std::move(s));
    }
  }
  LocksAround around;
  std::vector<OtherLock> others;
  if (worth_a_look(pc, 0)) {
    around = lock_order_.held_in_wait(waiter);
    if (!around.empty()) others = look_at_others(waiter, around);
  }
  if (suspects.empty() && around.empty()) return;
  const memory::SpinGuard guard(lock_);
  waiting_.insert_or_assign(waiter.id, Waiting{execution_.horizon_generation(), std::move(suspects), std::move(others),
                                               std::move(around), past});
  pending_ = waiting_.size();
}

bool HeldWait::is_other(const constructs::Acquisition& a, const constructs::Task& waiter,
                        const LocksAround& held) const {
  return a.mutex.kind != MutexKind::posix && a.taker.task != waiter.id &&
         std::none_of(held.begin(), held.end(), [&](const LockAround& around) { return around.lock.key == a.key; });
}

std::vector<HeldWait::OtherLock> HeldWait::look_at_others(const constructs::Task& waiter, const LocksAround& held) {
  std::vector<OtherLock> others;
  const order::Knowledge past = past_of(waiter);
  for (const constructs::Acquisition& a : execution_.acquisitions()) {
    if (!is_other(a, waiter, held) || others.size() == most_others ||
        order::happens_before(execution_.tables(), a.taker.strand, constructs::position_in_run(waiter)))
      continue;
    AwaitedLock lock{a, held, past};
    std::vector<LockOrder::Found> circles = lock_order_.circles(lock);
    others.push_back({std::move(lock), std::move(circles)});
  }
  return others;
}

// The tasks that took its lock during the wait, and was waited for.
void HeldWait::look_at_later_ones(const constructs::Task& waiter, const Waiting& wait) {
  const order::StrandTables& tables = execution_.tables();
  std::size_t looked_at = 0;
  for (const constructs::Acquisition& a : execution_.acquisitions()) {
    const bool known = std::any_of(wait.others.begin(), wait.others.end(),
                                   [&](const OtherLock& o) { return o.lock.wanted.taker.strand == a.taker.strand; });
    if (known || !is_other(a, waiter, wait.held) || passes_signals(a.mutex) ||
        order::happens_before(tables, a.taker.strand, {wait.past, ChainId::none}) ||
        !order::happens_before(tables, a.taker.strand, constructs::position_in_run(waiter)))
      continue;
    if (looked_at++ == most_others) return;
    const AwaitedLock lock{a, wait.held, wait.past};
    for (auto& [key, finding] : lock_order_.circles(lock)) reporter_.report(key, [&] { return std::move(finding); });
    lock_order_.remember(lock);
  }
}

void HeldWait::judge(const constructs::Task& waiter) {
  Waiting wait;
  {
    const memory::SpinGuard guard(lock_);
    const auto at = waiting_.find(waiter.id);
    if (at == waiting_.end()) return;
    wait = std::move(at->second);
    waiting_.erase(at);
    pending_ = waiting_.size();
  }
  if (waiter.team() != nullptr && waiter.team()->cancelled) return;
  const auto was_for = [&](StrandId strand) { // at a horizon everything comes before
    return execution_.horizon_generation() != wait.generation ||
           order::happens_before(execution_.tables(), strand, constructs::position_in_run(waiter));
  };
  if (!wait.held.empty() && execution_.horizon_generation() == wait.generation) look_at_later_ones(waiter, wait);
  for (OtherLock& o : wait.others) {
    if (!was_for(o.lock.wanted.taker.strand) || passes_signals(o.lock.wanted.mutex)) continue;
    for (auto& [key, finding] : o.circles) reporter_.report(key, [&] { return std::move(finding); });
    if (execution_.horizon_generation() == wait.generation) lock_order_.remember(o.lock);
  }
  for (Suspect& s : wait.suspects) {
    if (passes_signals(s.held.mutex)) continue;
    // Somebody else may have unset it meanwhile.
    const constructs::Holder holder = execution_.holder_of(s.held.key);
    if (holder.task != waiter.id || holder.acquired != s.held.acquired) continue;
    const bool waited_for = was_for(s.strand);
    if (!waited_for && !s.may_start_here) continue;
    if (waited_for)
      s.finding.message +=
          " for {task 2}, which takes the {lock 0}, too: if that one takes it later, they wait for each other forever";
    else
      say_started(s.finding);
    report(reporter_, std::move(s.finding));
  }
}

// Of several waits of one task with one lock, whatever comes after the last one comes after all.
void HeldWait::keep(access::ThreadState& thread, constructs::Task& waiter, const constructs::HeldMutex& held,
                    SyncKind kind, Address pc) {
  if (thread.task != &waiter || !waiter.now().parental.load(std::memory_order_relaxed)) return;
  if (!worth_a_look(pc, execution_.calls().pc(held.acquired)) || !execution_.open_for_rule(thread)) return;
  PastWait wait{waiter.id, thread.strand(), past_of(waiter), held, kind, pc, steps_of_waiter(thread, waiter, held, pc)};
  const memory::SpinGuard guard(lock_);
  if (const std::uint32_t now = execution_.horizon_generation(); past_generation_ != now) {
    past_.clear();
    past_generation_ = now;
  }
  if (past_.size() == most_locks) past_.clear();
  std::vector<PastWait>& waits = past_[held.key];
  const auto same = [&](const PastWait& w) { return w.waiter == waiter.id && w.pc == pc; };
  if (const auto at = std::find_if(waits.begin(), waits.end(), same); at != waits.end())
    *at = std::move(wait);
  else if (waits.size() < most_waits)
    waits.push_back(std::move(wait));
  past_waits_ = past_.size();
}

void HeldWait::look_back(access::ThreadState& thread, const Mutex& mutex, Address pc) {
  constructs::Task& task = *thread.task;
  const constructs::Task* const starter = constructs::deferred_part(task);
  if (starter == nullptr || passes_signals(mutex)) return;
  std::vector<Finding> found;
  {
    const memory::SpinGuard guard(lock_);
    const auto at = past_.find(constructs::Execution::mutex_key(mutex, task));
    if (at == past_.end() || past_generation_ != execution_.horizon_generation()) return;
    const order::RecordId record = record_of(thread, task);
    const Startable what{starter->id, starter->chain(), record};
    for (const PastWait& wait : at->second) {
      if (!may_start_in(wait.waiter, wait.past, what) ||
          order::happens_before(execution_.tables(), wait.strand, constructs::position_in_run(task)))
        continue;
      Finding f = finding(wait.kind);
      f.steps = wait.steps;
      f.steps.push_back(
          {"", execution_.calls().stack(execution_.place(thread, pc)), mutex, lineage(execution_, record)});
      say_started(f);
      found.push_back(std::move(f));
    }
  }
  for (Finding& f : found) report(reporter_, std::move(f));
}

void HeldWait::name_past(order::Sweep& sweep) {
  for (auto& [waiter, waiting] : waiting_) {
    for (const Suspect& s : waiting.suspects) sweep.needs(s.strand);
    for (OtherLock& o : waiting.others) {
      sweep.needs(o.lock.wanted.taker.strand);
      sweep.needs(o.lock.wanted.taker.starter_chain);
      sweep.knows(o.lock.past);
      sweep.knows(o.lock.wanted.taker.known);
    }
    sweep.knows(waiting.past);
  }
  for (auto& [lock, waits] : past_)
    for (PastWait& wait : waits) {
      sweep.needs(wait.strand);
      sweep.knows(wait.past);
    }
}

} // namespace fletcher::rules
