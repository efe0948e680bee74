// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/waits/another_thread.hpp"

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
  if (starter == nullptr || starter->untied || task.team() == nullptr || !execution_.open_for_rule(thread)) return;
  const Fulfilment made{thread.strand(), task.team()->id, {starter->id, starter->chain(), record_of(thread, task)}};
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

bool AnotherThread::needs_another_thread(const Waiting& waiting, const Fulfilment& fulfilment) const {
  const order::StrandTables& tables = execution_.tables();
  return waiting.team == fulfilment.team && waiting.task != fulfilment.by.task &&
         !may_start(tables, fulfilment.by, waiting.task) && !may_have_begun(fulfilment.by, waiting.past) &&
         !order::happens_before(tables, fulfilment.strand, {waiting.past, ChainId::none});
}

AnotherThread::Candidates AnotherThread::candidates(access::ThreadState& thread, constructs::Task& waiter,
                                                    SyncKind kind, Address pc) {
  Candidates result;
  if (waiter.kind != TaskKind::explicit_ || waiter.untied || waiter.team() == nullptr || thread.task != &waiter)
    return result;
  const memory::SpinGuard guard(lock_);
  result.generation = execution_.horizon_generation();
  if (generation_ != result.generation || fulfilments_.empty() || !execution_.open_for_rule(thread)) return result;
  Waiting waiting{waiter.id, thread.strand(), past_of(waiter), record_of(thread, waiter), waiter.team()->id, {}};
  for (const Fulfilment& f : fulfilments_) {
    if (!needs_another_thread(waiting, f)) continue;
    waiting.awaited = f;
    std::optional<Finding> finding;
    if (all_threads_may_wait(waiting, waiter.team()->size)) finding = describe(waiting, thread, kind, pc);
    result.list.push_back({waiting, std::move(finding)});
  }
  return result;
}

Finding AnotherThread::describe(const Waiting& waiting, access::ThreadState& thread, SyncKind kind, Address pc) const {
  const access::CallTree& calls = execution_.calls();
  Finding f;
  f.rule = Rule::dependence_cycle;
  f.predicted = true;
  f.message = std::string("{task 0} waits ") + (kind == SyncKind::taskwait ? "in taskwait" : "at a taskgroup's end") +
              " until {task 1} has fulfilled an event, but the waiting thread may not start that task: if all threads "
              "wait like this, none is free to execute it";
  f.fix = "let a descendant of the waiting task fulfil the event, or make the task that fulfils it untied";
  const Startable& by = waiting.awaited.by;
  const order::RecordId started = find_in_lineage(execution_.tables(), by.record, by.task);
  const ContextId creation =
      started == order::RecordId::none ? ContextId::none : execution_.tables().task(started).creation;
  f.steps.push_back({"", calls.stack(execution_.place(thread, pc)), std::nullopt, lineage(execution_, waiting.record)});
  f.steps.push_back({"{task} is no descendant of the waiting task", calls.stack(creation), std::nullopt,
                     lineage(execution_, by.record)});
  return f;
}

// Two that descend from each other may be on one thread.
bool AnotherThread::at_the_same_time(const Waiting& a, const Waiting& b) const {
  const order::StrandTables& tables = execution_.tables();
  const auto apart = [&](const Waiting& x, const Waiting& y) {
    return !order::happens_before(tables, x.strand, {y.past, ChainId::none}) &&
           find_in_lineage(tables, x.record, y.task) == order::RecordId::none && needs_another_thread(x, y.awaited);
  };
  return apart(a, b) && apart(b, a);
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

void AnotherThread::judge(const constructs::Task& waiter, Candidates candidates) {
  const bool over = execution_.horizon_generation() != candidates.generation; // everything came before
  for (auto& [waiting, finding] : candidates.list) {
    if (!over &&
        !order::happens_before(execution_.tables(), waiting.awaited.strand, constructs::position_in_run(waiter)))
      continue;
    if (finding)
      reporter_.report({Rule::dependence_cycle, finding->steps[0].place(), finding->steps[1].place()},
                       [&] { return std::move(*finding); });
    const memory::SpinGuard guard(lock_);
    if (!over && waits_.size() < most_waits) waits_.push_back(std::move(waiting));
  }
}

void AnotherThread::name_past(order::Sweep& sweep, const Fulfilment& fulfilment) {
  sweep.needs(fulfilment.strand);
  sweep.needs(fulfilment.by.chain);
  sweep.needs(fulfilment.by.record);
}

void AnotherThread::name_past(order::Sweep& sweep) {
  for (const Fulfilment& fulfilment : fulfilments_) name_past(sweep, fulfilment);
  for (Waiting& wait : waits_) {
    sweep.needs(wait.strand);
    sweep.knows(wait.past);
    sweep.needs(wait.record);
    name_past(sweep, wait.awaited);
  }
}

} // namespace fletcher::rules
