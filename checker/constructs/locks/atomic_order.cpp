// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/constructs/locks/atomic_order.hpp"

#include "checker/constructs/execution.hpp"
#include "checker/memory/address_map.hpp"

#include <array>
#include <unordered_map>
#include <utility>

namespace fletcher::constructs {

namespace {
/// Once: all threads read the line with each operation.
void say(std::atomic<bool>& flag) noexcept {
  if (!flag.load(std::memory_order_relaxed)) flag.store(true, std::memory_order_relaxed);
}

/// The task comes after something new. An untied one that has told what it leaves in its thread's own memory tells this
/// when it is there again, in another strand (meet_own).
void learned(access::ThreadState& thread) {
  thread.task->learn();
  if (thread.untied && thread.own_memory.left_in != StrandId::none) [[unlikely]]
    close_strand(thread);
}
} // namespace

struct AtomicOrder::State {
  /// What the value last written at an address carries.
  struct Published {
    order::Knowledge known;
    std::uint32_t generation = 0;
    bool of_strand = false; ///< all that the task of the strand `known.latest()` knew after it

    void become(Task& task) {
      release(task, known);
      of_strand = task.now().last != StrandId::none;
    }
    void become(const order::Knowledge& other) {
      known = other;
      of_strand = false;
    }
    void add(const order::Knowledge& more) {
      known.join(more);
      of_strand = false;
    }
    /// What the task knows, which may not know all that was there.
    void add(Task& task) {
      const bool knows_all = known.empty() || (of_strand && known.latest_chain() == task.now().chain);
      knows_all ? become(task) : add(released(task));
    }
    /// The task has performed an operation that it goes on from, and may have left the value then.
    bool has_part_of(const Task& task) const noexcept {
      return task.now().chain != ChainId::none && known.get(task.now().chain) != StrandId::none;
    }
    /// Who knows a later strand of the same task knows it all.
    bool is_known(const order::Knowledge& by) const noexcept { return of_strand && by.has_later(known); }
  };
  /// Changed by who has the stripe's lock, read by all.
  struct Written {
    std::atomic<Address> address{0};
    std::atomic<StrandId> writer{StrandId::none};
    std::atomic<std::uint32_t> generation{0};
  };
  struct alignas(64) Stripe {
    memory::SpinLock lock;
    std::atomic<bool> used{false}; ///< something was published, or is about to be
    std::atomic<bool> read_before_fences{false};
    /// Counts the changes of all below; odd while there may be one (a sequence lock: Lameter, 2005).
    std::atomic<std::uint32_t> version{0};
    std::array<Written, 4> last; ///< direct-mapped: later ones push out earlier ones, which shadow memory mostly knows
    memory::AddressMap<Published> published;
    Published overwritten; ///< what a relaxed operation may have read before the first fence

    void keep(Address address, std::uint32_t generation) {
      const Published* const at = published.find(address);
      if (at == nullptr || at->generation != generation) return;
      if (overwritten.generation != generation) overwritten = {.known = {}, .generation = generation};
      overwritten.add(at->known);
    }
  };
  /// What a task's fences bind to its relaxed operations around them.
  struct Fences {
    order::Knowledge seen;      ///< by relaxed loads: taken by the next acquire fence
    order::Knowledge published; ///< at the last release fence: given to relaxed stores
    std::uint32_t generation = 0;
    bool has_met_fence = false;
  };
  std::array<Stripe, 256> stripes;
  memory::SpinLock fences_lock;
  std::unordered_map<std::uint32_t, Fences> fences; ///< by task
  std::atomic<bool> some_fences{false};
  memory::SpinLock first_fence_lock;
  std::atomic<bool> first_fence_met{false};
  /// Carried by all values that relaxed operations may have read before the program's first fence. Which task read
  /// which of them was not noted, as most programs with relaxed operations have no fence at all. So each takes it all
  /// by its first fence.
  Published before_fences;

