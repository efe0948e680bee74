// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/constructs/strand.hpp"

#include "checker/access/race_check.hpp"
#include "checker/constructs/teams/team.hpp"

#include <utility>
#include <vector>

namespace fletcher::constructs {

namespace {

/// Of a task whose parent has one.
order::RecordId make_own_record(access::ThreadState& thread, Task& task) {
  Activation& now = task.now();
  const Origin& origin = task.origin();
  order::StrandTables& tables = *thread.tables;
  const order::RecordId parent = origin.parent != nullptr ? record_of(thread, *origin.parent) : order::RecordId::none;
  const order::RecordId made = tables.new_task(
      thread.indices, order::TaskRecord{.parent = parent,
                                        .creation = task.creation,
                                        .id = task.id,
                                        .thread = static_cast<std::uint16_t>(now.thread),
                                        .kind = task.kind,
                                        .taskloop = task.taskloop,
                                        .of_league = task.kind == TaskKind::implicit && origin.team->league,
                                        .detailed = false,
                                        .traits = {}});
  order::TaskRecord& record = tables.task(made);
  if (now.index != 0 || !task.depend.empty()) [[unlikely]]
    tables.add_details(thread.indices, made, now.index, task.depend.packed());
  if (thread.task == &task && (!now.parental.load(std::memory_order_relaxed) || task.is_childless())) [[likely]] {
    now.record.store(made, std::memory_order_release);
  } else if (order::RecordId first = order::RecordId::none; !now.record.compare_exchange_strong(first, made)) {
    return first; // children on two threads may need their parent's record at the same moment
  }
  if (now.asked_thread_number.load()) [[unlikely]]
    record.set(order::Trait::asked_thread_number);
  if (now.knows_thread.load() || has_number(task)) [[unlikely]]
    record.set(order::Trait::knows_thread);
  if (now.reduces.load()) [[unlikely]]
    record.set(order::Trait::reduces);
  if (now.parental.load()) [[unlikely]]
    record.set(order::Trait::parental);
  return made;
}

} // namespace

// Tasks may nest deeper than the stack allows a recursion.
order::RecordId make_record(access::ThreadState& thread, Task& task) {
  std::vector<Task*> without;
  for (Task* t = task.parent(); t != nullptr; t = t->parent()) {
    if (t->now().record.load(std::memory_order_acquire) != order::RecordId::none) break;
    without.push_back(t);
  }
  for (auto t = without.rbegin(); t != without.rend(); ++t) make_own_record(thread, **t);
  return make_own_record(thread, task);
}

namespace {
// The ids of its own chain tell what a thread did in a unit of work. Those of a long one may begin anew: what came
// before then counts as before.
bool is_long_unit(const Activation& now, Rare& rare) noexcept {
  const StrandId since = rare.drew_number != StrandId::none ? rare.drew_number : rare.unit_since;
  rare.is_long = rare.is_long || (since != StrandId::none && number(now.last) > number(since) &&
                                  number(now.last) - number(since) > Rare::most_new_ids);
  return rare.is_long;
}

// Ids that are given out again are less than those that a task has had, and along a chain they grow: the task goes on
// in a chain of its own, that comes after all of the one before. Not where ids of the same chain tell what a thread did
// since when, nor where a thread's own memory has all that is to come on the chain (leave_beforehand): it takes
// ids that nobody has had.
bool goes_on_in_new_chain(access::ThreadState& thread, const Task& task) noexcept {
  const Activation& now = task.now();
  if (now.chain == ChainId::none || now.last == StrandId::none) return false;
  Rare* const rare = now.rare_.get();
  const bool of_units =
      thread.units_since != StrandId::none ||
      (rare != nullptr && (rare->unit_since != StrandId::none || rare->drew_number != StrandId::none ||
                           rare->moving == Rare::Moving::pieces));
  if (of_units && (rare == nullptr || !is_long_unit(now, *rare))) return false;
  const bool combines = rare != nullptr && (rare->has_combined || rare->has_gathered);
  const bool told_beforehand = task.untied && now.asked_thread_number;
  return !combines && !told_beforehand && thread.tables->goes_back(thread.indices, now.last);
}

void begin_anew(access::ThreadState& thread, Rare& rare, StrandId first) noexcept {
  for (StrandId* since : {&rare.unit_since, &rare.drew_number, &rare.loop_floor})
    if (*since != StrandId::none) *since = first;
  rare.unit_floor = rare.moved_after = rare.moved_until = StrandId::none;
  rare.told_in_turn = {};
  thread.units_since = StrandId::none;
}
} // namespace

namespace {
/// To the next strand of the block that holds the task's locks, or none.
std::uint32_t step_in_block(const order::StrandTables& tables, const Activation& now) noexcept {
  return now.last == StrandId::none ? 1 : tables.block_of(now.last).step_from(now.last, now.lockset);
}

/// Of the next block: who was in the section of a lock mostly comes back.
LocksetId locks_of_block(const order::StrandTables& tables, const Activation& now) noexcept {
  const bool left = now.lockset == LocksetId::empty && order::StrandBlock::may_hold(now.last);
  return left ? tables.block_of(now.last).lockset : now.lockset;
}
} // namespace

StrandId next_strand_of(access::ThreadState& thread, Task& task) {
  order::StrandTables& tables = *thread.tables;
  Activation& now = task.now();
  if (const std::uint32_t step = step_in_block(tables, now); now.block_left >= step) {
    now.block_left = static_cast<std::uint8_t>(now.block_left - step);
    now.last_tells_all = true;
    return now.last = StrandId{number(now.last) + step};
  }
  const ChainId before = goes_on_in_new_chain(thread, task) ? std::exchange(now.chain, ChainId::none) : ChainId::none;
  if (now.chain == ChainId::none) now.chain = tables.new_chain(thread.indices);
  const StrandId block = tables.new_block(
      thread.indices,
      {.chain = now.chain, .task = record_of(thread, task), .lockset = locks_of_block(tables, now), .work = now.work},
      before != ChainId::none ? StrandId::none : now.last);
  if (block == StrandId::none || now.chain == ChainId::none) [[unlikely]] {
    thread.switch_off(); // the ids are used up (StrandTables::used_up)
    return StrandId::none;
  }
  const std::uint32_t skipped = order::StrandBlock::before_first(now.lockset);
  const StrandId first{number(block) + skipped};
  if (before != ChainId::none) {
    tables.go_on(before, {now.chain, first});
    if (Rare* const rare = now.rare_.get()) begin_anew(thread, *rare, first);
  }
  now.block_left = static_cast<std::uint8_t>(order::StrandTables::strands_per_block - 1 - skipped);
  now.last_tells_all = true;
  return now.last = first;
}

// An undeferred task that goes on in its creator's strand has no record of its own yet, or that strand has another one.
void mark(access::ThreadState& thread, order::Trait trait) noexcept {
  order::StrandTables& tables = *thread.tables;
  const order::RecordId own = thread.task->now().record.load(std::memory_order_acquire);
  if (own != order::RecordId::none) tables.task(own).set(trait);
  if (thread.strand() != StrandId::none) tables.task(tables.block_of(thread.strand()).task).set(trait);
}

void identify(access::ThreadState& thread) noexcept {
  if (thread.task == nullptr || thread.task->now().knows_thread.load(std::memory_order_relaxed)) return;
  thread.task->now().knows_thread = true;
  mark(thread, order::Trait::knows_thread);
}

void draw_number(access::ThreadState& thread) noexcept {
  if (is_identified(thread)) return;
  Activation& now = thread.task->now();
  if (thread.task->kind != TaskKind::implicit || thread.task->team() == nullptr) return identify(thread);
  if (now.last == StrandId::none && unit_number(*thread.task) != 0) next_strand_of(thread, *thread.task);
  if (now.last == StrandId::none) return identify(thread);
  close_strand(thread);
  now.rare().drew_number = StrandId{number(now.last) + 1};
  if (now.record != order::RecordId::none) thread.tables->task(now.record).set(order::Trait::knows_thread);
}

bool keeps_inside(access::ThreadState& thread) {
  const Task& member = *thread.task;
  if (member.kind != TaskKind::implicit || member.team() == nullptr ||
      member.now().parental.load(std::memory_order_relaxed)) // its tasks may read for it
    return false;
  // What a unit of work leaves in memory of the thread's own, a later one has to read there (RaceCheck::judge).
  if (member.team()->of_all == nullptr) return is_in_unit(member);
  if (!is_identified(thread) && member.rare().kept == nullptr) member.rare().kept = std::make_unique<KeptInside>();
  return true;
}

void goes_alone(access::ThreadState& thread) noexcept {
  if (thread.task == nullptr || thread.task->team() == nullptr) return;
  Team& team = *thread.task->team();
  if (team.of_all == nullptr) return;
  access::Watcher* expected = std::exchange(team.of_all, nullptr);
  thread.watcher.compare_exchange_strong(expected, nullptr);
  // Nobody follows any more what it reads of that.
  if (Rare* const rare = thread.task->now().rare_.get(); rare != nullptr && rare->kept != nullptr) {
    rare->kept.reset();
    identify(thread);
  }
}

void close_team(access::ThreadState& thread) noexcept {
  goes_alone(thread);
  if (thread.task != nullptr && thread.task->team() != nullptr) thread.task->team()->open = false;
}

void ask_number(access::ThreadState& thread) {
  if (thread.asked_thread_number || thread.task == nullptr) return;
  thread.asked_thread_number = true;
  thread.task->now().asked_thread_number.store(true);
  mark(thread, order::Trait::asked_thread_number);
  find_own(thread);
}

namespace {

// An untied task may go on with another thread before this one tells that it has left it: so what it leaves is reported
// beforehand, with all that it will do.
void leave_beforehand(access::ThreadState& thread) {
  access::ThreadState::OwnMemory& own = thread.own_memory;
  Activation& now = thread.task->now();
  if (now.chain == ChainId::none) next_strand_of(thread, *thread.task);
  own.told = now.known.left_by({number(thread.id), ++own.turn}, now.chain, StrandId{~0u}, own.told);
  own.left_in = thread.strand();
}

} // namespace

void meet_own(access::ThreadState& thread) {
  identify(thread);
  // An untied task tells what it has learned once for each of its strands.
  const auto has_told = [&] {
    return !thread.untied || (thread.strand() != StrandId::none && thread.own_memory.left_in == thread.strand());
  };
  if (thread.asked_thread_number && has_told()) [[likely]]
    return;
  const memory::SpinGuard guard(thread.own_memory.lock);
  ask_number(thread);
  if (!has_told() && thread.races != nullptr) [[unlikely]]
    leave_beforehand(thread);
}

void find_own(access::ThreadState& thread) {
  access::ThreadState::OwnMemory& own = thread.own_memory;
  if (own.found || thread.races == nullptr) return;
  own.found = true;
  if (own.horizon != thread.horizon) own.told = {};
  own.horizon = thread.horizon;
  if (thread.task->now().known.find(own.told)) thread.task->observe();
  if (thread.untied) [[unlikely]]
    leave_beforehand(thread);
}

// What it does from now on, when it goes on, others need not have found.
void leave_own(access::ThreadState& thread) {
  access::ThreadState::OwnMemory& own = thread.own_memory;
  own.left_in = StrandId::none;
  if (!std::exchange(own.found, false) || thread.untied) return;
  const Activation& now = thread.task->now();
  own.told = now.known.left_by({number(thread.id), ++own.turn}, now.chain, now.last, own.told);
  close_strand(thread);
}

bool open_strand(access::ThreadState& thread) {
  Activation& now = thread.task->now();
  if (!now.same_past) {
    thread.keep_past(StrandId::none);
    now.same_past = true;
  }
  thread.open_strand(next_strand_of(thread, *thread.task));
  follow_own(thread);
  if (thread.alike.first() != thread.strand())
    thread.tables->note_twins(now.chain, {thread.alike.first(), thread.strand()});
  if (const std::uint32_t past = now.origin->past; past != 0 && now.as_created) thread.share_past(past);
  if (thread.task->kind == TaskKind::implicit && now.lockset == LocksetId::empty && !thread.same_past() &&
      thread.by_turns()) {
    thread.joint_reads.forget(thread.tables->generation_of_joints());
    thread.may_join();
  }
  if (now.lockset != LocksetId::empty) {
    const order::WorkUnit unit = unit_of(*thread.task);
    thread.in_unit_section = thread.own_since != StrandId::none;
    thread.in_section = !thread.in_unit_section && (unit.since == StrandId::none || unit.chain == now.chain);
  }
  thread.in_late_section = thread.in_any_section() && thread.races != nullptr && !thread.races->sync_log().complete();
  return thread.strand() != StrandId::none;
}

} // namespace fletcher::constructs
