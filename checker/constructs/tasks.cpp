// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explicit and target tasks: the creating strand comes before the task; an undeferred task's end comes before its
// creator's next strand; the end of a detachable task is the later of its body's end and the fulfilling strand.
#include "checker/constructs/dependences.hpp"
#include "checker/constructs/execution.hpp"

#include <algorithm>
#include <ranges>
#include <span>
#include <utility>

namespace fletcher::constructs {

void Execution::create(const TaskCreate& e) {
  access::ThreadState& t = thread(e.thread);
  Task* parent = task(e.creator);
  if (parent == nullptr) return;
  Task* made = new_task(t, e.task, e.kind, parent, parent->team);
  if (made == nullptr) return;
  if (!parent->parental.load(std::memory_order_relaxed)) parent->parental.store(true, std::memory_order_relaxed);
  made->traits = e.traits;
  // Outside every region there is one thread, whatever the environment says: it runs such a task in some order with its
  // own, and two accesses by one thread are no race. A target task may run elsewhere.
  if (parent->team == nullptr && e.kind == TaskKind::explicit_) made->traits.undeferred = true;
  made->creation = place(t, e.pc);
  made->group = parent->open_group != nullptr ? parent->open_group.get() : parent->group;
  // A taskloop's chunks are made by whichever task splits the iterations, and belong to the task with the construct.
  Task& maker = t.task != nullptr ? *t.task : *parent;
  made->unit = unit_of(maker);
  made->work = maker.work;
  made->known = released(maker);
  made->learned = maker.learned && &maker != parent;
  if (t.task != nullptr) hold_around(maker, *made, &maker == parent && made->traits.undeferred);
  count(data(t).created);
  if (t.task == nullptr) {
    parent->strand = StrandId::none;
    return;
  }
  close_strand(t);
  if (parent->team == nullptr && parent->parent == nullptr && !made->traits.undeferred) {
    parent->spawned = true;
    set_idle(t, false);
  }
}

// Of several predecessors the last one created mostly knows what the others know: its clock is taken, and covers
// theirs. The first one's chain is inherited, as that is known less far.
void Execution::after_predecessors(Task& after) {
  const std::span<Task* const> before(after.predecessors.begin(), after.predecessors.end());
  const auto ancestor = std::ranges::find_if(before, [&](const Task* p) {
    return after.chain == ChainId::none && p->chain != ChainId::none && p->group == after.group &&
           tables_.inherit(p->chain, p->last);
  });
  order::Knowledge known;
  for (const Task* p : before | std::views::reverse) {
    known.join(p->known);
    if (ancestor == before.end() || p != *ancestor) known.raise(p->chain, p->last);
    // Waiting for all siblings tells the waiter of this edge too, unless the predecessor is not among those waited for:
    // it is in another taskgroup, or the wait is for an undeferred task alone.
    if (p->learned || p->group != after.group || after.traits.undeferred) after.learned = true;
  }
  if (ancestor != before.end()) {
    after.chain = (*ancestor)->chain;
    after.last = (*ancestor)->last;
  }
  known.join(after.known);
  after.known = std::move(known);
}

// Members of a mutexinoutset exclude each other in any order, as if each held a lock; what they fork holds it too,
// which only the order of this run tells.
void Execution::exclude_siblings(access::ThreadState& thread, Task& task, bool begins) {
  for (const Dependence& d : task.declared) {
    if (d.type != DependenceType::mutexinoutset) continue;
    const access::Exclusion exclusion{
        access::Exclusion::Kind::mutexinoutset, {MutexKind::lock, d.address}, task.parent->id};
    if (begins) {
      task.lockset = locksets_.add(task.lockset, exclusion, task.creation);
      own(siblings_key(exclusion), task, {MutexKind::mutexinoutset, d.address}, task.creation, 0, nullptr);
      take(siblings_key(exclusion), task, false);
      task.block_left = 0;
      begin_section(thread, task, siblings_key(exclusion));
    } else {
      publish(siblings_key(exclusion), task);
      end_section(thread, task, siblings_key(exclusion));
      disown(siblings_key(exclusion), task, {MutexKind::mutexinoutset, d.address});
    }
  }
  task.block_left = 0; // its strands hold all of the sets
}

void Execution::start(access::ThreadState& thread, Task& task) {
  task.started = true;
  task.thread = thread.id;
  task.base = thread.stack.top();
  if (!task.predecessors.empty()) {
    after_predecessors(task);
    for (Task* p : task.predecessors) drop(thread, p);
    task.predecessors.clear();
  }
  if (!task.declared.empty()) exclude_siblings(thread, task, true);
}

void Execution::switch_task(const TaskSwitch& e) {
  access::ThreadState& t = thread(e.thread);
  Task* next = task(e.next);
  if (next == nullptr || next == t.task) return;
  // An untied task's function returns where the task is put aside. Whoever ran its last part may tell so after another
  // thread has told of its end.
  const bool goes_on = next->started && next->traits.untied && (next->thread != t.id || next->below == nullptr);
  Task* left = nullptr;
  if (!next->started) {
    start(t, *next);
    // An undeferred task's body may be called by its creator's function itself: only what is below that one is its own.
    const access::Frame* caller = t.stack.top() != t.stack.begin() ? t.stack.top() - 1 : nullptr;
    const Address below = caller != nullptr && caller->stack_pointer != 0 ? caller->stack_pointer : e.stack_base;
    next->stack_base = std::min(e.stack_base, below);
    forget_stack(t, next->stack_base); // of calls that the interrupted task made and that have returned
    next->below = t.task;              // whoever is started on top of another keeps it from going on
  } else if (goes_on) {
    next->thread = t.id;
    next->base = t.stack.top();
    next->stack_base = e.stack_base;
    next->below = t.task;
    next->strand = StrandId::none;
    forget_stack(t, next->stack_base);
  } else if (t.task != nullptr && t.untied) { // put aside, or over
    forget_stack(t, t.part_base);
    left = std::exchange(t.task, nullptr);
    if (left->thread == t.id) left->below = nullptr;
  }
  if (next->traits.untied) t.part_base = next->stack_base;
  run(t, next);
  if (left != nullptr) drop(t, left);
}

// What lies below `end`, down to the deepest point that the thread reached, are frames of functions that have returned.
void Execution::forget_stack(access::ThreadState& thread, Address end) noexcept {
  if (races_ == nullptr || end <= thread.stack_low || end > thread.stack_high) return;
  const Address deepest = std::min(thread.stack_touched, thread.stack.lowest());
  if (deepest < end && deepest >= thread.stack_low) races_->shadow().clear(deepest, end - deepest);
  thread.stack_touched = end;
  thread.stack.reset_lowest(end);
}

void Execution::end(const TaskEnd& e) {
  access::ThreadState& t = thread(e.thread);
  Task* over = task(e.task);
  if (over == nullptr) return;
  if (!over->started) start(t, *over); // discarded: who waits for it comes after its predecessors all the same
  const bool was_running = t.task == over;
  // The runtime gives memory in whole granules, whatever size it says.
  if (races_ != nullptr && e.block != 0) races_->shadow().clear(e.block, (e.block_size + 7) & ~std::size_t{7});
  if (was_running) {
    forget_stack(t, over->stack_base);
    t.stack.unwind_to(over->base);
    run(t, nullptr);
  }
  Task* next = task(e.next);
  if (e.detached && over->traits.undeferred) { // its creator waits for the body, not for the event
    over->parent->known.join(over->known);
    over->parent->known.raise(over->chain, over->last);
    over->parent->learned = true;
    over->traits.undeferred = false;
  }
  // A detached task and its fulfilment may be told by two threads at once: the later one completes it.
  bool complete_now = !e.detached;
  if (e.detached) {
    const memory::SpinGuard guard(over->lock);
    complete_now = over->rare().fulfiller != nullptr;
    over->body_ended = true;
  }
  if (complete_now) complete(t, *over);
  if (was_running) {
    run(t, next);
    if (t.untied) t.part_base = next->stack_base;
  }
}

void Execution::fulfill(const TaskFulfill& e) {
  access::ThreadState& t = thread(e.thread);
  Task* detached = task(e.task);
  if (detached == nullptr) return;
  auto knowledge = std::make_unique<order::Knowledge>();
  if (t.task != nullptr) {
    *knowledge = released(*t.task);
    close_strand(t);
  }
  bool complete_now = false;
  {
    const memory::SpinGuard guard(detached->lock);
    Rare& rare = detached->rare();
    if (rare.fulfiller != nullptr) return;
    rare.fulfiller = std::move(knowledge);
    complete_now = detached->body_ended;
  }
  if (complete_now) complete(t, *detached);
}

// What nobody waited for in the task is waited for by the innermost construct around it that waits for descendants.
void Execution::hand_over(Task& task, Ended& ended) {
  if (ended.empty()) return;
  if (task.group != nullptr) {
    const memory::SpinGuard guard(task.group->lock);
    add(task.group->deep, ended);
  } else if (task.team != nullptr) {
    const memory::SpinGuard guard(task.team->lock);
    add(task.team->gathering, ended);
  } else {
    Task* root = &task;
    while (root->parent != nullptr) root = root->parent;
    root->orphans = true;
  }
}

void Execution::complete(access::ThreadState& thread, Task& task) {
  if (task.rare_ != nullptr && task.rare_->fulfiller != nullptr) {
    task.known.join(*task.rare_->fulfiller);
    task.learned = true;
  }
  if (!task.declared.empty()) exclude_siblings(thread, task, false);
  if (task.has_strands()) tables_.end_chain(task.chain, task.last);
  if (task.parental.load(std::memory_order_relaxed)) {
    Ended unwaited;
    {
      const memory::SpinGuard guard(task.lock);
      task.complete.store(true, std::memory_order_release);
      add(unwaited, task.ended);
    }
    hand_over(task, unwaited);
    forget_siblings(thread, task);
  } else {
    task.complete.store(true, std::memory_order_release);
  }
  tell_waiter(thread, task);
  count(data(thread).completed);
  drop(thread, &task);
}

// Whoever waits for the task comes after it.
void Execution::tell_waiter(access::ThreadState& thread, Task& task) {
  Task& parent = *task.parent;
  if (task.traits.undeferred) return join(thread, parent, task);
  if (!task.has_strands() && !task.learned) return;
  if (task.group != nullptr && task.group->owner == &parent) {
    const memory::SpinGuard guard(task.group->lock);
    return add(task.group->direct, task);
  }
  {
    const memory::SpinGuard guard(parent.lock);
    if (!parent.complete.load(std::memory_order_relaxed)) return add(parent.ended, task);
  }
  Ended own;
  add(own, task);
  hand_over(task, own);
}

} // namespace fletcher::constructs
