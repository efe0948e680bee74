// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks, critical and ordered regions, doacross iterations, POSIX objects: what an object carries from whoever let go
// of it to whoever takes it. For locks that is only what this run observed, for the others it is guaranteed.
#include "checker/constructs/execution.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace fletcher::constructs {

namespace {
// A runtime reports a lock's release after the lock is free: where nobody has told of it before (MutexStep::releasing),
// whoever has it next waits so many turns for the report. On a busy machine who was about to report may have to wait
// for a processor, so the last turns are long; but not where reports turn out not to come.
constexpr int patience_for_release = 2100, short_turns = 2000;
constexpr std::chrono::microseconds long_turn(100);
constexpr std::uint32_t most_waits_in_vain = 8;
constexpr std::size_t most_takers = 16; ///< that are kept of one object
constexpr std::size_t most_left = 4;    ///< the same of what was left before it
/// Of one shard, of which more is kept than who holds them: a program may have tens of millions, and meets these in the
/// processor's cache.
constexpr std::size_t most_with_history = 64;

std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
  a ^= b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2);
  return a * 0xff51afd7ed558ccdu;
}
enum : std::uint64_t { mutex_space = 1, posix_space, doacross_space, siblings_space };
std::uint64_t key_of(const Mutex& m) { return mix(mutex_space + (static_cast<std::uint64_t>(m.kind) << 8), m.address); }
// Iterations are ordered within one loop of one team: the next loop, reached with nowait, may run at the same time.
std::uint64_t loop_of(const Task& member) {
  return mix(member.team() != nullptr ? number(member.team()->id) : 0,
             member.rare_if_any() != nullptr ? member.rare().loops : 0);
}
std::uint64_t key_of(const Doacross& e, const Task& member) {
  std::uint64_t key = mix(doacross_space, loop_of(member));
  for (const std::uint64_t i : e.iteration) key = mix(key, i);
  return key;
}
} // namespace

std::uint64_t Execution::siblings_key(const access::Exclusion& e) noexcept {
  return mix(siblings_space + (std::uint64_t{number(e.scope)} << 8), e.mutex.address);
}

Execution::Carrier& Execution::fresh(CarrierShard& shard, std::uint64_t key) const {
  Carrier& c = shard.carriers[key];
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
  constexpr std::size_t worth_it = 256;
  for (CarrierShard& s : shards_) {
    const memory::SpinGuard guard(s.lock);
    if (s.carriers.size() > worth_it)
      std::erase_if(s.carriers, [](const auto& c) { return c.second.holder.task == TaskId::none; });
  }
}

void Execution::publish(std::uint64_t key, Task& task) {
  CarrierShard& s = shard(key);
  const memory::SpinGuard guard(s.lock);
  fresh(s, key).known.join(released(task));
}

