// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// taskwait and taskgroup: the ends of the direct children, or of all descendants created inside, come before the
// waiter's next strand.
#include "checker/constructs/dependences/dependences.hpp"
#include "checker/constructs/execution.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace fletcher::constructs {

// Where the waiter's strand goes on through the wait, what it did before seems to come after the ended tasks to
// everybody but the waiter. Accesses are not judged by that; the rules about locks are.
StrandId Execution::strand_after_wait(access::ThreadState& thread, Task& waiter) {
  const bool runs = thread.task == &waiter;
  StrandId open = runs ? thread.strand() : waiter.now().strand;
  if (open == StrandId::none || races_ == nullptr || !waiter.now().held.empty()) {
    open = next_strand_of(thread, waiter);
    if (runs) {
      thread.set_strand(open);
      follow_own(thread);
    } else {
      waiter.now().strand = open;
    }
  }
  waiter.now().begin_past();
  return open;
}

// The waiter need not know the chains that it waited for: they are forwarded to its own, and a task that comes after
// the waiter finds them there. Only what the ended tasks learned from elsewhere has to be joined.
void Execution::join(access::ThreadState& thread, Task& waiter, Ended& ended) {
  if (!ended.chains.empty()) {
    const StrandId open = strand_after_wait(thread, waiter);
    tables_.take(ended.chains, [&](ChainId c) {
      if (open != StrandId::none) tables_.forward(c, {waiter.now().chain, open});
    });
  }
  learn(waiter, ended.knowledge.take());
}

void Execution::join(access::ThreadState& thread, Task& waiter, Task& ended) {
  // It knew all that its waiter knows, if that has learned and done nothing since.
  const Activation& now = waiter.now();
  const bool knows_all = ended.learned && ended.origin().known.is_with(now.known, now.chain, now.last);
  if (ended.has_strands()) {
    const StrandId open = strand_after_wait(thread, waiter);
    if (open != StrandId::none) tables_.forward(ended.now().chain, {waiter.now().chain, open});
  }
  if (!ended.learned) return;
  if (knows_all) {
    waiter.now().known = ended.now().known;
    waiter.learn();
  } else {
    learn(waiter, ended.now().known);
  }
}

void Execution::learn(Task& waiter, const order::Knowledge& knowledge) {
  if (knowledge.empty()) return;
  waiter.now().known.join(knowledge);
  waiter.learn();
}

void Execution::add(Ended& to, const Task& ended) {
  if (ended.has_strands()) tables_.append(to.chains, ended.now().chain);
  if (ended.learned) to.knowledge.add(ended.now().known);
}

void Execution::add(Ended& to, Ended& from) {
  tables_.append(to.chains, std::exchange(from.chains, {}));
  to.knowledge.add(from.knowledge);
}

void Execution::take_here(Task& task, Ended& to) {
  Activation& now = task.now();
  if (now.ended_here == ChainId::none) return;
  tables_.append(to.chains, tables_.whole(std::exchange(now.ended_here, ChainId::none)));
}

// A taskwait leaves alone what only the end of a taskgroup, or a barrier, waits for: descendants of the children.
void Execution::take_unwaited(Task& task, Ended& to, bool descendants) {
  const auto take = [&](memory::SpinLock& lock, Ended& from) {
    const memory::SpinGuard guard(lock);
    add(to, from);
  };
  take(task.lock, task.now().ended);
  for (Taskgroup* g = task.now().open_group.get(); g != nullptr; g = g->outer.get()) {
    take(g->lock, g->direct);
    if (descendants) take(g->lock, g->deep);
  }
}

// Nothing that its children declared so far matters to its later ones: they come after them, or there are none.
void Execution::forget_children(access::ThreadState& thread, Task& task) {
  if (DependenceMap* const siblings = task.now().siblings.get()) siblings->clear([&](Task* s) { drop(thread, s); });
  UsedByChildren* const used = task.used();
  if (used == nullptr) return;
  if (used->storage != nullptr) used->storage->forget_items();
  if (!used->has_captures()) return; // nothing since the last time
  used->lowest = ~Address{0};
  used->of_ancestors = false;
  for (UsedByChildren::Capture& c : used->captures)
    if (c.child != nullptr) drop_capture(thread, task, std::exchange(c.child, nullptr));
  if (!used->any_left.load(std::memory_order_relaxed)) return;
  for (const UsedByChildren::Left& l : take_left(task)) drop(thread, l.child);
}

bool Execution::is_awaited(const Task& descendant, const Task& task) const {
  return descendant.last() != StrandId::none && ended_before(descendant, task);
}

