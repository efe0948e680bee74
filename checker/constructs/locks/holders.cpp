// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who holds a mutex, who has got it, and what was held around a task.
#include "checker/constructs/execution.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace fletcher::constructs {

namespace {
// A runtime reports a lock's release after the lock is free: where nobody has reported it before
// (MutexStep::releasing), the next holder waits so many turns for the report. On a busy machine who was about to report
// may have to wait for a processor, so the last turns are long; but not where reports turn out not to come.
constexpr int short_turns = 2000;
constexpr std::chrono::microseconds long_turn(100);
constexpr std::uint32_t most_waits_in_vain = 8;
constexpr std::size_t most_takers = 16; ///< that are kept of one object
constexpr std::size_t most_left = 4;    ///< the same of what was left before it
/// Of one shard, of which more is kept than who holds them: a program may have tens of millions, and meets these in the
/// processor's cache.
constexpr std::size_t most_with_history = 64;
} // namespace

Holder Execution::holder_of(std::uint64_t key) {
  CarrierShard& s = shard(key);
  const memory::SpinGuard guard(s.lock);
  const Carrier* const known = s.carriers.find(key);
  return known == nullptr ? Holder{} : known->holder;
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
    s.carriers.each([&](std::uint64_t key, const Carrier& c) {
      if (c.generation == now)
        for (const Taker& t : c.takers) result.push_back({key, c.mutex, t});
    });
  }
  return result;
}

// A task that comes after another taker may meet all that the other one could have met. Where there is no room, takers
// mostly become old together, at some wait for all of them: one is asked at a time.
void Execution::keep_taker(Carrier& c, access::ThreadState& thread, const Mutex& mutex, ContextId where) {
  Task& task = *thread.task;
  c.mutex = mutex;
  auto at = std::find_if(c.takers.begin(), c.takers.end(), [&](const Taker& t) { return t.task == task.id; });
  const bool known = at != c.takers.end();
  if (known) {
    at->repeated = at->repeated || at->where == where;
    if (at->strand == thread.strand()) return void(at->where = where);
    if (at->known.guarantees_as(task.known())) { // as mostly
      if (!open_for_rule(thread)) return;
      at->strand = thread.strand();
      at->where = where;
      return;
    }
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

void Execution::own(std::uint64_t key, access::ThreadState& thread, Task& holder, const Mutex& mutex, ContextId where,
                    int patience, bool keep, bool observes) {
  CarrierShard& s = shard(key);
  bool again = false; // the task has it already: it let go of it unseen
  order::Observed told;
  std::uint32_t turn = 0;
  for (int tries = 0;; ++tries) {
    {
      const memory::SpinGuard guard(s.lock);
      Carrier& c = fresh(s, key);
      if (tries == 0) meet(c, mutex);
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
        if (observes) {
          told = told_by(c, holder);
          turn = c.turn;
        }
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
  HeldMutex& now = held.emplace_back();
  now.key = key;
  now.mutex.kind = mutex.kind;
  now.mutex.address = mutex.address;
  now.acquired = where;
  now.turn = turn;
  observe(told, holder);
}

void Execution::disown(std::uint64_t key, Task& holder, const Mutex& mutex) {
  CarrierShard& s = shard(key);
  const memory::SpinGuard guard(s.lock);
  disown(s, fresh(s, key), key, holder, mutex);
}

void Execution::disown(CarrierShard& s, Carrier& c, std::uint64_t key, Task& holder, const Mutex& mutex) {
  HeldMutexes& all = holder.now().held;
  HeldMutex* const held = find_held(all, key);
  // Where the report is so late that the next owner's came before, the object is that one's.
  const bool is_lock = mutex.kind == MutexKind::lock || mutex.kind == MutexKind::nest_lock;
  if (held == nullptr && is_lock) changing_hands_.add(key);
  if (held != nullptr && is_lock && held != &all.back()) locks_overlap_.store(true, std::memory_order_relaxed);
  if (held == nullptr || c.holder.task == holder.id) c.holder = {};
  if (held == nullptr) return;
  for (HeldMutex* later = held + 1; later != all.end(); ++later)
    if (later->left.size() < most_left) later->left.push_back({key, held->mutex, held->acquired});
  all.erase(held);
  if (c.holder.task != TaskId::none || s.carriers.size() <= most_with_history) return;
  if (c.lone.given())
    lone_locks_.keep(mutex.address, c.lone);
  else if (races_ != nullptr || !c.known.empty())
    return;
  s.erase(key);
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

} // namespace fletcher::constructs