// Who has held the lock since nobody else released it knows all that it carries: nothing has to be joined.
void Execution::tell(std::uint64_t key, Task& task, const HeldMutex* held) {
  const Activation& now = task.now();
  CarrierShard& s = shard(key);
  const memory::SpinGuard guard(s.lock);
  Carrier& c = fresh(s, key);
  if (c.lock_told == 0) c.lock_told = 1 + locks_told_.fetch_add(1, std::memory_order_relaxed);
  const order::LockRelease release{c.lock_told, ++c.turn};
  const bool all = held != nullptr && held->turn == release.turn - 1;
  order::Observed told = all ? now.known.told(release, now.chain, now.last, c.told)
                             : now.known.told(order::LockRelease{}, now.chain, now.last);
  if (!all) {
    told.join(c.told);
    told.be_of(release);
  }
  c.told = std::move(told);
  c.tells_all = all && now.last_tells_all ? now.last : StrandId::none;
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

void Execution::observe(std::uint64_t key, Task& task, HeldMutex* held) {
  order::Observed told;
  {
    CarrierShard& s = shard(key);
    const memory::SpinGuard guard(s.lock);
    const Carrier& c = fresh(s, key);
    if (held != nullptr) held->turn = c.turn;
    if (c.told.empty()) return;
    // As among tasks that come one after the other anyway: they need not learn of this run's order.
    if (c.tells_all != StrandId::none &&
        order::happens_before(tables_, c.tells_all, position(task), order::Levels::near))
      return;
    told = c.told;
  }
  task.now().known.observe(told);
  task.observe();
}

order::Knowledge Execution::carried(std::uint64_t key) {
  CarrierShard& s = shard(key);
  const memory::SpinGuard guard(s.lock);
  return fresh(s, key).known;
}

std::uint64_t Execution::mutex_key(const Mutex& mutex, const Task& holder) noexcept {
  return mutex.kind == MutexKind::ordered ? mix(key_of(mutex), loop_of(holder)) : key_of(mutex);
}

Holder Execution::holder_of(std::uint64_t key) {
  CarrierShard& s = shard(key);
  const memory::SpinGuard guard(s.lock);
  const auto at = s.carriers.find(key);
  return at == s.carriers.end() ? Holder{} : at->second.holder;
}

std::vector<Taker> Execution::takers(std::uint64_t key) {
  CarrierShard& s = shard(key);
  const memory::SpinGuard guard(s.lock);
  const Carrier& c = fresh(s, key);
  return {c.takers.begin(), c.takers.end()};
}

std::vector<Acquisition> Execution::acquisitions() {
  std::vector<Acquisition> result;
  const std::uint32_t now = horizon_generation();
  for (CarrierShard& s : shards_) {
    const memory::SpinGuard guard(s.lock);
    for (const auto& [key, c] : s.carriers)
      if (c.generation == now)
        for (const Taker& t : c.takers) result.push_back({key, c.mutex, t});
  }
  return result;
}

// Whoever comes after another taker may meet all that the other one could have met. Where there is no room, takers
// mostly become old together, at some wait for all of them: one is asked at a time.
void Execution::keep_taker(Carrier& c, access::ThreadState& thread, const Mutex& mutex, ContextId where) {
  Task& task = *thread.task;
  c.mutex = mutex;
  auto at = std::find_if(c.takers.begin(), c.takers.end(), [&](const Taker& t) { return t.task == task.id; });
  const bool known = at != c.takers.end();
  if (known) {
    at->repeated = at->repeated || at->where == where;
    if (at->strand == thread.strand()) return void(at->where = where);
  } else if (c.takers.size() == most_takers) {
    at = c.takers.begin() + ++c.looked_at % most_takers;
    if (!order::happens_before(tables_, at->strand, position_in_run(task))) return;
  }
  if (!open_for_rule(thread)) return;
  const Task* const starter = deferred_part(task);
  Taker taker{.task = task.id,
              .strand = thread.strand(),
              .where = where,
              .starter = starter != nullptr ? starter->id : TaskId::none,
              .starter_chain = starter != nullptr ? starter->chain() : ChainId::none,
              .repeated = known && at->repeated,
              .known = task.known().guaranteed()};
  if (at == c.takers.end())
    c.takers.push_back(std::move(taker));
  else
    *at = std::move(taker);
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

void Execution::own(std::uint64_t key, access::ThreadState& thread, Task& holder, const Mutex& mutex, ContextId where,
                    int patience, bool keep) {
  CarrierShard& s = shard(key);
  bool again = false; // the task has it already: it let go of it unseen
  for (int tries = 0;; ++tries) {
    {
      const memory::SpinGuard guard(s.lock);
      Carrier& c = fresh(s, key);
      again = c.holder.task == holder.id;
      if (c.holder.task == TaskId::none || again || tries == patience) {
        // Whose section the next release ends is not known any more.
        if (c.holder.task != TaskId::none && !again && races_ != nullptr) races_->sync_log().lose();
        if (tries != 0 && tries == patience) waits_in_vain_.fetch_add(1, std::memory_order_relaxed);
        c.holder = {holder.id, where};
        c.told.prefetch();
        if (c.tells_all != StrandId::none) __builtin_prefetch(&tables_.block_of(c.tells_all));
        data(thread).last_key = key;
        data(thread).last_carrier = &c;
        if (keep && s.carriers.size() <= most_with_history) keep_taker(c, thread, mutex, where);
        break;
      }
    }
    if (tries < short_turns)
      std::this_thread::yield();
    else if (waits_in_vain_.load(std::memory_order_relaxed) < most_waits_in_vain)
      std::this_thread::sleep_for(long_turn);
  }
  HeldMutexes& held = holder.now().held;
  if (HeldMutex* const stale = again ? find_held(held, key) : nullptr) held.erase(stale);
  held.push_back({key, mutex, where});
}

void Execution::disown(std::uint64_t key, Task& holder, const Mutex& mutex) {
  HeldMutexes& all = holder.now().held;
  HeldMutex* const held = find_held(all, key);
  CarrierShard& s = shard(key);
  const memory::SpinGuard guard(s.lock);
  Carrier& c = fresh(s, key);
  // Where the report is so late that the next owner's came before, the object is that one's.
  const bool is_lock = mutex.kind == MutexKind::lock || mutex.kind == MutexKind::nest_lock;
  if (held == nullptr && is_lock) locks_change_hands_.store(true, std::memory_order_relaxed);
  if (held != nullptr && is_lock && held != &all.back()) locks_overlap_.store(true, std::memory_order_relaxed);
  if (held == nullptr || c.holder.task == holder.id) c.holder = {};
  if (held == nullptr) return;
  for (HeldMutex* later = held + 1; later != all.end(); ++later)
    if (later->left.size() < most_left) later->left.push_back({key, held->mutex, held->acquired});
  all.erase(held);
  const bool matters = races_ != nullptr || c.holder.task != TaskId::none || !c.known.empty();
  if (!matters && s.carriers.size() > most_with_history) s.carriers.erase(key);
}

void Execution::hold_around(const Task& creator, Origin& made, bool waits) {
  const HeldMutexes& own = creator.now().held;
  const std::vector<HeldAround>* const around = creator.origin().held_around.get();
  if (own.empty() && around == nullptr) return;
  made.held_around = std::make_unique<std::vector<HeldAround>>();
  if (around != nullptr) *made.held_around = *around;
  for (HeldAround& outer : *made.held_around) outer.waits = outer.waits && waits;
  for (const HeldMutex& held : own) made.held_around->push_back({held, creator.id, waits});
}

void Execution::mutex(const MutexEvent& e) {
  access::ThreadState& t = thread(e.thread);
  Task* holder = t.task;
  if (holder == nullptr) return;
  if (e.step == MutexStep::acquiring) {
    if (t.tested != 0) end_test(t, 0);
    holder->now().wait = {Wait::Kind::mutex, e.mutex, e.pc};
    return;
  }
  const StrandId past = t.past();
  const bool waited = std::exchange(holder->now().wait.kind, Wait::Kind::none) == Wait::Kind::mutex;
  const bool ordered = e.mutex.kind == MutexKind::ordered;
  const bool orders = e.mutex.kind != MutexKind::atomic; // gcc's lock of updates excludes: no order of them is meant
  const std::uint64_t key = mutex_key(e.mutex, *holder);
  const access::Exclusion lock = exclusion(e.mutex, *holder);
  const std::uint64_t order = lock.scope == TaskId::none ? key : mix(key, number(lock.scope)); // orders its scope only
  if (t.tested != 0) end_test(t, e.step == MutexStep::acquired || e.step == MutexStep::nested ? order : 0);
  switch (e.step) {
  case MutexStep::acquired: {
    prefetch(t, key);
    const ContextId where = place(t, e.pc);
    const bool somebody_may_wait_for_it = !ordered && (holder->parent() != nullptr || !only_root());
    own(key, t, *holder, e.mutex, where, patience_for_release, waited && somebody_may_wait_for_it);
    if (ordered) return take(key, *holder);
    if (races_ == nullptr) return; // locksets and the order of this run matter to accesses only
    if (orders)
      observe(order, *holder, find_held(holder->now().held, key));
    else
      holder->rare().combined = carried(order);
    if (!t.only_updates) identify(t);
    close_block(t, *holder);
    t.keep_past(past);
    LocksetId& locks = holder->now().lockset;
    locks = locksets_.add(locks, lock, where);
    if (orders) begin_section(t, *holder, order);
    return;
  }
  case MutexStep::releasing:
    // To let go of it now, before it is free, keeps nobody waiting who has it next.
    if ((e.mutex.kind != MutexKind::critical && e.mutex.kind != MutexKind::lock) || races_ == nullptr) return;
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
    s.carriers.erase(key);
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
    tell(order, holder, find_held(holder.now().held, key));
    end_section(thread, holder, order);
    close_strand(thread);
  }
  disown(key, holder, mutex);
  if (races_ == nullptr) return;
  close_block(thread, holder);
  thread.keep_past(past);
  LocksetId& locks = holder.now().lockset;
  locks = locksets_.remove(locks, exclusion(mutex, holder));
}

void Execution::doacross(const Doacross& e) {
  access::ThreadState& t = thread(e.thread);
  if (t.task == nullptr) return;
  if (e.source) {
    publish(key_of(e, *t.task), *t.task);
    close_released(t);
  } else {
    take(key_of(e, *t.task), *t.task);
  }
}

void Execution::release(const Release& e) {
  access::ThreadState& t = thread(e.thread);
  if (t.task == nullptr) return;
  goes_alone(t);
  const std::uint64_t key = mix(posix_space, e.object);
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
  take(mix(posix_space, e.object), *t.task);
  if (e.more || only_root()) return;
  forget_joined_roots(*t.task);
  if (only_root() && t.task->kind == TaskKind::initial) run(t, t.task); // serial code again
}

} // namespace fletcher::constructs
