// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/locks/lock_order.hpp"

#include "checker/memory/hash.hpp"
#include "checker/rules/team_memory.hpp"

#include <algorithm>
#include <bit>

namespace fletcher::rules {

namespace {

constexpr std::size_t longest_cycle = 16;
constexpr std::size_t most_held = 64; ///< by a task whose waits are kept
constexpr unsigned patience = 20000;  ///< steps of one search

TaskId owner(const LockAround& around, const LockWait& wait) {
  return around.owner != TaskId::none ? around.owner : wait.task;
}

bool hold_one_lock(const LockDependency& a, const LockDependency& b) {
  return std::any_of(a.held.begin(), a.held.end(), [&](const LockAround& x) {
    return std::any_of(b.held.begin(), b.held.end(), [&](const LockAround& y) { return x.lock.key == y.lock.key; });
  });
}

/// A lock that the two hold apart from each other keeps them from waiting at the same time (gate lock).
bool have_gate(const LockDependency& a, const LockWait& in_a, const LockDependency& b, const LockWait& in_b) {
  return std::any_of(a.held.begin(), a.held.end(), [&](const LockAround& x) {
    return std::any_of(b.held.begin(), b.held.end(), [&](const LockAround& y) {
      return x.lock.key == y.lock.key && owner(x, in_a) != owner(y, in_b);
    });
  });
}

/// Another task may have unset what this one set.
void drop_unset(constructs::Execution& execution, constructs::Task& task) {
  for (std::size_t i = task.now().held.size(); i-- > 0;)
    if (execution.holder_of(task.now().held.begin()[i].key).task != task.id)
      task.now().held.erase(task.now().held.begin() + i);
}

/// A table that is locked as a whole: what is held around each wait would take memory by the square of its locks. Who
/// holds that many is looked at each time that they have doubled.
bool holds_too_many(constructs::Execution& execution, constructs::Task& task) {
  const std::size_t around = task.origin().held_around == nullptr ? 0 : task.origin().held_around->size();
  const std::size_t own = task.now().held.size();
  if (own + around <= most_held) return false;
  if (std::has_single_bit(own)) drop_unset(execution, task);
  return task.now().held.size() + around > most_held;
}

} // namespace

// C++'s mutexes have neither a beginning nor an end that could be seen: on a stack, the next frame may have another one
// at the same address; and so may the next block of the heap, where its end is not reported.
bool LockOrder::may_become_another(const access::ThreadState& thread, const Mutex& mutex) const {
  if (mutex.kind != MutexKind::posix) return false;
  if (memory_ != nullptr) return !memory_->is_static(mutex.address);
  return thread.in_stack(mutex.address) || execution_.owner_of_stack(mutex.address) != nullptr;
}

LocksAround LockOrder::locks_around(constructs::Task& task) {
  drop_unset(execution_, task);
  LocksAround result;
  for (const constructs::HeldMutex& held : task.now().held) result.push_back({held, TaskId::none, true});
  if (task.origin().held_around == nullptr) return result;
  // Who creates tasks inside a critical section may wait for them there. If it has left already, it did not.
  for (const constructs::HeldAround& around : *task.origin().held_around)
    if (around.waits || execution_.holder_of(around.held.key).task == around.owner)
      result.push_back({around.held, around.owner, around.waits});
  return result;
}

void LockOrder::renew() {
  const std::uint32_t now = execution_.horizon_generation();
  if (generation_ == now) return;
  dependencies_.clear(); // everything older comes before everything to come
  posix_.clear();
  posix_low_ = ~Address{0};
  posix_high_ = 0;
  generation_ = now;
}

void LockOrder::wants(access::ThreadState& thread, const Mutex& mutex, Address pc) {
  constructs::Task* const task = thread.task;
  if (task == nullptr || (task->now().held.empty() && task->origin().held_around == nullptr)) return;
  if (may_become_another(thread, mutex) || holds_too_many(execution_, *task)) return;
  LocksAround held = locks_around(*task);
  const std::uint64_t key = constructs::Execution::mutex_key(mutex, *task);
  std::uint64_t hash = memory::mix(key, pc);
  bool blocks = false;
  for (LockAround& around : held) {
    if (around.lock.key == key) return; // waits for itself or for who waits for it, whatever others do
    around.blocks = around.blocks && !may_become_another(thread, around.lock.mutex);
    blocks = blocks || around.blocks;
    hash = memory::mix(memory::mix(hash, around.lock.key), execution_.calls().pc(around.lock.acquired));
    hash = memory::mix(hash, number(around.owner) * 2 + (around.blocks ? 1 : 0));
    for (const constructs::LeftMutex& left : around.lock.left) hash = memory::mix(hash, left.key);
  }
  if (!blocks) return;
  const bool knows_nothing = constructs::has_number(*task) && task->rare().strands_at_draw == thread.strands;
  const auto settled_as = [&] {
    return memory::mix(
        memory::mix(hash, number(thread.strand())),
        memory::mix(version_.load(std::memory_order_acquire),
                    std::uint64_t{execution_.tables().sweeps()} << 32 | execution_.horizon_generation()));
  };
  std::atomic<std::uint64_t>* const settled = settled_ ? &settled_[hash % settled_.capacity()] : nullptr;
  if (settled != nullptr && thread.strand() != StrandId::none &&
      settled->load(std::memory_order_relaxed) == settled_as())
    return;

  const memory::SpinGuard guard(lock_);
  renew();
  some_.store(true, std::memory_order_relaxed);
  const constructs::HeldMutex wanted{key, mutex, execution_.place(thread, pc)};
  LockDependency& dependency = dependencies_.entry(hash, wanted, held);
  const order::Position now = constructs::position(*task);
  if (dependency.waits.empty()) {
    const auto keep = [&](const constructs::HeldMutex& lock) {
      if (lock.mutex.kind != MutexKind::posix) return;
      posix_[lock.mutex.address] = lock.key;
      posix_low_ = std::min(posix_low_.load(), lock.mutex.address);
      posix_high_ = std::max(posix_high_.load(), lock.mutex.address);
    };
    keep(wanted);
    for (const LockAround& around : held) keep(around.lock);
  }
  // What a wait before this one could still meet, this one meets too. Where there is no room, the waits mostly go
  // together, at some wait for all of their tasks: one is asked at a time.
  const auto is_over = [&](const LockWait& wait) {
    return wait.strand != thread.strand() && order::happens_before(execution_.tables(), wait.strand, now);
  };
  const std::size_t room = LockDependencies::max_waits - dependency.waits.size();
  if (room > 0 || is_over(dependency.waits[++dependency.looked_at % LockDependencies::max_waits]))
    dependency.waits.erase(std::remove_if(dependency.waits.begin(), dependency.waits.end(), is_over),
                           dependency.waits.end());
  const bool known = std::any_of(dependency.waits.begin(), dependency.waits.end(),
                                 [&](const LockWait& wait) { return wait.strand == thread.strand(); });
  if (!known && dependency.waits.size() < LockDependencies::max_waits) {
    if (!execution_.open_for_rule(thread)) return;
    dependency.waits.push_back(wait_now(thread, *task, knows_nothing));
    version_.fetch_add(1, std::memory_order_release);
  }
  if (!dependency.reported && dependencies_.may_be_on_cycle(dependency)) {
    if (!execution_.open_for_rule(thread)) return;
    const LockWait mine = wait_now(thread, *task, knows_nothing);
    Path path{{&dependency, &mine}};
    unsigned steps = patience;
    search(path, now, steps, [&](const Path& circle) {
      if (!of_one_task(circle) || are_there_for_team(*task, circle)) report(circle);
    });
  }
  if (settled != nullptr) settled->store(settled_as(), std::memory_order_relaxed);
}

// Units of work are distinguished by what their thread may know, which takes accesses.
LockWait LockOrder::wait_now(const access::ThreadState& thread, const constructs::Task& task,
                             bool knows_nothing) const {
  LockWait wait{task.id, thread.strand(), task.chain(), task.known()};
  if (log_ == nullptr || task.now().asked_thread_number || task.now().knows_thread) return wait;
  wait.unit = constructs::unit_number(task);
  wait.knows_nothing = knows_nothing;
  return wait;
}

// One task waited twice, in units of work that two threads could have executed, and what it may have learned of itself
// it had not learned the first time.
bool LockOrder::in_other_unit(const LockWait& past, const LockWait& mine, const order::Position& now) noexcept {
  return past.task == mine.task && past.unit != 0 && mine.unit != 0 && past.unit != mine.unit &&
         past.chain == mine.chain && now.unit.chain == mine.chain &&
         (past.knows_nothing || number(past.strand) < number(now.unit.since));
}

bool LockOrder::of_one_task(const Path& path) noexcept {
  return std::any_of(path.begin() + 1, path.end(),
                     [&](const auto& node) { return node.second->task == path.front().second->task; });
}

// Another thread that executed the unit would have taken locks of its own else.
bool LockOrder::are_there_for_team(const constructs::Task& member, const Path& path) const {
  return std::all_of(path.begin(), path.end(), [&](const auto& node) {
    return is_there_for_team(execution_, all_memory_, member, node.first->wanted.mutex.address);
  });
}

bool LockOrder::before(const LockWait& a, const LockWait& b) const noexcept {
  return order::detail::reaches(execution_.tables(), a.strand, [&](ChainId chain, StrandId strand) {
    return number(chain == b.chain ? b.strand : b.known.get(chain)) >= number(strand);
  });
}

// Depth first from the wait that happens now: each further wait is for a lock, or the first one's, that the one before
// holds, is concurrent with all so far, and shares no gate with any.
template <class OnCircle>
void LockOrder::search(Path& path, const order::Position& now, unsigned& steps, const OnCircle& on_circle) {
  const LockDependency& first = *path.front().first;
  const std::uint64_t wanted = path.back().first->wanted.key;
  for (const std::uint32_t index : dependencies_.holders(wanted)) {
    LockDependency& next = dependencies_.at(index);
    if (!dependencies_.may_be_on_cycle(next)) continue;
    for (const LockWait& wait : next.waits) {
      if (steps == 0 || first.reported) return;
      --steps;
      const bool fits = std::none_of(path.begin(), path.end(), [&](const auto& earlier) {
        if (earlier.first->wanted.key == next.wanted.key) return true;
        if (earlier.second == path.front().second && in_other_unit(wait, *earlier.second, now))
          return number(now.unit.floor) >= number(wait.strand) || hold_one_lock(*earlier.first, next);
        if (have_gate(*earlier.first, *earlier.second, next, wait)) return true;
        if (earlier.second == path.front().second && order::happens_before(execution_.tables(), wait.strand, now))
          return true;
        return before(*earlier.second, wait) || before(wait, *earlier.second);
      });
      if (!fits) continue;
      path.emplace_back(&next, &wait);
      if (first.blocking(next.wanted.key) != nullptr)
        on_circle(path);
      else if (path.size() < longest_cycle)
        search(path, now, steps, on_circle);
      path.pop_back();
    }
  }
}

LocksAround LockOrder::held_in_wait(constructs::Task& waiter) {
  if (holds_too_many(execution_, waiter)) return {};
  LocksAround held = locks_around(waiter);
  for (LockAround& around : held) {
    if (around.owner == TaskId::none) around.owner = waiter.id;
    around.blocks = around.blocks && around.lock.mutex.kind != MutexKind::posix; // which may be on a stack
  }
  return held;
}

LockDependency& LockOrder::dependency_of(const AwaitedLock& awaited) {
  const access::CallTree& calls = execution_.calls();
  const constructs::Acquisition& wanted = awaited.wanted;
  std::uint64_t hash = memory::mix(wanted.key, calls.pc(wanted.taker.where));
  for (const LockAround& around : awaited.held)
    hash = memory::mix(memory::mix(hash, around.lock.key), calls.pc(around.lock.acquired));
  return dependencies_.entry(hash, {wanted.key, wanted.mutex, wanted.taker.where}, awaited.held);
}

LockWait LockOrder::wait_of(const AwaitedLock& awaited) const {
  const constructs::Taker& taker = awaited.wanted.taker;
  order::Knowledge known = awaited.past;
  known.join(taker.known);
  return {taker.task, taker.strand, execution_.tables().block_of(taker.strand).chain, std::move(known)};
}

std::vector<LockOrder::Found> LockOrder::circles(const AwaitedLock& awaited) {
  std::vector<Found> found;
  const memory::SpinGuard guard(lock_);
  renew();
  LockDependency& dependency = dependency_of(awaited);
  const LockWait wait = wait_of(awaited);
  Path path{{&dependency, &wait}};
  unsigned steps = patience;
  search(path, {awaited.past, ChainId::none}, steps, [&](const Path& circle) {
    const Verdict verdict = judge(circle);
    if (verdict.kind < Verdict::Kind::impossible) found.push_back(describe(circle, verdict));
  });
  return found;
}

void LockOrder::remember(const AwaitedLock& awaited) {
  const memory::SpinGuard guard(lock_);
  renew();
  LockDependency& dependency = dependency_of(awaited);
  if (dependency.waits.size() == LockDependencies::max_waits) return;
  dependency.waits.push_back(wait_of(awaited));
  version_.fetch_add(1, std::memory_order_release);
}

void LockOrder::forget(const Mutex& mutex, const constructs::Task& task) {
  if (!some_.load(std::memory_order_relaxed)) return;
  const memory::SpinGuard guard(lock_);
  dependencies_.forget(constructs::Execution::mutex_key(mutex, task));
}

void LockOrder::forget_memory(Address address, std::size_t size) {
  if (address > posix_high_.load(std::memory_order_relaxed) ||
      address + size <= posix_low_.load(std::memory_order_relaxed))
    return;
  const memory::SpinGuard guard(lock_);
  for (auto at = posix_.lower_bound(address); at != posix_.end() && at->first < address + size; at = posix_.erase(at))
    dependencies_.forget(at->second);
}

void LockOrder::name_past(order::Sweep& sweep) {
  dependencies_.each_wait([&](LockWait& wait) {
    sweep.needs(wait.strand);
    sweep.needs(wait.chain);
    sweep.knows(wait.known);
  });
}

} // namespace fletcher::rules
