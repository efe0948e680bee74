// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Critical sections as prediction wants to know them (checker/predict): an acquisition has a place of its own on its
// task's chain, so that what happened before it and what happened inside can be distinguished.
#include "checker/constructs/execution.hpp"

#include <utility>

namespace fletcher::constructs {

void Execution::begin_section(access::ThreadState& thread, Task& task, std::uint64_t key) {
  if (races_ == nullptr) return;
  predict::SyncLog& log = races_->sync_log();
  if (!log.complete()) return;
  order::Knowledge before = released(task).guaranteed();
  const StrandId acquired = next_strand_of(thread, task);
  CarrierShard& s = shard(key);
  const memory::SpinGuard guard(s.lock);
  Carrier& c = fresh(s, key);
  if (c.lock == log.none) c.lock = log.new_lock();
  if (acquired == StrandId::none) log.lose();
  c.section = log.acquired(c.lock, task.now().chain, acquired, std::move(before));
  c.begun = acquired;
  c.entered = task.id;
  c.accesses = thread.strands;
}

// Before the lock is reported as free.
void Execution::end_section(access::ThreadState& thread, Task& task, std::uint64_t key) {
  if (races_ == nullptr) return;
  predict::SyncLog& log = races_->sync_log();
  if (!log.complete()) return;
  CarrierShard& s = shard(key);
  const memory::SpinGuard guard(s.lock);
  Carrier& c = fresh(s, key);
  if (c.section == log.none) { // held since before the horizon, or the log is full
    if (c.lock == log.none) c.lock = log.new_lock();
    c.section = log.acquired(c.lock, ChainId::none, StrandId::none, {});
    if (c.section == log.none) return;
  } else if (c.entered != task.id) {
    log.lose(); // who releases another's lock uses it as a signal
  }
  log.released(c.section, released(task).guaranteed(), c.accesses == thread.strands);
  c.section = log.none;
}

// A lock that is tested in vain tells that it is held: a signal, too. That the test failed turns out when the task goes
// on without having acquired the lock.
void Execution::begin_test(access::ThreadState& thread, Task& task, std::uint64_t key) {
  if (races_ == nullptr || !races_->sync_log().complete()) return;
  thread.tested = key;
  close_strand(thread);
  // Who polls a lock and does nothing else stays where it is.
  if (const StrandId last = task.last(); last == StrandId::none || last != thread.tested_at)
    thread.tested_at = next_strand_of(thread, task);
}

void Execution::end_test(access::ThreadState& thread, std::uint64_t acquired) {
  const std::uint64_t key = std::exchange(thread.tested, 0);
  if (key == 0 || key == acquired || races_ == nullptr || number(thread.tested_at) < number(thread.horizon)) return;
  CarrierShard& s = shard(key);
  const memory::SpinGuard guard(s.lock);
  const Carrier& c = fresh(s, key);
  if (c.begun != StrandId::none) races_->read_from(thread, thread.tested_at, c.begun);
}

} // namespace fletcher::constructs
