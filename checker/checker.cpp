// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/checker.hpp"
#include "checker/constructs/nobody_finds.hpp"

#include "checker/constructs/strand.hpp"
#include "checker/rules/describe.hpp"
#include "checker/state.hpp"

namespace fletcher {

Checker::Checker(const CheckerConfig& config, FindingSink& sink) : state_(std::make_unique<State>(config, sink)) {
  State& s = *state_;
  s.execution.emplace(s.tables, s.calls, s.locksets, s.races ? &*s.races : nullptr);
  s.mapping_bug.emplace(*s.execution, s.reporter, config.memory);
  s.data_race.emplace(*s.execution, s.reporter, *s.mapping_bug, config.all_accesses ? nullptr : config.memory);
  s.lane_race.emplace(*s.execution, s.reporter);
  s.missing_taskwait.emplace(*s.execution, s.items, s.reporter);
  s.non_sibling.emplace(*s.execution, s.items, s.reporter, s.races.has_value(), config.memory);
  s.unmatched.emplace(*s.execution, s.items, s.reporter, config.every_unmatched_reader);
  s.lock_misuse.emplace(*s.execution, s.reporter, config.lock_lives_are_told, config.memory);
  const bool sees_values = config.accesses && config.all_accesses;
  s.lock_order.emplace(*s.execution, s.reporter, config.memory, sees_values,
                       s.races && sees_values ? &s.races->sync_log() : nullptr, config.posix_is_told);
  s.held_wait.emplace(*s.execution, *s.lock_order, s.reporter);
  s.another_thread.emplace(*s.execution, s.reporter);
  s.construct_mismatch.emplace(*s.execution, s.reporter);
  s.fork_after_region.emplace(*s.execution, s.reporter);
  s.mpi_threads.emplace(*s.execution, s.reporter);
  s.mpi_usage.emplace(*s.execution, s.reporter);
  s.atomics.emplace(*s.execution);
}

Checker::~Checker() = default;

bool Checker::usable() const noexcept {
  return state_->tables.ok() && state_->calls.ok() && state_->locksets.ok() && state_->execution->usable();
}

bool Checker::checks_accesses() const noexcept { return state_->races.has_value(); }

access::ThreadState& Checker::thread(ThreadId id) {
  access::ThreadState& t = state_->execution->thread(id);
  t.checker = this;
  t.atomics = &*state_->atomics;
  return t;
}

ContextId Checker::place(access::ThreadState& thread, Address pc) { return state_->execution->place(thread, pc); }
Stack Checker::stack(ContextId place) const { return state_->calls.stack(place); }

std::vector<TaskDescription> Checker::running(access::ThreadState& thread) {
  if (thread.task == nullptr) return {};
  return rules::lineage(*state_->execution, constructs::record_of(thread, *thread.task));
}

void Checker::met(access::ThreadState& thread, const LaneDependence& dependence) {
  state_->lane_race->met(thread, dependence);
}

void Checker::calls(access::ThreadState& thread, const MpiCall& call) { state_->mpi_threads->calls(thread, call); }
void Checker::mistaken(access::ThreadState& thread, const MpiMistake& mistake) {
  state_->mpi_usage->mistaken(thread, mistake);
}
void Checker::operates(access::ThreadState& thread, const MpiUse& use, Address pc) {
  state_->mpi_threads->use(thread, use, pc);
}
void Checker::found(access::ThreadState& thread, Address pc, const MpiMessage& sought, const MpiMessage& message) {
  state_->mpi_threads->found(thread, pc, sought, message);
}
void Checker::receives(access::ThreadState& thread, Address pc, const MpiMessage& message) {
  state_->mpi_threads->receives(thread, pc, message);
}

// In a team of one the number says nothing of the thread.
void Checker::asked_thread_number(access::ThreadState& thread) {
  state_->execution->set_apart(thread.id);
  constructs::ask_number(thread);
}

void Checker::asked_for_copy(access::ThreadState& thread) {
  if (thread.task == nullptr) return;
  if (!thread.task->now().reduces.exchange(true)) constructs::mark(thread, order::Trait::reduces);
}

std::vector<Deadlock> Checker::deadlocks(bool strangers) { return rules::deadlocks(*state_->execution, strangers); }
void Checker::report(const Deadlock& deadlock) { rules::report(state_->reporter, deadlock); }

std::vector<std::span<const std::byte>> Checker::reserved() const {
  const auto tables = state_->tables.ranges();
  std::vector<std::span<const std::byte>> all(tables.begin(), tables.end());
  all.push_back(state_->calls.range());
  if (state_->races) all.push_back(state_->races->shadow().range());
  return all;
}

void Checker::ask_for_memory() {
  if (state_->races) state_->races->shadow().ask_for_memory();
}

bool Checker::is_memory_asked_for() const { return state_->races && state_->races->shadow().is_asked_for(); }

void Checker::forget_accesses() {
  if (state_->races) state_->races->forget();
}

bool Checker::worth_sweeping(std::size_t times) const {
  return state_->tables.bytes_taken() >= times * state_->worth_sweeping_at();
}

bool Checker::sweep(bool certain) {
  State& s = *state_;
  const constructs::Execution::NobodyFinds alone(*s.execution);
  if (!alone) return false;
  order::Sweep sweep(s.tables, s.tables.sweeps() + 1);
  const auto name_past = [&] {
    s.execution->name_past(sweep);
    s.atomics->name_past(sweep);
    s.lock_order->name_past(sweep);
    s.held_wait->name_past(sweep);
    s.non_sibling->name_past(sweep);
    s.another_thread->name_past(sweep);
    // Last: what a thread that runs moves from its own memories to a cell is met there.
    if (s.races) s.races->name_past(sweep, s.execution->horizon());
  };
  name_past();
  if (sweep.forget_the_rest(certain)) name_past();
  s.tables.set_alarm_at(s.worth_sweeping_at());
  return true;
}

Statistics Checker::statistics() const {
  return {.tasks = state_->execution->tasks_created(),
          .regions = state_->execution->regions(),
          .strands = number(state_->tables.next_strand()),
          .findings = state_->reporter.findings(),
          .incomplete = state_->tables.used_up()};
}

} // namespace fletcher
