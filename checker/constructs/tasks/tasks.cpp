// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explicit and target tasks: the creating strand comes before the task; an undeferred task's end comes before its
// creator's next strand.
#include "checker/constructs/dependences/dependences.hpp"
#include "checker/constructs/execution.hpp"
#include "checker/constructs/tasks/creators_chain.hpp"

#include <algorithm>
#include <utility>

namespace fletcher::constructs {

// A number that is new wherever its children know what no other tasks know.
inline std::uint32_t Execution::past_of_children(access::ThreadState& thread, Task& maker,
                                                 const order::WorkUnit& unit) noexcept {
  Activation& now = maker.now();
  if (now.as_created && now.origin->past != 0 && now.origin->unit == unit) return now.origin->past;
  const bool as_given = now.as_given;
  now.as_given = true;
  if (as_given && now.given != nullptr && now.given->unit == unit && now.given->past != 0) return now.given->past;
  ThreadData& d = data(thread);
  constexpr std::uint32_t at_once = 1024;
  if (d.pasts % at_once == 0) d.pasts = pasts_.fetch_add(at_once, std::memory_order_relaxed);
  return std::max(++d.pasts & Origin::most_past, 1u);
}

inline Origin* Execution::origin_of_child(access::ThreadState& thread, Task& maker, Task& parent, bool waits) {
  Activation& now = maker.now();
  Taskgroup* const group = parent.now().open_group != nullptr ? parent.now().open_group.get() : parent.group();
  const order::WorkUnit unit = unit_to_create_in(maker);
  const bool holds = !now.held.empty() || maker.origin().held_around != nullptr;
  Origin* const known = now.given;
  if (known != nullptr && known->parent == &parent && known->group == group && known->work == now.work &&
      known->unit == unit && !holds && known->held_around == nullptr &&
      known->known.is_with(now.known, now.chain, now.last)) {
    constexpr std::uint32_t at_once = 1u << 10; // one locked instruction for so many tasks
    if (now.given_references == 1) {
      known->references.fetch_add(at_once, std::memory_order_relaxed);
      now.given_references += at_once;
    }
    --now.given_references;
    return known;
  }
  Origin* const made = new_origin(thread, true, &parent, parent.team());
  if (made == nullptr) [[unlikely]]
    return nullptr;
  if (!holds && &maker == &parent) made->past = past_of_children(thread, maker, unit) & Origin::most_past;
  made->group = group;
  made->work = now.work;
  if (unit.chain != ChainId::none) made->unit = unit;
  made->known = released(maker);
  if (thread.task != nullptr && holds) [[unlikely]]
    hold_around(maker, *made, &maker == &parent && waits);
  if (holds || &maker != &parent) [[unlikely]]
    return made; // mostly not asked for again
  if (Origin* const before = std::exchange(now.given, made)) drop(thread, before, now.given_references);
  constexpr std::uint32_t at_first = 8;
  now.given_references = at_first;
  made->references.store(at_first + 1, std::memory_order_relaxed);
  return made;
}

Task* Execution::create(access::ThreadState& t, Task* parent, const TaskCreate& e) {
  if (parent == nullptr) return nullptr;
  shares_kept(t);
  Activation& now = parent->now();
  // Outside every region there is one thread, whatever the environment says: it runs such a task in some order with its
  // own, and two accesses by one thread are no race. A target task may run elsewhere.
  const bool outside = parent->team() == nullptr;
  const bool undeferred = e.traits.undeferred || (outside && e.kind == TaskKind::explicit_);
  // A taskloop's chunks are made by whichever task splits the iterations, and belong to the task with the construct.
  Task& maker = t.task != nullptr ? *t.task : *parent;
  const bool splits = &maker != parent && maker.taskloop;
  Task* made = new_task(t, e.task, e.kind, origin_of_child(t, maker, *parent, undeferred));
  if (made == nullptr) return nullptr;
  if (!now.parental.load(std::memory_order_relaxed)) {
    // Its children's records will refer to its own. Made by one of them, it would take a locked instruction.
    if (races_ != nullptr && t.task == parent) record_of(t, *parent);
    now.parental.store(true, std::memory_order_relaxed);
    if (const order::RecordId record = now.record.load(std::memory_order_acquire); record != order::RecordId::none)
      tables_.task(record).set(order::Trait::parental);
  }
  made->undeferred = undeferred;
  made->untied = e.traits.untied;
  made->reaches_no_frame = e.traits.reaches_no_frame;
  made->taskloop = e.traits.taskloop || splits;
  made->creation = splits ? maker.creation : place(t, e.pc); // the thread that splits knows of no construct
  made->learned = maker.learned && &maker != parent;
  count(data(t).created);
  if (t.task == nullptr) [[unlikely]] {
    now.strand = StrandId::none;
    return made;
  }
  if (!made->undeferred) {
    const StrandId past = t.past();
    close_strand(t);
    t.keep_past(past); // the task tells its creator nothing
  }
  if (outside && parent->parent() == nullptr && !undeferred) [[unlikely]] {
    now.spawned = true;
    set_idle(t, false);
  }
  return made;
}

void Execution::start(access::ThreadState& thread, Task& task) {
  if (!task.active()) [[likely]]
    activate(thread, task);
  Activation& now = task.now();
  now.thread = thread.id;
  now.base = thread.stack.top();
  if (task.undeferred) [[unlikely]]
    borrow_chain(thread, task);
  if (task.depend.empty()) [[likely]] {
    task.started = true;
    return;
  }
  if (const auto before = task.depend.predecessors(); !before.empty()) {
    after_predecessors(task);
    for (Task* p : before) drop(thread, p);
  }
  task.started = true; // its predecessors are nobody's business from now on
  if (task.depend.excludes()) exclude_siblings(thread, task, true);
}

namespace {

// What an untied task does from now on it does on this thread: its strands refer to a record that says so. It may yet
// create tasks, which come after what the record so far is of.
void continue_on(const access::ThreadState& thread, Activation& now) noexcept {
  now.thread = thread.id;
  if (const order::RecordId before = now.record.load(std::memory_order_acquire); before != order::RecordId::none)
    thread.tables->task(before).set(order::Trait::parental);
  now.record.store(order::RecordId::none, std::memory_order_release);
  now.block_left = 0;
}

} // namespace

void Execution::switch_task(Task* next, const TaskSwitch& e) {
  access::ThreadState& t = thread(e.thread);
  if (next == nullptr || next == t.task) return;
  // An untied task's function returns where the task is put aside. The thread of its last part may tell so after
  // another thread has reported its end.
  const bool starts = !next->started;
  if (starts) start(t, *next);
  Activation& now = next->now();
  const bool goes_on = !starts && next->untied && (now.thread != t.id || now.below == nullptr);
  Task* left = nullptr;
  if (starts) [[likely]] {
    // An undeferred task's body may be called by its creator's function itself: only what is below that one is its own.
    const access::Frame* caller = t.stack.top() != t.stack.begin() ? t.stack.top() - 1 : nullptr;
    const Address below = caller != nullptr && caller->stack_pointer != 0 ? caller->stack_pointer : e.stack_base;
    now.stack_base = std::min(e.stack_base, below);
    forget_stack(t, now.stack_base); // of calls that the interrupted task made and that have returned
    now.below = t.task;              // a task on top of another keeps it from going on
  } else if (goes_on) {
    if (now.thread != t.id) continue_on(t, now);
    now.base = t.stack.top();
    now.stack_base = e.stack_base;
    now.below = t.task;
    now.strand = StrandId::none;
    forget_stack(t, now.stack_base);
  } else if (t.task != nullptr && t.untied) { // put aside, or over
    forget_stack(t, t.part_base);
    left = std::exchange(t.task, nullptr);
    if (Activation& aside = left->now(); aside.thread == t.id) aside.below = nullptr;
  }
  if (next->untied) [[unlikely]]
    t.part_base = now.stack_base;
  run(t, next);
  if (left != nullptr) [[unlikely]]
    drop(t, left);
  if (starts && next->depend.excludes()) [[unlikely]]
    keep_siblings(t, *next);
}

// What lies below `end`, down to the deepest point that the thread reached, are frames of functions that have returned.
void Execution::forget_stack(access::ThreadState& thread, Address end) noexcept {
  if (races_ == nullptr || end <= thread.stack_low || end > thread.stack_high) return;
  const Address deepest = std::min(thread.stack_touched, thread.stack.lowest());
  thread.told_ranges.forget();
  if (deepest < end && deepest >= thread.stack_low) races_->shadow().clear(deepest, end - deepest);
  thread.stack_touched = end;
  thread.stack.reset_lowest(end);
}

void Execution::end(access::ThreadState& t, Task* over, const TaskEnd& e) {
  if (over == nullptr) return;
  if (!over->started) [[unlikely]]
    start(t, *over); // discarded: who waits for it comes after its predecessors all the same
  const bool was_running = t.task == over;
  // The runtime gives memory in whole granules, whatever size it says.
  if (races_ != nullptr && e.block != 0) races_->shadow().clear(e.block, (e.block_size + 7) & ~std::size_t{7});
  if (was_running) [[likely]] {
    forget_stack(t, over->now().stack_base);
    t.stack.unwind_to(over->now().base);
    leave(t);
  }
  Task* next = task(e.next);
  if (e.detached && over->undeferred) [[unlikely]] { // its creator waits for the body, not for the event
    order::Knowledge& creator = over->parent()->now().known;
    creator.join(over->known());
    if (over->now().on_creators_chain)
      give_back_chain(*over);
    else
      creator.raise(over->chain(), over->last());
    over->parent()->learn();
    over->undeferred = false;
  }
  // A detached task and its fulfilment may be reported by two threads at once: the later one completes it.
  bool complete_now = !e.detached;
  if (e.detached) [[unlikely]] {
    const memory::SpinGuard guard(over->lock);
    complete_now = is_fulfilled(*over);
    over->body_ended = true;
  }
  if (complete_now) [[likely]]
    complete(t, *over);
  if (was_running) [[likely]] {
    run(t, next);
    if (t.untied) [[unlikely]]
      t.part_base = next->now().stack_base;
  }
}

// What nobody waited for in the task is waited for by the innermost construct around it that waits for descendants.
template <class What> void Execution::hand_over(Task& task, What& ended) {
  const Origin& origin = task.origin();
  if (origin.group != nullptr) {
    const memory::SpinGuard guard(origin.group->lock);
    add(origin.group->deep, ended);
  } else if (origin.team != nullptr) {
    const memory::SpinGuard guard(origin.team->lock);
    add(origin.team->gathering, ended);
  } else {
    Task* root = &task;
    while (root->parent() != nullptr) root = root->parent();
    root->now().orphans = true;
  }
}

// Of a task that created others. Mostly it has waited for all of them.
void Execution::complete_parent(access::ThreadState& thread, Task& task) {
  Activation& now = task.now();
  if (task.is_childless() && now.ended_here == ChainId::none && now.ended.empty()) {
    task.complete.store(true, std::memory_order_release);
  } else {
    Ended unwaited;
    take_here(task, unwaited);
    {
      const memory::SpinGuard guard(task.lock);
      task.complete.store(true, std::memory_order_release);
      add(unwaited, now.ended);
    }
    if (!unwaited.empty()) hand_over(task, unwaited);
  }
  forget_siblings(thread, task);
}

// A task that waits for it comes after it.
inline void Execution::tell_waiter(access::ThreadState& thread, Task& task) {
  const Origin& origin = task.origin();
  Task& parent = *origin.parent;
  if (task.undeferred) [[unlikely]]
    return join(thread, parent, task);
  if (!task.has_strands() && !task.learned) return;
  if (origin.group != nullptr && origin.group->owner == &parent) {
    const memory::SpinGuard guard(origin.group->lock);
    return add(origin.group->direct, task);
  }
  if (parent.kind == TaskKind::explicit_ && !task.learned && parent.is_of(thread.id) && !parent.complete)
    return tables_.push(parent.now().ended_here, task.now().chain);
  {
    const memory::SpinGuard guard(parent.lock);
    if (!parent.complete.load(std::memory_order_relaxed)) return add(parent.now().ended, task);
  }
  hand_over(task, task);
}

void Execution::complete(access::ThreadState& thread, Task& task) {
  Activation& now = task.now();
  if (fulfilments_.any()) [[unlikely]]
    take_fulfiller(task);
  if (task.depend.excludes()) [[unlikely]]
    exclude_siblings(thread, task, false);
  if (now.on_creators_chain) [[unlikely]]
    give_back_chain(task);
  else if (task.has_strands())
    tables_.end_chain(now.chain, now.last);
  if (now.given != nullptr) forget_given(thread, task);
  if (now.parental.load(std::memory_order_relaxed))
    complete_parent(thread, task);
  else
    task.complete.store(true, std::memory_order_release);
  tell_waiter(thread, task);
  count(data(thread).completed);
  give_up(thread, task, 0);
}

} // namespace fletcher::constructs
