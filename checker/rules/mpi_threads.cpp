// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/mpi_threads.hpp"

#include "checker/access/check.hpp"
#include "checker/rules/describe.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace fletcher {

std::string mpi_function(const char* symbol) {
  std::string name = symbol;
  if (name.starts_with("mpi_") && name.ends_with('_')) name.pop_back();
  return name;
}

namespace rules {

/// Another thread of the team could have executed this part of the program: it made no effort to be on a certain one.
bool MpiThreads::by_chance_here(const access::ThreadState& thread) const {
  const constructs::Task& task = *thread.task;
  const constructs::Team* const team = task.team();
  if (team == nullptr || team->size < 2 || thread.asked_thread_number) return false;
  if (task.kind != TaskKind::implicit) return constructs::deferred_part(task) != nullptr;
  const constructs::Rare* const rare = task.rare_if_any();
  if (rare != nullptr && rare->moving == constructs::Rare::Moving::chunks) return true;
  const memory::SpinGuard guard(lock_);
  const auto unit = in_unit_.find(number(task.id));
  // Behind a single with nowait, of which the end is reported late, all members come by that do not know who they are.
  return unit != in_unit_.end() && (!unit->second || !constructs::is_identified(thread));
}

void MpiThreads::follow(const access::ThreadState& thread, const Work& e) {
  if (thread.task == nullptr || e.kind == WorkKind::taskloop || e.kind == WorkKind::single_other) return;
  const memory::SpinGuard guard(lock_);
  if (e.begin && (e.kind == WorkKind::sections || e.kind == WorkKind::single_executor))
    in_unit_[number(thread.task->id)] = e.end_untold;
  else
    in_unit_.erase(number(thread.task->id));
}

const char* MpiThreads::not_allowed(const access::ThreadState& thread, const MpiCall& call) const {
  if (call.phase == MpiCall::Phase::before_init) return " before MPI is initialised";
  if (call.phase == MpiCall::Phase::finalized) return " after MPI_Finalize";
  if (call.type == MpiCall::Type::question) return nullptr;
  const bool is_last = call.type == MpiCall::Type::finalize;
  if (call.provided > ThreadSupport::funneled && !is_last) return nullptr;
  const bool chance = call.on_main_thread && by_chance_here(thread);
  if (is_last && chance)
    return " in work that any thread of the team may get: the thread that initialised MPI has to finalise it";
  if (is_last && !call.on_main_thread)
    return ", which is not the thread that initialised MPI: that one has to finalise it";
  if (call.provided > ThreadSupport::funneled || (call.on_main_thread && !chance)) return nullptr;
  if (call.provided == ThreadSupport::single)
    return chance ? " in work that any thread of the team may get, although MPI_THREAD_SINGLE was provided: only the "
                    "thread that initialised MPI may call it"
                  : ", which is not the thread that initialised MPI, although MPI_THREAD_SINGLE was provided";
  return chance ? " in work that any thread of the team may get, although MPI_THREAD_FUNNELED was provided: only the "
                  "thread that initialised MPI may call it"
                : ", which is not the thread that initialised MPI, although MPI_THREAD_FUNNELED was provided";
}

void MpiThreads::use(access::ThreadState& thread, const MpiUse& what, Address pc) const {
  if (shared_ && what.number < most_objects)
    access::check(thread, place_of(what), sizeof(std::uint64_t), what.kind, pc - 1);
}

void MpiThreads::calls(access::ThreadState& thread, const MpiCall& call) {
  if (thread.task == nullptr) return;
  follows_work_.store(true, std::memory_order_relaxed);
  if (const char* const what = not_allowed(thread, call)) return misuse(thread, call, what);
  for (const Address began : call.unfinished) leaves(thread, call, began);
  if (thread.off > 0 || call.type == MpiCall::Type::question) return;
  const bool alone = call.provided == ThreadSupport::serialized || call.type == MpiCall::Type::finalize;
  if (call.provided >= ThreadSupport::serialized)
    use(thread, {MpiUse::Of::library, 0, alone ? access::Kind::write : access::Kind::read}, call.pc);
  for (const MpiUse& what : call.uses) use(thread, what, call.pc);
}

// Probes may meet each other, and so may receives where a probe is concerned: two reads, and two atomic writes, have no
// race. Two receives that say exactly which message they want do not get it where nothing orders them.

void MpiThreads::found(access::ThreadState& thread, Address pc, const MpiMessage& sought, const MpiMessage& message) {
  if (thread.task == nullptr || thread.off > 0) return;
  for (const std::uint32_t one : probed_.alike(message))
    use(thread, {MpiUse::Of::messages, one, access::Kind::read}, pc);
  probed_.found(thread.task->id, pc - 1, sought, message);
}

void MpiThreads::receives(access::ThreadState& thread, Address pc, const MpiMessage& message) {
  if (thread.task == nullptr || thread.off > 0) return;
  ProbedMessages::Received received = probed_.received(thread.task->id, message);
  for (const std::uint32_t one : probed_.alike(received.sought))
    use(thread, {MpiUse::Of::messages, one, access::Kind::atomic_write}, pc);
  if (const std::optional<std::uint32_t> number = probed_.number_of(message))
    use(thread, {MpiUse::Of::receives, *number, access::Kind::write}, pc);
  for (ProbedMessages::Stolen& one : received.stolen)
    reporter_.report({Rule::mpi_threads, std::min(one.probe, one.receive), std::max(one.probe, one.receive)},
                     [&] { return std::move(one.finding); });
}

void MpiThreads::misuse(access::ThreadState& thread, const MpiCall& call, const char* what) {
  if (thread.strand() == StrandId::none && !constructs::open_strand(thread)) return;
  reporter_.report({Rule::mpi_threads, call.pc, 0}, [&] {
    Finding f;
    f.rule = Rule::mpi_threads;
    f.severity = Severity::error;
    f.message = mpi_function(call.function) + " is called by {task}" + what;
    f.steps.push_back({.message = "",
                       .stack = execution_.calls().stack(execution_.place(thread, call.pc - 1)),
                       .tasks = lineage(execution_, execution_.tables().block_of(thread.strand()).task)});
    return f;
  });
}

void MpiThreads::leaves(access::ThreadState& thread, const MpiCall& call, Address began) {
  if (thread.strand() == StrandId::none && !constructs::open_strand(thread)) return;
  reporter_.report({Rule::mpi_threads, began, call.pc}, [&] {
    Finding f;
    f.rule = Rule::mpi_threads;
    f.severity = Severity::error;
    f.message = "the operation that is begun here is still pending when {task 1} calls " + mpi_function(call.function) +
                ": no call has completed it";
    f.fix = "wait for its request, for example by MPI_Wait";
    f.steps.push_back({.message = "", .stack = {began}});
    f.steps.push_back({.message = "MPI is finalised here",
                       .stack = execution_.calls().stack(execution_.place(thread, call.pc - 1)),
                       .tasks = lineage(execution_, execution_.tables().block_of(thread.strand()).task)});
    return f;
  });
}

namespace {

/// `first_writes`: of the two calls.
const char* what_two_calls_do(MpiUse::Of of, bool first_writes, bool second_writes) {
  switch (of) {
  case MpiUse::Of::library:
    if (first_writes && second_writes)
      return "{task} calls MPI here, and {task 1} does so at the same time, as nothing orders the two, although "
             "MPI_THREAD_SERIALIZED was provided";
    return first_writes ? "{task} finalises MPI, and {task 1} may call it afterwards, as nothing orders the two"
                        : "{task} calls MPI, and {task 1} may have finalised it, as nothing orders the two";
  case MpiUse::Of::collective:
    return "{task} and {task 1} take part in collective operations on one communicator, and nothing orders the two";
  case MpiUse::Of::file:
    return "{task} and {task 1} take part in collective operations on one file, and nothing orders the two";
  case MpiUse::Of::epochs:
    return first_writes && second_writes
               ? "{task} and {task 1} begin or end epochs of one window, and nothing orders the two"
           : first_writes
               ? "{task} begins or ends an epoch of the window that {task 1} uses, and nothing orders the two"
               : "{task} uses the window of which {task 1} begins or ends an epoch, and nothing orders the two";
  case MpiUse::Of::info:
    return first_writes ? "{task} changes the info object that {task 1} uses, and nothing orders the two"
                        : "{task} uses the info object that {task 1} changes, and nothing orders the two";
  case MpiUse::Of::receives:
    return "{task} and {task 1} receive from one process with one tag on one communicator, and nothing orders the two: "
           "which of them gets which message differs from run to run";
  case MpiUse::Of::place:
    return "{task} and {task 1} operate on the same place of one process's window, and nothing orders the two";
  case MpiUse::Of::buffer:
    return first_writes && second_writes
               ? "{task} and {task 1} attach or detach the buffer of buffered sends, and nothing orders the two"
           : first_writes ? "{task} attaches or detaches the buffer by which {task 1} sends, and nothing orders the two"
                          : "{task} sends by the buffer that {task 1} attaches or detaches, and nothing orders the two";
  case MpiUse::Of::messages:
    break;
  }
  return "{task} may receive the message that a probe by {task 1} has found, before {task 1} receives it, as nothing "
         "orders the two";
}

} // namespace

access::Repeats MpiThreads::race(const access::Race& race) {
  const order::StrandTables& tables = execution_.tables();
  struct Side {
    StrandId strand;
    ContextId site;
    access::Kind kind;
  };
  Side first{race.later, race.later_site, race.later_kind}, second{race.earlier, race.earlier_site, race.earlier_kind};
  const MpiUse::Of of = of_place(race.address);
  const bool probed = of == MpiUse::Of::messages;
  if (probed && first.kind == access::Kind::read) std::swap(first, second);
  const Address a = execution_.calls().pc(first.site), b = execution_.calls().pc(second.site);
  const auto make = [&] {
    Finding f;
    f.rule = Rule::mpi_threads;
    f.severity = of == MpiUse::Of::receives ? Severity::warning : Severity::error;
    f.predicted = race.predicted;
    if (of == MpiUse::Of::place)
      f.fix = "give each of them its own place in the window, or complete one before the other begins, for example by "
              "MPI_Win_flush";
    if (of == MpiUse::Of::receives) f.fix = "give each of them its own tag or communicator";
    f.message = what_two_calls_do(of, access::writes(first.kind), access::writes(second.kind));
    const auto step = [&](const Side& side, std::string message) {
      f.steps.push_back({.message = std::move(message),
                         .stack = execution_.calls().stack(side.site),
                         .tasks = lineage(execution_, tables.block_of(side.strand).task)});
    };
    step(first, "");
    step(second, probed ? "the probe is here" : "the other call is here");
    return f;
  };
  if (!probed || probed_.matters({b, a, make()}))
    reporter_.report({Rule::mpi_threads, std::min(a, b), std::max(a, b)}, make);
  return access::Repeats::same_callers;
}

} // namespace rules
} // namespace fletcher