  Stripe& stripe(Address a) noexcept { return stripes[(a >> 3 ^ a >> 12) % stripes.size()]; }
  Written& last(Address a) noexcept { return stripe(a).last[(a >> 2 ^ a >> 8) % 4]; }
  /// Others read the line of the flag with each operation.
  static void expect(Stripe& s) noexcept {
    if (!s.used.load(std::memory_order_relaxed)) s.used.store(true, std::memory_order_release);
  }
  static Published& fresh(Stripe& s, Address a, std::uint32_t generation) {
    Published& p = s.published.insert(a, [=](const Published& old) { return old.generation == generation; });
    if (p.generation != generation) {
      p.become(order::Knowledge());
      p.generation = generation;
    }
    expect(s);
    return p;
  }
  Fences& fences_of(const Task& task, std::uint32_t generation) {
    say(some_fences);
    Fences& f = fences[number(task.id)];
    if (f.generation != generation) f = {.seen = {}, .published = {}, .generation = generation};
    return f;
  }
};

AtomicOrder::AtomicOrder(Execution& execution) : state_(std::make_unique<State>()), execution_(execution) {}
AtomicOrder::~AtomicOrder() = default;

AtomicOrder::Locked::Locked(AtomicOrder& order, Address address) : order_(order), address_(address) {
  State::Stripe& s = order_.state_->stripe(address_);
  s.lock.lock();
  s.version.store(s.version.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  s.published.prefetch(address_); // the operation itself, which comes between, is another cache miss
}
AtomicOrder::Locked::~Locked() {
  State::Stripe& s = order_.state_->stripe(address_);
  s.version.store(s.version.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  s.lock.unlock();
}

StrandId AtomicOrder::known_writer(Address address) const noexcept {
  const State::Written& last = state_->last(address);
  const bool known = last.address.load(std::memory_order_relaxed) == address &&
                     last.generation.load(std::memory_order_relaxed) == execution_.horizon_generation();
  return known ? last.writer.load(std::memory_order_relaxed) : StrandId::none;
}

// Threads that only read write nothing: they do not take the lines of the lock from each other.
std::optional<StrandId> AtomicOrder::seen_writer(Address address) const noexcept {
  const State::Stripe& s = state_->stripe(address);
  const std::uint32_t version = s.version.load(std::memory_order_acquire);
  const StrandId writer = known_writer(address);
  std::atomic_thread_fence(std::memory_order_acquire);
  if (version % 2 != 0 || version != s.version.load(std::memory_order_relaxed)) return std::nullopt;
  return writer;
}

StrandId AtomicOrder::last_writer(Address address) noexcept {
  if (const std::optional<StrandId> writer = seen_writer(address)) return *writer;
  const memory::SpinGuard written(state_->stripe(address).lock);
  return known_writer(address);
}

void AtomicOrder::write(access::ThreadState& thread, Address address) noexcept {
  State::Written& last = state_->last(address);
  last.address.store(address, std::memory_order_relaxed);
  last.writer.store(thread.strand(), std::memory_order_relaxed);
  last.generation.store(execution_.horizon_generation(), std::memory_order_relaxed);
}

void AtomicOrder::read_from(access::ThreadState& thread, StrandId writer) { thread.races->read_from(thread, writer); }

void AtomicOrder::expect_order(Address address, MemoryOrder order) noexcept {
  if (releases(order)) say(released_);
  State::expect(state_->stripe(address));
}

// Either the thread at the first fence finds the mark, or the reader finds that there is one.
void AtomicOrder::keep_for_fences(Address address) noexcept {
  State::Stripe& s = state_->stripe(address);
  if (!s.used.load(std::memory_order_relaxed) || s.read_before_fences.load(std::memory_order_relaxed)) return;
  s.read_before_fences.store(true);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

void AtomicOrder::meet_first_fence() {
  const memory::SpinGuard guard(state_->first_fence_lock);
  if (state_->first_fence_met.load(std::memory_order_relaxed)) return;
  fenced_.store(true);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const std::uint32_t generation = execution_.horizon_generation();
  State::Published& all = state_->before_fences;
  all.generation = generation;
  for (State::Stripe& s : state_->stripes) {
    if (!s.read_before_fences.load()) continue;
    const memory::SpinGuard stripe(s.lock);
    s.published.each([&](const State::Published& p) {
      if (p.generation == generation) all.add(p.known);
    });
    if (s.overwritten.generation == generation) all.add(s.overwritten.known);
    s.overwritten = {};
  }
  state_->first_fence_met.store(true, std::memory_order_release);
}

bool AtomicOrder::has_learned(const access::ThreadState& thread, Address address, MemoryOrder order) const noexcept {
  const access::ThreadState::Learned& learned = thread.learned_at(address);
  return learned.address == address && learned.turn == thread.turn && (learned.by_acquire || !acquires(order)) &&
         learned.version == state_->stripe(address).version.load(std::memory_order_acquire);
}

// The caller has read the value already. Its writer has said before that there is something to be learned, and
// holds the lock until that is there.
void AtomicOrder::learn_from(access::ThreadState& thread, Address address, MemoryOrder order) {
  State::Stripe& s = state_->stripe(address);
  if (thread.task == nullptr || !s.used.load(std::memory_order_acquire)) return;
  if (acquires(order)) thread.task->count_all_told();
  order::Knowledge carried;
  bool acquiring = acquires(order);
  {
    const memory::SpinGuard guard(s.lock);
    const State::Published* const at = s.published.find(address);
    const bool is_there = at != nullptr && at->generation == execution_.horizon_generation();
    acquiring = acquiring || (is_there && left_.load(std::memory_order_relaxed) && at->has_part_of(*thread.task));
    thread.learned_at(address) = {address, thread.turn, s.version.load(std::memory_order_relaxed), acquiring};
    if (!is_there || (acquiring && at->is_known(thread.task->now().known))) return;
    carried = at->known;
  }
  if (carried.empty()) return;
  if (acquiring) {
    if (!thread.task->now().known.join(carried)) return;
    learned(thread);
    thread.resting = StrandId::none;
  } else {
    const memory::SpinGuard guard(state_->fences_lock);
    state_->fences_of(*thread.task, execution_.horizon_generation()).seen.join(carried);
    thread.met_since_fence = true;
  }
}

void AtomicOrder::before_store(access::ThreadState& thread, Address address, MemoryOrder order) {
  if (thread.task == nullptr) return;
  State::Stripe& s = state_->stripe(address);
  const std::uint32_t generation = execution_.horizon_generation();
  if (s.read_before_fences.load(std::memory_order_relaxed) && !fenced_.load(std::memory_order_relaxed))
    s.keep(address, generation);
  if (!needs_order(order)) { // a relaxed store ends the release sequence of the earlier store
    if (State::Published* const at = s.published.find(address)) at->known.clear();
    return;
  }
  State::Published& p = State::fresh(s, address, generation);
  // A plain store starts a new release sequence, or none.
  if (releases(order)) {
    say(released_);
    p.become(*thread.task);
    close_released(thread);
  } else {
    const memory::SpinGuard guard(state_->fences_lock);
    p.become(state_->fences_of(*thread.task, generation).published);
  }
}

void AtomicOrder::take(access::ThreadState& thread, Address address, MemoryOrder order, bool leaves) {
  const std::uint32_t generation = execution_.horizon_generation();
  const State::Published* const at = state_->stripe(address).published.find(address);
  if (thread.task == nullptr || at == nullptr || at->generation != generation || at->known.empty()) return;
  if (leaves) {
    if (at->is_known(thread.task->now().known)) return;
    say(left_);
    ++thread.values_left;
    if (thread.task->now().chain == ChainId::none) next_strand_of(thread, *thread.task); // has_part_of()
    return;
  }
  if (acquires(order) || (left_.load(std::memory_order_relaxed) && at->has_part_of(*thread.task))) {
    thread.task->count_all_told();
    if (order::Knowledge& known = thread.task->now().known; !at->is_known(known) && known.join(at->known))
      learned(thread);
    if (at->known.latest() != StrandId::none) thread.found_before(at->known.latest()); // its cell is met next
  } else {
    // No task's fences are asked for before there is one.
    read_before_fences(address);
    if (!fenced_.load(std::memory_order_relaxed)) return;
    const memory::SpinGuard guard(state_->fences_lock);
    state_->fences_of(*thread.task, generation).seen.join(at->known);
    thread.met_since_fence = true;
  }
}

// It continues the release sequence that it read from.
void AtomicOrder::give(access::ThreadState& thread, Address address, MemoryOrder order) {
  if (thread.task == nullptr) return;
  const std::uint32_t generation = execution_.horizon_generation();
  State::Published& p = State::fresh(state_->stripe(address), address, generation);
  if (releases(order)) {
    say(released_);
    acquires(order) ? p.become(*thread.task) : p.add(*thread.task); // the former knows all that was there
    close_released(thread);
  } else if (fenced_.load(std::memory_order_relaxed)) {
    const memory::SpinGuard guard(state_->fences_lock);
    p.add(state_->fences_of(*thread.task, generation).published);
  }
}

void AtomicOrder::fence(access::ThreadState& thread, MemoryOrder order) {
  if (thread.task == nullptr) return;
  if (acquires(order)) may_exclude(thread);
  thread.read_at_rest = {};
  const bool spins = thread.strand() == StrandId::none && thread.resting != StrandId::none && !thread.met_since_fence;
  if (spins) return; // it told others the same at the fence before
  if (!state_->first_fence_met.load(std::memory_order_acquire)) meet_first_fence();
  const std::uint32_t generation = execution_.horizon_generation();
  const memory::SpinGuard guard(state_->fences_lock);
  State::Fences& f = state_->fences_of(*thread.task, generation);
  StrandId last = thread.strand() != StrandId::none ? thread.strand() : thread.resting;
  if (acquires(order)) {
    thread.met_since_fence = false;
    if (!std::exchange(f.has_met_fence, true) && state_->before_fences.generation == generation)
      f.seen.join(state_->before_fences.known);
  }
  if (acquires(order) && !f.seen.empty()) {
    thread.task->count_all_told();
    if (thread.task->now().known.join(f.seen)) {
      learned(thread);
      last = StrandId::none;
    }
    f.seen.clear();
  }
  if (releases(order)) {
    f.published = released(*thread.task);
    close_released(thread);
    thread.resting = last;
  }
}

void AtomicOrder::ended(TaskId task) {
  if (!state_->some_fences.load(std::memory_order_relaxed)) return;
  const memory::SpinGuard guard(state_->fences_lock);
  state_->fences.erase(number(task));
}

void AtomicOrder::name_past(order::Sweep& sweep) {
  const std::uint32_t generation = execution_.horizon_generation();
  for (State::Stripe& stripe : state_->stripes) {
    for (const State::Written& last : stripe.last)
      if (last.generation.load(std::memory_order_relaxed) == generation)
        sweep.needs(last.writer.load(std::memory_order_relaxed));
    stripe.published.each([&](State::Published& p) {
      if (p.generation == generation) sweep.knows(p.known);
    });
    if (stripe.overwritten.generation == generation) sweep.knows(stripe.overwritten.known);
  }
  if (state_->before_fences.generation == generation) sweep.knows(state_->before_fences.known);
  for (auto& [task, fences] : state_->fences) {
    if (fences.generation != generation) continue;
    sweep.knows(fences.seen);
    sweep.knows(fences.published);
  }
}

} // namespace fletcher::constructs
