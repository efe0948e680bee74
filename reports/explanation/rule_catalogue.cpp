// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The texts of the rules. The identifiers are those that documents use (enum_names.hpp).
#include "reports/explanation/rule_catalogue.hpp"

#include "reports/document/enum_names.hpp"

#include <array>

namespace fletcher::reports {
namespace {

constexpr std::array<RuleText, 12> rules{{
    {Rule::data_race, "data-race", "DataRace", "data race", "Two accesses to the same memory are not ordered.",
     "Two tasks access the same bytes, at least one of them writes, they are not both atomic, and nothing in the "
     "program "
     "orders one before the other or excludes them mutually. The values read and left behind depend on the schedule; "
     "in "
     "C, C++ and Fortran the behaviour is undefined. Fletcher judges tasks, not threads: two tasks that happened to "
     "run one after the other on one thread race if OpenMP does not guarantee that order.",
     "Order the accesses (depend clauses that say what the tasks really read and write, taskwait, taskgroup, a "
     "barrier), "
     "or protect both with the same critical construct or lock, or make both atomic, or give each task its own copy "
     "(private, firstprivate, reduction).",
     Severity::error},
    {Rule::missing_taskwait, "missing-taskwait", "MissingTaskwait", "missing taskwait",
     "A task may still run when what it uses is gone or used again.",
     "A task was created and nothing waits for it before its creator uses its results, or before the "
     "function returns whose variables the task names in a depend clause or uses by reference. Sibling dependences do "
     "not help: they order tasks among themselves, not the task that created them.",
     "Add a taskwait (or end a taskgroup) after the tasks' creation and before the creator uses their results or "
     "returns.",
     Severity::error},
    {Rule::dependence_cycle, "dependence-cycle", "DependenceCycle", "dependence cycle",
     "Tasks wait for each other in a circle.",
     "Each task of the circle waits for the next one: by a dependence, a taskwait, a lock, or a detached event that is "
     "fulfilled only by a task that waits. None of them can continue; the program hangs.",
     "Break the circle where the dependence is not needed, or fulfil the event from a task that does not wait for it.",
     Severity::error},
    {Rule::non_sibling_dependence, "non-sibling-dependence", "NonSiblingDependence", "non-sibling dependence",
     "Depend clauses of tasks that are not siblings do not order them.",
     "Two tasks name the same object in depend clauses that would order them, but they were created by different "
     "tasks. "
     "OpenMP orders only siblings by depend clauses; these two may run at the same time.",
     "Create both tasks from the same task, put the dependence on the ancestors that are siblings, or wait inside the "
     "inner task's parent with taskwait so that its dependence covers its children.",
     Severity::error},
    {Rule::unmatched_dependence, "unmatched-dependence", "UnmatchedDependence", "unmatched dependence",
     "A depend clause has no effect, because nothing else names its list item.",
     "Dependences match by the address where a list item begins. Items that mean the same memory but begin elsewhere "
     "(sections that overlap, an array and its element, a pointer and what it points to) do not order their tasks; nor "
     "does a clause whose items no sibling ever writes.",
     "Name the same beginning in both clauses, for instance the block's first element.", Severity::warning},
    {Rule::lock_order_cycle, "lock-order-cycle", "LockOrderCycle", "lock order cycle",
     "Locks are taken in different orders, which can deadlock.",
     "Concurrent tasks take the same locks in orders that form a circle. In a schedule where each holds one and waits "
     "for the next, all of them wait forever.",
     "Take the locks in one order everywhere, or hold only one at a time.", Severity::error},
    {Rule::lock_misuse, "lock-misuse", "LockMisuse", "lock misuse",
     "A lock is used in a way that OpenMP does not define.",
     "A lock was set, unset or destroyed in a state that does not permit it: not initialised, not held, held by "
     "another task, set twice by its owner, still held at the end of the task that set it, or destroyed while held.",
     "Initialise the lock before its first use, unset it in the task that set it, and destroy it after its last use.",
     Severity::error},
    {Rule::barrier_mismatch, "barrier-mismatch", "BarrierMismatch", "barrier mismatch",
     "Threads of a team encounter different barriers.",
     "Every thread of a team must encounter the same barriers and worksharing constructs in the same order. Here some "
     "threads "
     "wait at one place and others at another, or not at all.",
     "Move the barrier or worksharing construct out of code that only a part of the team executes.", Severity::error},
    {Rule::mapping_bug, "mapping-bug", "MappingBug", "mapping bug",
     "Data is used on a device or host where it is not valid.",
     "A target region or the host reads data that was not transferred after its last change, is not mapped, was "
     "unmapped "
     "already, or lies outside what was transferred.",
     "Map the data with the map-type that the accesses need (to, from, tofrom), extend the section, or add a target "
     "update.",
     Severity::error},
    {Rule::mpi_threads, "mpi-threads", "MpiThreads", "MPI and threads",
     "MPI is called in a way that the provided level of thread support, or the MPI standard, does not allow.",
     "MPI_Init_thread says which threads may call MPI: with MPI_THREAD_SINGLE and MPI_THREAD_FUNNELED the one that "
     "initialised it, with MPI_THREAD_SERIALIZED one at a time, with MPI_THREAD_MULTIPLE all, but collective "
     "operations on one communicator one after the other. MPI_Init usually provides MPI_THREAD_SINGLE. A call that "
     "breaks this may hang, crash or damage messages, in some runs only. Nor may MPI be called before it is "
     "initialised or after MPI_Finalize.",
     "Ask MPI_Init_thread for the level that the program needs and check what it provides, call MPI in a masked "
     "construct, or order the calls.",
     Severity::error},
    {Rule::fork_after_region, "fork-after-region", "ForkAfterRegion", "fork after a region",
     "A child of fork runs a parallel region, as its parent did before: with gcc's libgomp it hangs.",
     "gcc's libgomp keeps the threads of a parallel region for the next one. After fork() the child has none of them, "
     "but its runtime does not know that and waits for them. LLVM's runtime starts new ones, so the program does not "
     "hang where it is checked, or was built by clang. OpenMP itself does not define fork.",
     "End the runtime's threads before the fork (omp_pause_resource_all), fork before the first region, or start a new "
     "program in the child (exec, posix_spawn; in Python the start methods spawn and forkserver).",
     Severity::warning},
    {Rule::not_needed, "not-needed", "NotNeeded", "not needed in this run",
     "A construct ordered or excluded nothing in this run.",
     "A depend clause, a taskwait, a barrier, a lock or an atomic operation had no effect on the result of this run: "
     "without it every pair of accesses to the same data, of which one is a write, would be ordered as it was. Another "
     "input may need it.",
     "Remove the construct if no input needs it: it costs time, and hides what the program relies on.", Severity::note},
}};

constexpr bool catalogue_agrees_with_documents() {
  for (std::size_t i = 0; i < rules.size(); ++i)
    if (static_cast<std::size_t>(rules[i].rule) != i || rules[i].id != EnumNames<Rule>::names[i]) return false;
  return true;
}
static_assert(catalogue_agrees_with_documents());

} // namespace

std::span<const RuleText> rule_catalogue() noexcept { return rules; }

const RuleText& rule_text(Rule rule) noexcept {
  const auto index = static_cast<std::size_t>(rule);
  return rules[index < rules.size() ? index : 0];
}

} // namespace fletcher::reports
