// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members of a mutexinoutset exclude each other in any order, as if each held a lock; what they fork holds it too,
// which only the order of this run tells.
#include "checker/constructs/execution.hpp"

namespace fletcher::constructs {

namespace {
access::Exclusion siblings(const Task& task, const Dependence& d) {
  return {access::Exclusion::Kind::mutexinoutset, {MutexKind::lock, d.address}, task.parent()->id};
}
} // namespace

void Execution::exclude_siblings(access::ThreadState& thread, Task& task, bool begins) {
  Activation& now = task.now();
  for (const Dependence d : task.depend.items()) {
    if (d.type != DependenceType::mutexinoutset) continue;
    const access::Exclusion exclusion = siblings(task, d);
    const Mutex set{MutexKind::mutexinoutset, d.address};
    const std::uint64_t key = siblings_key(exclusion);
    if (begins) {
      now.lockset = locksets_.add(now.lockset, exclusion, task.creation);
      own(key, thread, task, set, task.creation, 0, false, true);
      now.block_left = 0;
      begin_section(thread, task, key);
    } else {
      end_section(thread, task, key);
      CarrierShard& s = shard(key);
      const memory::SpinGuard guard(s.lock);
      Carrier& c = fresh(s, key);
      tell(c, task, find_held(now.held, key));
      disown(s, c, key, task, set);
    }
  }
  now.block_left = 0; // its strands hold all of the sets
}

// A task waits for its siblings before it starts, as others wait for a mutex.
void Execution::keep_siblings(access::ThreadState& thread, const Task& task) {
  for (const Dependence d : task.depend.items()) {
    if (d.type != DependenceType::mutexinoutset) continue;
    const Mutex mutex{MutexKind::mutexinoutset, d.address};
    const std::uint64_t key = siblings_key(siblings(task, d));
    CarrierShard& s = shard(key);
    const memory::SpinGuard guard(s.lock);
    keep_taker(fresh(s, key), thread, mutex, task.creation);
  }
}

} // namespace fletcher::constructs
