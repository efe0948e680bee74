// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Roots: tasks that no task has created. They are the initial tasks of threads and the operations that a call begins
// and another one completes. As long as there is more than one, no part of the program is serial.
#include "checker/constructs/execution.hpp"

#include <algorithm>

namespace fletcher::constructs {

// From now on no part of the program is serial.
void Execution::end_serial_part() {
  const std::uint32_t threads = last_thread_.load(std::memory_order_acquire);
  for (std::uint32_t i = 1; i <= threads; ++i)
    if (ThreadData* d = threads_[i].load(std::memory_order_acquire);
        d != nullptr && d->task != nullptr && !d->task->now().waiting)
      set_idle((*d), false);
}

void Execution::add_root() {
  if (roots_.fetch_add(1, std::memory_order_acq_rel) != 1) return;
  end_serial_part(); // the program mixes in threads of its own
}

void Execution::watch(access::Watcher& watcher) {
  if (races_ == nullptr || watcher_.load(std::memory_order_relaxed) == &watcher) return;
  {
    const memory::SpinGuard guard(threads_lock_);
    watcher_.store(&watcher);
    const std::uint32_t threads = last_thread_.load(std::memory_order_acquire);
    for (std::uint32_t i = 1; i <= threads; ++i)
      if (ThreadData* const d = threads_[i].load(std::memory_order_acquire)) d->watcher.store(&watcher);
  }
  end_serial_part();
}

// Before the thread runs: a region that its creator begins at the same moment would be taken for the only thing that
// goes on, and forget what the thread has done.
void Execution::expect_root(const ThreadCreate& e) {
  if (e.failed)
    roots_.fetch_sub(1, std::memory_order_acq_rel);
  else
    add_root();
}

void Execution::begin_root(const InitialTaskBegin& e) {
  access::ThreadState& t = thread(e.thread);
  Task* root = new_task(t, e.task, e.kind, new_origin(t, false, nullptr, nullptr));
  if (root == nullptr) return;
  activate(t, *root);
  root->started = true;
  Activation& now = root->now();
  now.base = t.stack.base();
  if (t.task != nullptr && t.task->parent() == nullptr) {
    // The thread becomes known to the runtime, or goes on in a child of fork: what it holds it still holds.
    for (const HeldMutex& held : t.task->now().held) {
      CarrierShard& s = shard(held.key);
      const memory::SpinGuard guard(s.lock);
      fresh(s, held.key).holder.task = root->id;
    }
    now.held = std::move(t.task->now().held);
    t.task->now().held.clear();
  }
  if (!e.announced) add_root();
  if (e.kind == TaskKind::operation) [[unlikely]]
    begin_operation(t, *root, e);
  run(t, root);
}

// It comes after what its creator has done so far, and is concurrent with what that one does next. One without a
// creator, which another process began, comes after what it acquires; the thread has the stack of whoever tells it.
void Execution::begin_operation(access::ThreadState& thread_of_it, Task& operation, const InitialTaskBegin& e) {
  if (e.creator == ThreadId::none) {
    operation.creation = place(thread_of_it, e.pc);
    operation.now().base = thread_of_it.stack.base();
    return;
  }
  access::ThreadState& creator = thread(e.creator);
  operation.creation = place(creator, e.pc);
  thread_of_it.stack = creator.stack; // its accesses are those of the call
  operation.now().base = creator.stack.base();
  if (creator.task == nullptr) return;
  operation.now().known.join(released(*creator.task));
  operation.learn();
  close_released(creator);
}

void Execution::end_root(const InitialTaskEnd& e) {
  access::ThreadState& t = thread(e.thread);
  Task* root = task(e.task);
  if (root == nullptr) return;
  if (t.task == root) run(t, nullptr);
  forget_given(t, *root);
  const Activation& now = root->now();
  // Its past stays concurrent with all that have not joined it, so it goes on counting as a root until somebody has.
  const bool waited = !now.orphans && now.ended.empty() && root->references.load(std::memory_order_acquire) == 1;
  if (waited && !root->has_strands()) {
    roots_.fetch_sub(1, std::memory_order_acq_rel);
  } else if (waited) {
    const memory::SpinGuard guard(ended_roots_lock_);
    ended_roots_.push_back({now.chain, now.last});
  }
  forget_siblings(t, *root);
  drop(t, root);
}

void Execution::forget_joined_roots(const Task& task) {
  if (only_root()) return;
  const memory::SpinGuard guard(ended_roots_lock_);
  const std::size_t joined = std::erase_if(
      ended_roots_, [&](const EndedRoot& root) { return order::happens_before(tables_, root.last, position(task)); });
  roots_.fetch_sub(static_cast<std::uint32_t>(joined), std::memory_order_acq_rel);
}

} // namespace fletcher::constructs
