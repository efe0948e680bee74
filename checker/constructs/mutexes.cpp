// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks, critical and ordered regions, doacross iterations, POSIX objects: what an object carries from whoever let go
// of it to whoever takes it. For locks that is only what this run observed, for the others it is guaranteed.
#include "checker/constructs/execution.hpp"

#include <thread>

namespace fletcher::constructs {

namespace {
// A runtime reports a lock's release after the lock is free: whoever has it next waits this long for the report.
constexpr int patience = 2000;

std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
  a ^= b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2);
  return a * 0xff51afd7ed558ccdu;
}
enum : std::uint64_t { mutex_space = 1, posix_space, doacross_space, siblings_space };
std::uint64_t key_of(const Mutex& m) { return mix(mutex_space + (static_cast<std::uint64_t>(m.kind) << 8), m.address); }
// Iterations are ordered within one loop of one team: the next loop, reached with nowait, may run at the same time.
std::uint64_t loop_of(const Task& member) {
  return mix(member.team != nullptr ? number(member.team->id) : 0, member.loops);
}
std::uint64_t key_of(const Mutex& m, const Task& member) {
  return m.kind == MutexKind::ordered ? mix(key_of(m), loop_of(member)) : key_of(m);
}
std::uint64_t key_of(const Doacross& e, const Task& member) {
  std::uint64_t key = mix(doacross_space, loop_of(member));
  for (const std::uint64_t i : e.iteration) key = mix(key, i);
  return key;
}
} // namespace

std::uint64_t Execution::siblings_key(const access::Exclusion& e) noexcept {
  return mix(siblings_space + (std::uint64_t{number(e.parent)} << 8), e.mutex.address);
}

Execution::Carrier& Execution::fresh(CarrierShard& shard, std::uint64_t key) const {
  Carrier& c = shard.carriers[key];
  if (const std::uint32_t now = horizon_generation(); c.generation != now) {
    c.known.clear();
    c.generation = now;
  }
  return c;
}

void Execution::forget_carriers() {
  constexpr std::size_t worth_it = 256;
  for (CarrierShard& s : shards_) {
    const memory::SpinGuard guard(s.lock);
    if (s.carriers.size() > worth_it)
      std::erase_if(s.carriers, [](const auto& c) { return c.second.holder.task == TaskId::none; });
  }
}

void Execution::publish(std::uint64_t key, const Task& task) {
  CarrierShard& s = shard(key);
  const memory::SpinGuard guard(s.lock);
  fresh(s, key).known.join(released(task));
}

void Execution::take(std::uint64_t key, Task& task, bool guaranteed) {
  CarrierShard& s = shard(key);
  const memory::SpinGuard guard(s.lock);
  const Carrier& c = fresh(s, key);
  if (c.known.empty()) return;
  if (guaranteed) {
    task.known.join(c.known);
  } else {
    task.known.observed.join(c.known.order);
    task.known.observed.join(c.known.observed);
  }
  task.learned = true;
}

Holder Execution::holder(const Mutex& mutex, const Task& asking) {
  const std::uint64_t key = key_of(mutex, asking);
  CarrierShard& s = shard(key);
  const memory::SpinGuard guard(s.lock);
  const auto at = s.carriers.find(key);
  return at == s.carriers.end() ? Holder{} : at->second.holder;
}

void Execution::mutex(const MutexEvent& e) {
  access::ThreadState& t = thread(e.thread);
  Task* holder = t.task;
  if (holder == nullptr) return;
  if (e.step == MutexStep::acquiring) {
    holder->wait = {Wait::Kind::mutex, e.mutex, e.pc};
    return;
  }
  holder->wait.kind = Wait::Kind::none;
  const bool ordered = e.mutex.kind == MutexKind::ordered;
  const std::uint64_t key = key_of(e.mutex, *holder);
  const access::Exclusion exclusion{access::Exclusion::Kind::mutex, e.mutex, TaskId::none};
  CarrierShard& s = shard(key);
  if (e.step == MutexStep::acquired) {
    const ContextId here = place(t, e.pc);
    for (int tries = 1;; ++tries) {
      s.lock.lock();
      Carrier& c = fresh(s, key);
      const TaskId before = c.holder.task;
      const bool go_on = before == TaskId::none || tries == patience;
      if (go_on) {
        c.overtaken = before;
        c.holder = {holder->id, here};
      }
      s.lock.unlock();
      if (go_on) break;
      std::this_thread::yield();
    }
    take(key, *holder, ordered);
    if (ordered) return;
    close_block(t, *holder);
    holder->lockset = locksets_.add(holder->lockset, exclusion, here);
  } else if (e.step == MutexStep::released) {
    {
      const memory::SpinGuard guard(s.lock);
      Carrier& c = fresh(s, key);
      if (c.overtaken == holder->id)
        c.overtaken = TaskId::none;
      else
        c.holder = {};
      c.known.join(released(*holder));
    }
    close_strand(t);
    if (ordered) return;
    close_block(t, *holder);
    holder->lockset = locksets_.remove(holder->lockset, exclusion);
  } else if (e.step == MutexStep::destroy || e.step == MutexStep::destroy_nest) {
    const memory::SpinGuard guard(s.lock);
    s.carriers.erase(key);
  }
}

void Execution::doacross(const Doacross& e) {
  access::ThreadState& t = thread(e.thread);
  if (t.task == nullptr) return;
  if (e.source) {
    publish(key_of(e, *t.task), *t.task);
    close_strand(t);
  } else {
    take(key_of(e, *t.task), *t.task, true);
  }
}

void Execution::release(const Release& e) {
  access::ThreadState& t = thread(e.thread);
  if (t.task == nullptr) return;
  publish(mix(posix_space, e.object), *t.task);
  close_strand(t);
}

void Execution::acquire(const Acquire& e) {
  access::ThreadState& t = thread(e.thread);
  if (t.task != nullptr) take(mix(posix_space, e.object), *t.task, true);
}

} // namespace fletcher::constructs