// Of a variable that the task or an ancestor gave to a child, as a capture says: another task that has its address may
// use it as it likes.
void Execution::forget_awaited(access::ThreadState& thread, Task& task) {
  UsedByChildren* const used = task.used();
  if (used == nullptr || !used->any_left.load(std::memory_order_relaxed)) [[likely]]
    return forget_siblings(thread, task);
  using Capture = UsedByChildren::Capture;
  const std::array<Capture, 4> given = used->captures;
  std::vector<UsedByChildren::Left> left = take_left(task);
  for (Capture& c : used->captures)
    if (c.child != nullptr && c.child->parent() != &task) left.push_back({c.variable, std::exchange(c.child, nullptr)});
  forget_siblings(thread, task);
  auto place = used->captures.begin();
  for (const UsedByChildren::Left& l : left) {
    const auto by =
        std::ranges::find_if(given, [&](const Capture& c) { return c.child != nullptr && c.variable == l.variable; });
    if (by == given.end() || place == used->captures.end() || is_awaited(*l.child, task)) {
      drop(thread, l.child);
      continue;
    }
    const bool in_call = by->is_own() && by->to_stack_pointer != Capture::elsewhere;
    *place++ = {l.variable, l.child, in_call ? Capture::unknown : by->to_stack_pointer, 0};
    if (by->is_own())
      used->lowest = std::min(used->lowest, l.variable);
    else
      used->of_ancestors = true;
    used->any_left.store(true, std::memory_order_relaxed);
  }
}

std::vector<UsedByChildren::Left> Execution::take_left(Task& task) {
  const memory::SpinGuard guard(task.lock);
  task.used()->any_left.store(false, std::memory_order_relaxed);
  return std::exchange(task.used()->left, {});
}

void Execution::leave_captures(access::ThreadState& thread, Task& task) {
  std::vector<UsedByChildren::Left> left = take_left(task);
  for (UsedByChildren::Capture& c : task.used()->captures) {
    if (c.child == nullptr || c.is_own()) continue;
    if (c.child->parent() == &task) retain(*c.child);
    left.push_back({c.variable, c.child});
    if (Task* const child = std::exchange(c.child, nullptr); child->parent() == &task)
      drop_capture(thread, task, child);
  }
  for (const UsedByChildren::Left& l : left)
    if (task.captures && !is_awaited(*l.child, task))
      leave_to(thread, task.parent(), l);
    else
      drop(thread, l.child);
}

void Execution::leave_to(access::ThreadState& thread, Task* ancestor, UsedByChildren::Left left) {
  for (; ancestor != nullptr; ancestor = ancestor->captures ? ancestor->parent() : nullptr) {
    const memory::SpinGuard guard(ancestor->lock);
    if (ancestor->complete.load(std::memory_order_relaxed)) continue;
    ancestor->used()->left.push_back(left);
    ancestor->used()->any_left.store(true, std::memory_order_relaxed);
    return;
  }
  drop(thread, left.child);
}

bool Execution::ended_before(const Task& earlier, const Task& later) const {
  return earlier.complete.load(std::memory_order_acquire) &&
         (earlier.last() == StrandId::none || number(earlier.last()) < number(horizon()) ||
          order::happens_before(tables_, earlier.last(), position(later)));
}

void Execution::taskwait(access::ThreadState& thread, Task& task) {
  // All children are over: later siblings come after them anyway.
  forget_awaited(thread, task);
  Activation& now = task.now();
  if (now.ended_here != ChainId::none) {
    const StrandId open = strand_after_wait(thread, task);
    tables_.take(now.ended_here, [&](ChainId c) {
      if (open != StrandId::none) tables_.forward(c, {now.chain, open});
    });
  }
  if (!task.is_childless() || now.open_group != nullptr || !now.ended.empty()) {
    Ended ended;
    take_unwaited(task, ended, false);
    join(thread, task, ended);
  }
  try_horizon(thread, task);
}

void Execution::begin_taskgroup(Task& task) {
  auto group = std::make_unique<Taskgroup>();
  group->owner = &task;
  group->inherited = task.group();
  group->outer = std::move(task.now().open_group);
  task.now().open_group = std::move(group);
}

void Execution::end_taskgroup(access::ThreadState& thread, Task& task) {
  std::unique_ptr<Taskgroup>& open = task.now().open_group;
  if (open == nullptr) return;
  const std::unique_ptr<Taskgroup> group = std::move(open);
  open = std::move(group->outer);
  add(group->direct, group->deep);
  join(thread, task, group->direct);
  if (UsedByChildren* const used = task.used())
    for (UsedByChildren::Capture& c : used->captures)
      if (c.child != nullptr && c.child->group() == group.get())
        drop_capture(thread, task, std::exchange(c.child, nullptr));
  try_horizon(thread, task);
}

} // namespace fletcher::constructs
