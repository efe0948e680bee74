// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/mpi_threads.hpp"

#include "checker/access/check.hpp"
#include "checker/rules/describe.hpp"

#include <algorithm>
#include <string>

namespace fletcher::rules {

/// Another thread of the team could have executed this part of the program: it made no effort to be on a certain one.
bool MpiThreads::by_chance_here(const access::ThreadState& thread) const {
  const constructs::Task& task = *thread.task;
  const constructs::Team* const team = task.team();
  if (team == nullptr || team->size < 2 || thread.asked_thread_number) return false;
  if (task.kind != TaskKind::implicit) return constructs::deferred_part(task) != nullptr;
  const constructs::Rare* const rare = task.rare_if_any();
  if (rare != nullptr && rare->moving == constructs::Rare::Moving::chunks) return true;
  const memory::SpinGuard guard(lock_);
  return in_unit_.contains(number(task.id));
}

void MpiThreads::follow(const access::ThreadState& thread, const Work& e) {
  if (thread.task == nullptr || e.kind == WorkKind::taskloop || e.kind == WorkKind::single_other) return;
  const memory::SpinGuard guard(lock_);
  if (e.begin && !e.end_untold && (e.kind == WorkKind::sections || e.kind == WorkKind::single_executor))
    in_unit_.insert(number(thread.task->id));
  else
    in_unit_.erase(number(thread.task->id));
}

const char* MpiThreads::not_allowed(const access::ThreadState& thread, const MpiCall& call) const {
  if (call.phase == MpiCall::Phase::before_init) return " before MPI is initialised";
  if (call.phase == MpiCall::Phase::finalized) return " after MPI_Finalize";
  if (call.provided > ThreadSupport::funneled) return nullptr;
  const bool chance = call.on_main_thread && by_chance_here(thread);
  if (call.on_main_thread && !chance) return nullptr;
  if (call.provided == ThreadSupport::single)
    return chance ? " in work that any thread of the team may get, although MPI_THREAD_SINGLE was provided: only the "
                    "thread that initialised MPI may call it"
                  : ", which is not the thread that initialised MPI, although MPI_THREAD_SINGLE was provided";
  return chance ? " in work that any thread of the team may get, although MPI_THREAD_FUNNELED was provided: only the "
                  "thread that initialised MPI may call it"
                : ", which is not the thread that initialised MPI, although MPI_THREAD_FUNNELED was provided";
}

void MpiThreads::calls(access::ThreadState& thread, const MpiCall& call) {
  if (thread.task == nullptr) return;
  if (call.provided <= ThreadSupport::funneled) main_thread_only_.store(true, std::memory_order_relaxed);
  if (const char* const what = not_allowed(thread, call)) return misuse(thread, call, what);
  if (thread.off > 0 || !shared_) return;
  const auto use = [&](std::size_t what) {
    access::check(thread, place_of(what), sizeof(std::uint64_t), access::Kind::write, call.pc - 1);
  };
  if (call.provided == ThreadSupport::serialized) use(0);
  if (call.communicator != 0 && call.communicator < most_communicators) use(call.communicator);
}

void MpiThreads::misuse(access::ThreadState& thread, const MpiCall& call, const char* what) {
  if (thread.strand() == StrandId::none && !constructs::open_strand(thread)) return;
  reporter_.report({Rule::mpi_threads, call.pc, 0}, [&] {
    Finding f;
    f.rule = Rule::mpi_threads;
    f.severity = Severity::error;
    f.message = std::string(call.function) + " is called by {task}" + what;
    f.steps.push_back({.message = "",
                       .stack = execution_.calls().stack(execution_.place(thread, call.pc - 1)),
                       .tasks = lineage(execution_, execution_.tables().block_of(thread.strand()).task)});
    return f;
  });
}

access::Repeats MpiThreads::race(const access::Race& race) {
  const order::StrandTables& tables = execution_.tables();
  const Address a = execution_.calls().pc(race.later_site), b = execution_.calls().pc(race.earlier_site);
  reporter_.report({Rule::mpi_threads, std::min(a, b), std::max(a, b)}, [&] {
    Finding f;
    f.rule = Rule::mpi_threads;
    f.severity = Severity::error;
    f.predicted = race.predicted;
    const bool any_call = race.address - place_of(0) < sizeof(std::uint64_t);
    f.message = any_call ? "{task} calls MPI here, and {task 2} does so at the same time, as nothing orders the two, "
                           "although MPI_THREAD_SERIALIZED was provided"
                         : "{task} and {task 2} take part in collective operations on one communicator, and nothing "
                           "orders the two";
    const auto step = [&](StrandId strand, ContextId site, std::string message) {
      f.steps.push_back({.message = std::move(message),
                         .stack = execution_.calls().stack(site),
                         .tasks = lineage(execution_, tables.block_of(strand).task)});
    };
    step(race.later, race.later_site, "");
    step(race.earlier, race.earlier_site, "the other call is here");
    return f;
  });
  return access::Repeats::same_callers;
}

} // namespace fletcher::rules
