// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks, critical and ordered regions, doacross iterations, POSIX objects: what an object carries from the task that
// let go of it to the one that takes it. For locks that is only what this run observed, for the others it is
// guaranteed. Who holds them is in holders.cpp.
#include "checker/constructs/execution.hpp"
#include "checker/memory/hash.hpp"

#include <utility>

namespace fletcher::constructs {

namespace {
/// Turns in which the next holder of a lock waits for the late report of its release (holders.cpp).
constexpr int patience_for_release = 2100;
/// Of one shard; what more of them carry is kept in less memory.
constexpr std::size_t few_carriers = 64;

enum : std::uint64_t { mutex_space = 1, posix_space, doacross_space, siblings_space };
std::uint64_t key_of(const Mutex& m) {
  return memory::mix(mutex_space + (static_cast<std::uint64_t>(m.kind) << 8), m.address);
}
// Iterations are ordered within one loop of one team: the next loop, reached with nowait, may run at the same time.
std::uint64_t loop_of(const Task& member) {
  return memory::mix(member.team() != nullptr ? number(member.team()->id) : 0,
                     member.rare_if_any() != nullptr ? member.rare().loops : 0);
}
std::uint64_t key_of(const Doacross& e, const Task& member) {
  std::uint64_t key = memory::mix(doacross_space, loop_of(member));
  for (const std::uint64_t i : e.iteration) key = memory::mix(key, i);
  return key;
}
} // namespace

std::uint64_t Execution::siblings_key(const access::Exclusion& e) noexcept {
  return memory::mix(siblings_space + (std::uint64_t{number(e.scope)} << 8), e.mutex.address);
}

Carrier& Execution::fresh(CarrierShard& shard, std::uint64_t key) {
  Carrier& c = shard[key];
  if (shard.carriers.size() > few_carriers && !many_carriers_.load(std::memory_order_relaxed)) [[unlikely]]
    many_carriers_.store(true, std::memory_order_relaxed);
  if (const std::uint32_t now = horizon_generation(); c.generation != now) {
    const Holder holder = c.holder; // all that matters from here on
    const std::uint32_t turn = c.turn;
    c = {};
    c.generation = now;
    c.holder = holder;
    c.turn = turn;
  }
  return c;
}

void Execution::forget_carriers() {
  strands_for_rules_.store(0, std::memory_order_relaxed);
  if (!many_carriers_.exchange(false, std::memory_order_relaxed)) return;
  lone_locks_.forget();
  for (CarrierShard& s : shards_) {
    const memory::SpinGuard guard(s.lock);
    if (s.carriers.size() > few_carriers) s.erase_if([](const Carrier& c) { return c.holder.task == TaskId::none; });
  }
}

void Execution::publish(std::uint64_t key, Task& task) {
  CarrierShard& s = shard(key);
  const memory::SpinGuard guard(s.lock);
  fresh(s, key).known.join(released(task));
}

// Who has held the lock since nobody else released it knows all that it carries: nothing has to be joined.
void Execution::tell(Carrier& c, Task& task, const HeldMutex* held) {
  const Activation& now = task.now();
  if (c.lock_told == 0) c.lock_told = 1 + locks_told_.fetch_add(1, std::memory_order_relaxed);
  const order::LockRelease release{c.lock_told, ++c.turn};
  const bool all = held != nullptr && held->turn == release.turn - 1;
  order::Observed told = all ? now.known.told(release, now.chain, now.last, std::move(c.told))
                             : now.known.told(order::LockRelease{}, now.chain, now.last);
  if (!all) {
    told.join(c.told);
    told.be_of(release);
  }
  c.told = std::move(told);
  c.tells_all = all && now.last_tells_all ? now.last : StrandId::none;
}

// True where that is put off until another task takes the lock. Where prediction still follows the sections, a lock
// has more to remember.
bool Execution::tell_later(CarrierShard& s, Carrier& c, access::ThreadState& thread, const Mutex& mutex,
                           const HeldMutex* held) {
  if (mutex.kind != MutexKind::lock || races_->sync_log().complete()) return false;
  const Activation& now = thread.task->now();
  if (held == nullptr) meet(c, mutex);
  if (c.lone.given()) tell_at_last(c);
  if (held == nullptr || held->turn != c.turn || !now.last_tells_all || !c.is_lone() ||
      s.carriers.size() <= few_carriers)
    return false;
  c.lone = lone_locks_.release(data(thread).past_of_locks, horizon_generation(), now.known, now.chain, now.last);
  return true;
}

void Execution::meet(Carrier& carrier, const Mutex& mutex) {
  if (mutex.kind != MutexKind::lock || races_ == nullptr || races_->sync_log().complete()) return;
  if (const LoneLock lone = lone_locks_.take(mutex.address); lone.given()) carrier.lone = lone;
}

void Execution::tell_at_last(Carrier& c) {
  const LoneLocks::Past past = lone_locks_.past(c.lone);
  if (c.lock_told == 0) c.lock_told = 1 + locks_told_.fetch_add(1, std::memory_order_relaxed);
  const order::LockRelease release{c.lock_told, ++c.turn};
  order::Observed told = past.known.told(release, past.chain, c.lone.last);
  c.tells_all = c.told.empty() ? c.lone.last : StrandId::none;
  if (!c.told.empty()) {
    told.join(c.told);
    told.be_of(release);
  }
  c.told = std::move(told);
  c.lone = {};
}

// OpenMP's locks and critical constructs exclude the tasks of one contention group: no promise among the teams of a
// league (5.1, sections 2.19.1 and 3.9). The mutexes of POSIX and atomics exclude all.
access::Exclusion Execution::exclusion(const Mutex& mutex, const Task& holder) const noexcept {
  const bool of_group =
      mutex.kind == MutexKind::lock || mutex.kind == MutexKind::nest_lock || mutex.kind == MutexKind::critical;
  return {access::Exclusion::Kind::mutex, mutex, of_group ? contention_group(holder) : TaskId::none};
}

TaskId Execution::contention_group(const Task& task) const noexcept {
  if (!leagues_.load(std::memory_order_relaxed)) return TaskId::none;
  for (const Task* t = &task; t != nullptr; t = t->parent())
    if (t->kind == TaskKind::implicit && t->team()->league) return t->id;
  return TaskId::none;
}

void Execution::take(std::uint64_t key, Task& task) {
  const order::Knowledge known = carried(key);
  if (known.empty()) return;
  task.now().known.join(known);
  task.learn();
}

// By `ordered`, or from an iteration: in the order of iterations. What the task's unit told itself, and what was told
// to an earlier unit of its thread, a thread that executes nothing but the unit does not know.
void Execution::take_in_turn(std::uint64_t key, Task& task) {
  if (task.rare_if_any() == nullptr || task.rare().unit_since == StrandId::none) return take(key, task);
  const ChainId own = task.now().chain;
  Rare::ToldInTurn told = task.rare().told_in_turn;
  if (const StrandId known = task.now().known.get(own); known != told.upto) told = {known, known, known};
  if (const StrandId of_own = carried(key).get(own); number(of_own) < number(task.rare().unit_since))
    told.counts = std::max(told.counts, of_own);
  take(key, task);
  told.upto = task.now().known.get(own);
  task.rare().told_in_turn = told;
}

// What the task learns from the lock.
order::Observed Execution::told_by(Carrier& c, const Task& task) {
  // What a thread did before it drew its number may have come to its later units by the lock only.
  const auto comes_before = [&](StrandId strand) {
    return !has_number(task) && order::happens_before(tables_, strand, position(task), order::Levels::near);
  };
  if (c.lone.given()) {
    if (c.told.empty() && comes_before(c.lone.last))
      c.lone = {};
    else
      tell_at_last(c);
  }
  // As among tasks that come one after the other anyway: they need not learn of this run's order.
  const bool is_known = c.told.empty() || (c.tells_all != StrandId::none && comes_before(c.tells_all));
  return is_known ? order::Observed() : c.told;
}

void Execution::observe(const order::Observed& told, Task& task) {
  if (told.empty()) return;
  task.now().known.observe(told);
  task.observe();
}

void Execution::observe(std::uint64_t key, Task& task, HeldMutex* held) {
  order::Observed told;
  {
    CarrierShard& s = shard(key);
    const memory::SpinGuard guard(s.lock);
    Carrier& c = fresh(s, key);
    told = told_by(c, task);
    if (held != nullptr) held->turn = c.turn;
  }
  observe(told, task);
}

order::Knowledge Execution::carried(std::uint64_t key) {
  CarrierShard& s = shard(key);
  const memory::SpinGuard guard(s.lock);
  return fresh(s, key).known;
}

std::uint64_t Execution::mutex_key(const Mutex& mutex, const Task& holder) noexcept {
  return mutex.kind == MutexKind::ordered ? memory::mix(key_of(mutex), loop_of(holder)) : key_of(mutex);
}

// Brings near what the holder before has written: else one line comes after the other, while all others wait.
void Execution::prefetch(access::ThreadState& thread, std::uint64_t key) {
  __builtin_prefetch(&shard(key), 1);
  if (const ThreadData& d = data(thread); d.last_key == key) {
    __builtin_prefetch(d.last_carrier, 1);
    __builtin_prefetch(static_cast<const std::byte*>(d.last_carrier) + 64, 1);
  }
  if (races_ != nullptr) races_->prefetch_section(thread);
}

void Execution::mutex(const MutexEvent& e) {
  access::ThreadState& t = thread(e.thread);
  Task* holder = t.task;
  if (holder == nullptr) return;
  if (e.step == MutexStep::acquiring) {
    if (t.tested != 0) end_test(t, 0);
    holder->now().wait.set(Wait::Kind::mutex, e.mutex, e.pc);
    return;
  }
  const StrandId past = t.past();
  const bool waited = std::exchange(holder->now().wait.kind, Wait::Kind::none) == Wait::Kind::mutex;
  const bool ordered = e.mutex.kind == MutexKind::ordered;
  const bool orders = e.mutex.kind != MutexKind::atomic; // gcc's lock of updates excludes: no order of them is meant
  const std::uint64_t key = mutex_key(e.mutex, *holder);
  const access::Exclusion lock = exclusion(e.mutex, *holder);
  const std::uint64_t order =
      lock.scope == TaskId::none ? key : memory::mix(key, number(lock.scope)); // orders its scope only
  if (t.tested != 0) end_test(t, e.step == MutexStep::acquired || e.step == MutexStep::nested ? order : 0);
  switch (e.step) {
  case MutexStep::acquired: {
    prefetch(t, key);
    const ContextId where = place(t, e.pc);
    const bool somebody_may_wait_for_it = !ordered && (holder->parent() != nullptr || !only_root());
    const bool observes = orders && !ordered && races_ != nullptr;
    own(key, t, *holder, e.mutex, where, patience_for_release, waited && somebody_may_wait_for_it,
        observes && order == key);
    if (ordered) return take_in_turn(key, *holder);
    if (races_ == nullptr) return; // locksets and the order of this run matter to accesses only
    if (observes && order != key) observe(order, *holder, find_held(holder->now().held, key));
    if (!orders) holder->rare().combined = carried(order);
    // In a unit it has learned above what the lock tells; elsewhere it need not, where that is its own thread's.
    if (!t.only_updates && !(t.keeps_inside && keeps_inside(t))) {
      const bool is_first = waited && !is_identified(t);
      is_in_unit(*holder) ? draw_number(t) : identify(t);
      if (is_first && has_number(*holder)) holder->rare().strands_at_draw = t.strands;
    }
    change_locks(t, *holder, locksets_.add(holder->now().lockset, lock, where));
    t.keep_past(past);
    if (orders) begin_section(t, *holder, order);
    t.counting = t.only_counts;
    return;
  }
  case MutexStep::releasing:
    // To let go of it now, before it is free, keeps nobody waiting who has it next.
    if (e.mutex.kind != MutexKind::critical && e.mutex.kind != MutexKind::lock) return;
    data(t).let_go = key;
    return let_go(t, *holder, e.mutex, key, order);
  case MutexStep::released:
    if (std::exchange(data(t).let_go, 0) == key) return;
    return let_go(t, *holder, e.mutex, key, order);
  case MutexStep::nested:
    // To the runtime a nest lock is the thread's: it lets in a task whose thread has another one with the lock below.
    if (HeldMutex* held = find_held(holder->now().held, key))
      ++held->depth;
    else
      holder->now().held.push_back({key, e.mutex, place(t, e.pc)});
    return;
  case MutexStep::unnested:
    if (HeldMutexes& all = holder->now().held; HeldMutex* held = find_held(all, key))
      if (--held->depth == 0) all.erase(all.begin() + (held - all.data()));
    return;
  case MutexStep::destroy:
  case MutexStep::destroy_nest: {
    CarrierShard& s = shard(key);
    const memory::SpinGuard guard(s.lock);
    s.erase(key);
    if (e.step == MutexStep::destroy && races_ != nullptr) lone_locks_.take(e.mutex.address);
    if (locks_change_hands()) changing_hands_.forget(key);
    return;
  }
  case MutexStep::testing:
    begin_test(t, *holder, order);
    return;
  case MutexStep::init:
  case MutexStep::init_nest:
  case MutexStep::calling:
  case MutexStep::acquiring:
    return;
  }
}

void Execution::let_go(access::ThreadState& thread, Task& holder, const Mutex& mutex, std::uint64_t key,
                       std::uint64_t order) {
  const StrandId past = thread.past();
  if (mutex.kind == MutexKind::ordered) {
    publish(order, holder);
    close_strand(thread);
    return disown(key, holder, mutex);
  }
  if (races_ != nullptr && mutex.kind == MutexKind::atomic) {
    publish(order, holder);
  } else if (races_ != nullptr) {
    end_section(thread, holder, order);
    CarrierShard& s = shard(order);
    const memory::SpinGuard guard(s.lock);
    Carrier& c = fresh(s, order);
    const HeldMutex* const held = find_held(holder.now().held, key);
    if (order != key || !tell_later(s, c, thread, mutex, held)) tell(c, holder, held);
    if (order == key) disown(s, c, key, holder, mutex);
  }
  if (races_ == nullptr || mutex.kind == MutexKind::atomic || order != key) disown(key, holder, mutex);
  if (races_ == nullptr) return;
  thread.counting = false;
  change_locks(thread, holder, locksets_.remove(holder.now().lockset, exclusion(mutex, holder)));
  thread.keep_past(past);
}

void Execution::doacross(const Doacross& e) {
  access::ThreadState& t = thread(e.thread);
  if (t.task == nullptr) return;
  if (e.source) {
    publish(key_of(e, *t.task), *t.task);
    close_released(t);
  } else {
    take_in_turn(key_of(e, *t.task), *t.task);
  }
}

void Execution::release(const Release& e) {
  access::ThreadState& t = thread(e.thread);
  if (t.task == nullptr) return;
  goes_alone(t);
  const std::uint64_t key = memory::mix(posix_space, e.object);
  if (e.first) {
    CarrierShard& s = shard(key);
    const memory::SpinGuard guard(s.lock);
    fresh(s, key).known.clear();
  }
  publish(key, *t.task);
  close_released(t);
}

void Execution::acquire(const Acquire& e) {
  access::ThreadState& t = thread(e.thread);
  if (t.task == nullptr) return;
  goes_alone(t);
  take(memory::mix(posix_space, e.object), *t.task);
  if (e.more || only_root()) return;
  forget_joined_roots(*t.task);
  if (only_root() && t.task->kind == TaskKind::initial) run(t, t.task); // serial code again
}

} // namespace fletcher::constructs
