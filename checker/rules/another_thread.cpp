// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/another_thread.hpp"

#include "checker/rules/describe.hpp"

#include <algorithm>

namespace fletcher::rules {

namespace {
constexpr std::size_t most_fulfilments = 32, most_waits = 32;
} // namespace

void AnotherThread::fulfils(access::ThreadState& thread) {
  if (thread.task == nullptr) return;
  constructs::Task& task = *thread.task;
  const constructs::Task* const starter = constructs::deferred_part(task);
  if (starter == nullptr || starter->untied || !execution_.open_for_rule(thread)) return;
  const Fulfilment made{thread.strand, starter->id, starter->chain(), record_of(thread, task)};
  const memory::SpinGuard guard(lock_);
  if (const std::uint32_t now = execution_.horizon_generation(); generation_ != now) {
    fulfilments_.clear(); // all of it comes before every wait to come
    waits_.clear();
    generation_ = now;
  }
  if (fulfilments_.size() < most_fulfilments)
    fulfilments_.push_back(made);
  else
    fulfilments_[next_++ % most_fulfilments] = made;
  any_.store(true, std::memory_order_relaxed);
}

bool AnotherThread::descends(order::RecordId record, TaskId ancestor) const {
  while (record != order::RecordId::none) {
    const order::TaskRecord& r = execution_.tables().task(record);
    if (r.id == ancestor) return true;
    record = r.parent;
  }
  return false;
}

bool AnotherThread::may_be_executed_by(const Waiting& w, const Fulfilment& f) const {
  return descends(f.record, w.task);
}

// What a task knows of another one's chain may be that it had begun: by then it had a thread.
bool AnotherThread::known_to_have_begun(const Waiting& w, const Fulfilment& f) const {
  return (f.chain != ChainId::none && (f.chain == w.chain || w.known.get(f.chain) != StrandId::none)) ||
         order::happens_before(execution_.tables(), f.strand, {w.known, w.chain});
}

AnotherThread::Candidates AnotherThread::ends(access::ThreadState& thread, constructs::Task& waiter, SyncKind kind,
                                              Address pc) {
  Candidates result;
  if (!any_.load(std::memory_order_relaxed) || thread.task != &waiter) return result;
  if (waiter.kind != TaskKind::explicit_ || waiter.untied || waiter.team() == nullptr) return result;
  const memory::SpinGuard guard(lock_);
  result.generation = execution_.horizon_generation();
  if (generation_ != result.generation) return result;
  for (const Fulfilment& f : fulfilments_) {
    if (!execution_.open_for_rule(thread)) return result;
    const order::TaskRecord& fulfiller = execution_.tables().task(f.record);
    Waiting w{waiter.id, thread.strand, waiter.chain(), waiter.known(), record_of(thread, waiter), waiter.team()->id,
              f};
    if (fulfiller.team != w.team || f.starter == w.task || may_be_executed_by(w, f) || known_to_have_begun(w, f))
      continue;
    Finding made = describe(w, thread, kind, pc);
    const bool all_threads = all_threads_may_wait(w, waiter.team()->size);
    result.list.push_back({std::move(w), std::move(made), all_threads});
  }
  return result;
}

Finding AnotherThread::describe(const Waiting& w, access::ThreadState& thread, SyncKind kind, Address pc) const {
  const access::CallTree& calls = execution_.calls();
  Finding f;
  f.rule = Rule::dependence_cycle;
  f.predicted = true;
  f.message = std::string("{task 0} waits ") + (kind == SyncKind::taskwait ? "in taskwait" : "at a taskgroup's end") +
              " until {task 1} has fulfilled an event, which its thread must not start meanwhile: when all threads "
              "wait like this, none is free for it";
  f.fix = "let a descendant of the waiting task fulfil the event, or make the task that fulfils it untied";
  const std::vector<TaskDescription> fulfiller = lineage(execution_, w.awaited.record);
  const auto starter =
      std::find_if(fulfiller.begin(), fulfiller.end(), [&](const auto& t) { return t.id == w.awaited.starter; });
  f.steps.push_back({"", calls.stack(execution_.place(thread, pc)), std::nullopt, lineage(execution_, w.record)});
  f.steps.push_back({"{task} is no descendant of the waiting task",
                     starter != fulfiller.end() ? starter->creation : Stack{}, std::nullopt, fulfiller});
  return f;
}

bool AnotherThread::at_the_same_time(const Waiting& a, const Waiting& b) const {
  const auto before = [&](const Waiting& x, const Waiting& y) {
    return order::happens_before(execution_.tables(), x.strand, {y.known, y.chain});
  };
  return a.team == b.team && !before(a, b) && !before(b, a) && !descends(a.record, b.task) &&
         !descends(b.record, a.task) && !may_be_executed_by(a, b.awaited) && !may_be_executed_by(b, a.awaited) &&
         !known_to_have_begun(a, b.awaited) && !known_to_have_begun(b, a.awaited);
}

// A greedy clique: threads enough for a true one are few.
bool AnotherThread::all_threads_may_wait(const Waiting& last, std::uint32_t team_size) const {
  std::vector<const Waiting*> together{&last};
  for (const Waiting& w : waits_)
    if (together.size() < team_size &&
        std::all_of(together.begin(), together.end(), [&](const Waiting* t) { return at_the_same_time(*t, w); }))
      together.push_back(&w);
  return together.size() >= team_size;
}

void AnotherThread::ended(const constructs::Task& waiter, Candidates candidates) {
  if (candidates.list.empty()) return;
  const bool over = execution_.horizon_generation() != candidates.generation; // everything came before
  for (auto& [waiting, finding, all_threads] : candidates.list) {
    if (!over &&
        !order::happens_before(execution_.tables(), waiting.awaited.strand, constructs::position_in_run(waiter)))
      continue;
    const auto pc = [&](std::size_t step) {
      return finding.steps[step].stack.empty() ? 0 : finding.steps[step].stack.front();
    };
    if (all_threads) reporter_.report({Rule::dependence_cycle, pc(0), pc(1)}, [&] { return std::move(finding); });
    const memory::SpinGuard guard(lock_);
    if (!over && waits_.size() < most_waits) waits_.push_back(std::move(waiting));
  }
}

} // namespace fletcher::rules
