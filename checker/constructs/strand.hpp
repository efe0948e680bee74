// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a strand begins and ends: ids are given only when an access, a join or a lock makes them matter, so that a task
// that touches nothing costs nothing in clocks and tables.
#pragma once

#include "checker/access/thread_state.hpp"
#include "checker/constructs/tasks/task.hpp"
#include "checker/order/happens_before.hpp"

#include <algorithm>

namespace fletcher::constructs {

/// What a task in `task`'s place must not take for ordered because of the thread that it happens to be on.
inline order::WorkUnit unit_of(const Task& task) noexcept {
  const Activation& now = task.now();
  const Rare* const rare = now.rare_.get();
  if (rare == nullptr || rare->unit_since == StrandId::none) return task.learned ? order::WorkUnit{} : task.unit();
  const StrandId known = now.known.get(now.chain);
  const StrandId told = known == rare->told_in_turn.upto ? rare->told_in_turn.counts : known;
  return {now.chain, rare->unit_since, std::max(told, rare->unit_floor)};
}
/// It drew a number of its own (draw_number), and nothing more is known of what it knows.
inline bool has_number(const Task& task) noexcept {
  const Rare* const rare = task.now().rare_.get();
  return rare != nullptr && rare->drew_number != StrandId::none;
}
/// It executes a unit of work itself, or the first chunk or section, before which there is nothing to tell apart.
inline bool is_in_unit(const Task& task) noexcept {
  const Rare* const rare = task.now().rare_.get();
  return rare != nullptr && (rare->unit_since != StrandId::none || rare->moving != Rare::Moving::nothing);
}
/// Rare::unit_number.
inline std::uint8_t unit_number(const Task& task) noexcept {
  const Rare* const rare = task.now().rare_.get();
  return rare == nullptr ? 0 : rare->unit_number;
}
/// It may know which thread it is on, or have a number of its own.
inline bool may_know_itself(const Task& task) noexcept {
  return task.now().asked_thread_number || task.now().knows_thread || has_number(task);
}
/// It executes a piece of a static loop, which only in a larger team another thread executes.
inline bool is_in_piece(const Task& task) noexcept {
  const Rare* const rare = task.now().rare_.get();
  return rare != nullptr && rare->moving == Rare::Moving::pieces && rare->unit_since != StrandId::none;
}
/// It does what any member of the team could do, and in memory that is one for all.
inline bool combines(const Task& task) noexcept {
  const Rare* const rare = task.now().rare_.get();
  return rare != nullptr && rare->combines;
}
/// `past` is of the combination of a reduction that its own thread has executed, which nothing orders with `task`.
inline bool has_combined_in(const Task& task, StrandId past, ChainId chain) noexcept {
  const Rare* const rare = task.now().rare_.get();
  return rare != nullptr && rare->has_combined && chain == task.now().chain &&
         number(past) > number(rare->before_combination) && number(past) < number(rare->unit_since);
}
/// In this run `past`, of `chain`, came before its copy of a reduction was combined, and what `member` does now after
/// it.
bool combined_before(const Task& member, ChainId chain, StrandId past) noexcept;
inline order::Position position(const Task& task) noexcept {
  return {task.now().known, task.now().chain, unit_of(task)};
}
/// The same for what it creates: a number of its own it may hand on, and then nothing is judged.
inline order::WorkUnit unit_to_create_in(const Task& task) noexcept {
  return has_number(task) ? order::WorkUnit{} : unit_of(task);
}
/// As if this run's assignment of work to threads were the only one.
inline order::Position position_in_run(const Task& task) noexcept { return {task.now().known, task.now().chain}; }

/// All that the running task does has the trait from now on, and what it did as well.
void mark(access::ThreadState& thread, order::Trait trait) noexcept;
/// The running task may know from now on which thread it is on, and so what that thread did before: it read
/// thread-local memory, asked for a number, or held a lock where nothing tells in what order.
void identify(access::ThreadState& thread) noexcept;
/// The running task may know from now on a number that no other thread has, because it held a lock or performed an
/// atomic read-modify-write. What its thread did before it did without, as any other would have.
void draw_number(access::ThreadState& thread) noexcept;
/// It touched static thread-local memory. What it finds there it may take for its thread's own, as if it had asked for
/// the thread's number.
void meet_own(access::ThreadState& thread);
/// The running task asked for its thread's number.
void ask_number(access::ThreadState& thread);
/// The running task may find what earlier tasks of its thread left for it in memory of the thread's own.
void find_own(access::ThreadState& thread);
/// The running task, which has met such memory, is left: it has put there what it wanted to.
void leave_own(access::ThreadState& thread);
/// The running task takes a lock whose section keeps what it learns, except for what it writes in memory. False where
/// nobody follows whether it reads that afterwards (every_member.hpp): then the section may tell it a number.
bool keeps_inside(access::ThreadState& thread);
/// What the running task does from now on not every member of its team may do.
void goes_alone(access::ThreadState& thread) noexcept;
/// It met what may keep the others of its team out, or let one of them through, by an atomic variable: a lock that the
/// program makes itself.
inline void may_exclude(access::ThreadState& thread) noexcept {
  if (thread.watcher.load(std::memory_order_relaxed) != nullptr) [[unlikely]]
    goes_alone(thread);
}
/// The same where it was in a section that keeps what it learns: others may read for it what it wrote there.
inline void shares_kept(access::ThreadState& thread) noexcept {
  if (thread.watcher.load(std::memory_order_relaxed) == nullptr) [[likely]]
    return;
  const Rare* const rare = thread.task == nullptr ? nullptr : thread.task->rare_if_any();
  if (rare != nullptr && rare->kept != nullptr) goes_alone(thread);
}
/// The program has asked for the size of the team that the thread is in, or whether there is one.
void close_team(access::ThreadState& thread) noexcept;
/// draw_number() would change nothing.
inline bool is_identified(const access::ThreadState& thread) noexcept {
  return thread.task == nullptr || thread.task->now().knows_thread.load(std::memory_order_relaxed) ||
         has_number(*thread.task);
}
/// It may have found places of its own in any memory, whatever unit of work it is in: what the thread did in others is
/// never judged (RaceCheck::judge).
inline bool knows_itself(const Task& task) noexcept {
  const Activation& now = task.now();
  const Rare* const rare = now.rare_.get();
  return (now.knows_thread.load(std::memory_order_relaxed) || now.asked_thread_number) &&
         (rare == nullptr || !(rare->combines || rare->has_combined));
}
/// The running task's strand begins or goes on: what the task did itself is on its chain, since the unit began that it
/// is in.
inline void follow_own(access::ThreadState& thread) noexcept {
  const ChainId chain = thread.task->now().chain;
  const order::WorkUnit unit = unit_of(*thread.task);
  thread.own_chain = chain;
  thread.own_since = unit.chain == chain && !knows_itself(*thread.task) ? unit.since : StrandId::none;
}
/// Gives the running task an open strand. False when the id space is used up: checking of this thread stops.
bool open_strand(access::ThreadState& thread);
/// Gives `task`, which runs on `thread`, an id of its own chain that nothing has been recorded for yet: what a forward
/// or a join points to.
StrandId next_strand_of(access::ThreadState& thread, Task& task);
/// Ends the running strand: what follows is not what was released, or holds other locks.
inline void close_strand(access::ThreadState& thread) noexcept { thread.set_strand(StrandId::none); }
/// The same where its task told others something, which tells itself nothing: the next strand has the same past.
inline void close_released(access::ThreadState& thread) noexcept {
  const StrandId past = thread.past();
  close_strand(thread);
  thread.keep_past(past);
  thread.released_in = thread.turn;
}
/// After this the next strand needs a new table entry (other locks, another worksharing construct).
inline void close_block(access::ThreadState& thread, Task& task) noexcept {
  thread.set_strand(StrandId::none);
  task.now().block_left = 0;
}
/// After this the next strand holds these locks, which are others than before.
inline void change_locks(access::ThreadState& thread, Task& task, LocksetId locks) noexcept {
  Activation& now = task.now();
  const bool in_block = now.block_left > 0 && thread.tables->block_of(now.last).is_for_both(locks, now.lockset);
  in_block ? close_strand(thread) : close_block(thread, task);
  now.lockset = locks;
}
/// What is known to all that comes after the present point of `task`, which this thread runs or nobody.
inline order::Knowledge released(Task& task) {
  Activation& now = task.now();
  return now.known.with(now.chain, now.last);
}
/// The same, put where it is published.
inline void release(Task& task, order::Knowledge& to) {
  Activation& now = task.now();
  to.become(now.known, now.chain, now.last);
}
order::RecordId make_record(access::ThreadState& thread, Task& task);
/// The record that reports will read; made at the task's first strand.
inline order::RecordId record_of(access::ThreadState& thread, Task& task) {
  const order::RecordId known = task.now().record.load(std::memory_order_acquire);
  return known != order::RecordId::none ? known : make_record(thread, task);
}

} // namespace fletcher::constructs
