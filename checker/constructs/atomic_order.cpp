// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/constructs/atomic_order.hpp"

#include "checker/constructs/execution.hpp"
#include "checker/memory/address_map.hpp"

#include <array>
#include <unordered_map>
#include <vector>

namespace fletcher::constructs {

namespace {
/// Publishes at `to` what the running task has done, and goes on in another strand. Where it has learned something
/// since its last one began, a strand that tells all of it is put behind that, so that one comparison finds out who
/// knows.
void release_to(access::ThreadState& thread, order::ReleasePoint& to) {
  if (!thread.task->now().last_tells_all) next_strand_of(thread, *thread.task);
  release(*thread.task, to);
  close_released(thread);
}

/// Once: all threads read the line with each operation.
void say(std::atomic<bool>& flag) noexcept {
  if (!flag.load(std::memory_order_relaxed)) flag.store(true, std::memory_order_relaxed);
}
} // namespace

struct AtomicOrder::State {
  /// What the value last written at an address carries: the last release, and where that did not know them `others`,
  /// which its release sequence was continued from.
  struct Published {
    order::ReleasePoint last;
    std::uint32_t generation = 0;
    bool has_others = false; ///< Stripe::others

    void become(order::ReleasePoint point) noexcept {
      last = std::move(point);
      has_others = false;
    }
    void clear() noexcept { become({}); }
  };
  using Others = std::vector<order::ReleasePoint>;
  /// Changed by who has the stripe's lock, read by all.
  struct Written {
    std::atomic<Address> address{0};
    std::atomic<StrandId> writer{StrandId::none};
    std::atomic<std::uint32_t> generation{0};
  };
  struct alignas(64) Stripe {
    memory::SpinLock lock;
    std::atomic<bool> used{false}; ///< something was published, or is about to be
    /// Counts the changes of `last`; odd while there is one (a sequence lock: Lameter, 2005).
    std::atomic<std::uint32_t> version{0};
    std::array<Written, 4> last; ///< direct-mapped: later ones push out earlier ones, which shadow memory mostly knows
    memory::AddressMap<Published> published;
    std::unordered_map<Address, Others> others; ///< of those that have some
    /// Counts what is published, before the value that carries it is written.
    std::atomic<std::uint32_t> publications{0};

    /// Calls `f(point)` for all that the value at `a` carries.
    template <class F> void each(Address a, const Published& p, F f) {
      f(p.last);
      if (!p.has_others) return;
      for (const order::ReleasePoint& other : others[a]) f(other);
    }
  };
  /// What a task's fences bind to its relaxed operations around them.
  struct Fences {
    order::Knowledge seen;      ///< by relaxed loads: taken by the next acquire fence
    order::Knowledge published; ///< at the last release fence: given to relaxed stores
    std::uint32_t generation = 0;
  };
  std::array<Stripe, 256> stripes;
  memory::SpinLock fences_lock;
  std::unordered_map<std::uint32_t, Fences> fences; ///< by task
  std::atomic<bool> some_fences{false};

  Stripe& stripe(Address a) noexcept { return stripes[(a >> 3 ^ a >> 12) % stripes.size()]; }
  Written& last(Address a) noexcept { return stripe(a).last[(a >> 2 ^ a >> 8) % 4]; }
  /// Others read the line of the flag with each operation.
  static void expect(Stripe& s) noexcept {
    s.publications.store(s.publications.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (!s.used.load(std::memory_order_relaxed)) s.used.store(true, std::memory_order_release);
  }
  static Published& fresh(Stripe& s, Address a, std::uint32_t generation) {
    Published& p = s.published.insert(a, [=](const Published& old) { return old.generation == generation; });
    if (p.generation != generation) {
      p.clear();
      p.generation = generation;
    }
    return p;
  }
  /// The release sequence goes on with `more`, of whoever knows `known`.
  static void add(Stripe& s, Address a, Published& p, order::ReleasePoint more, const order::Knowledge& known) {
    constexpr std::size_t most_others = 8;
    const auto is_told = [&](const order::ReleasePoint& old) {
      return old.empty() || old.is_known(known) ||
             (old.chain() != ChainId::none && old.chain() == more.chain() && more.last() >= old.last());
    };
    if (!p.has_others && is_told(p.last)) return void(p.last = std::move(more));
    Others& others = s.others[a];
    if (!p.has_others) others.clear();
    std::erase_if(others, is_told);
    if (!is_told(p.last)) others.push_back(std::move(p.last));
    if (others.size() > most_others) {
      order::Knowledge all;
      for (const order::ReleasePoint& other : others) other.give(all);
      others.clear();
      others.emplace_back(std::move(all));
    }
    p.has_others = !others.empty();
    p.last = std::move(more);
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
  order_.state_->stripe(address_).lock.lock();
}
AtomicOrder::Locked::~Locked() { order_.state_->stripe(address_).lock.unlock(); }

StrandId AtomicOrder::known_writer(Address address) const noexcept {
  const State::Written& last = state_->last(address);
  const bool known = last.address.load(std::memory_order_relaxed) == address &&
                     last.generation.load(std::memory_order_relaxed) == execution_.horizon_generation();
  return known ? last.writer.load(std::memory_order_relaxed) : StrandId::none;
}

// Threads that only read write nothing: they do not take the lines of the lock from each other.
std::optional<StrandId> AtomicOrder::seen_writer(Address address) const noexcept {
  const State::Stripe& s = state_->stripe(address);
  if (s.lock.is_locked()) return std::nullopt;
  const std::uint32_t version = s.version.load(std::memory_order_acquire);
  const StrandId writer = known_writer(address);
  std::atomic_thread_fence(std::memory_order_acquire);
  if (version % 2 != 0 || version != s.version.load(std::memory_order_relaxed)) return std::nullopt;
  return writer;
}

StrandId AtomicOrder::last_writer(Address address) noexcept {
  if (const std::optional<StrandId> writer = seen_writer(address)) return *writer;
  const Locked written(*this, address);
  return known_writer(address);
}

void AtomicOrder::write(access::ThreadState& thread, Address address) noexcept {
  State::Stripe& s = state_->stripe(address);
  State::Written& last = state_->last(address);
  const std::uint32_t version = s.version.load(std::memory_order_relaxed);
  s.version.store(version + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  last.address.store(address, std::memory_order_relaxed);
  last.writer.store(thread.strand(), std::memory_order_relaxed);
  last.generation.store(execution_.horizon_generation(), std::memory_order_relaxed);
  s.version.store(version + 2, std::memory_order_release);
}

void AtomicOrder::read_from(access::ThreadState& thread, StrandId writer) { thread.races->read_from(thread, writer); }

void AtomicOrder::expect_order(Address address) noexcept { State::expect(state_->stripe(address)); }

// The caller has read the value already. Whoever wrote it has said before that there is something to be learned, and
// holds the lock until that is there. Who reads the same again and again, as one that spins, takes no lock.
void AtomicOrder::learn_from(access::ThreadState& thread, Address address, MemoryOrder order) {
  State::Stripe& s = state_->stripe(address);
  if (thread.task == nullptr || !s.used.load(std::memory_order_acquire)) return;
  const LearntValue now{address, s.publications.load(std::memory_order_relaxed), thread.turn,
                        execution_.horizon_generation()};
  LearntValue& before = Execution::data(thread).learnt_values.of(address);
  if (acquires(order) && before == now) return;
  order::ReleasePoint last; // mostly all that there is
  State::Others others;
  {
    const memory::SpinGuard guard(s.lock);
    if (acquires(order)) before = {address, s.publications.load(std::memory_order_relaxed), now.turn, now.generation};
    const State::Published* const at = s.published.find(address);
    if (at == nullptr || at->generation != now.generation) return;
    if (at->has_others) others = s.others[address];
    if (acquires(order) && at->last.is_known(thread.task->now().known)) {
      if (others.empty()) return;
    } else {
      last = at->last;
    }
  }
  learn(thread, last, order);
  for (const order::ReleasePoint& other : others) learn(thread, other, order);
}

void AtomicOrder::learn(access::ThreadState& thread, const order::ReleasePoint& point, MemoryOrder order) {
  Activation& now = thread.task->now();
  if (point.empty() || point.is_known(now.known)) return;
  if (acquires(order)) {
    if (!point.give(now.known, now.chain)) return;
    thread.task->learn();
    thread.resting = StrandId::none;
  } else {
    const memory::SpinGuard guard(state_->fences_lock);
    point.give(state_->fences_of(*thread.task, execution_.horizon_generation()).seen);
    thread.met_since_fence = true;
  }
}

void AtomicOrder::before_store(access::ThreadState& thread, Address address, MemoryOrder order) {
  if (thread.task == nullptr) return;
  State::Stripe& s = state_->stripe(address);
  if (!needs_order(order)) { // a relaxed store ends the release sequence of whoever stored before
    if (State::Published* const at = s.published.find(address)) at->clear();
    return;
  }
  State::Published& p = State::fresh(s, address, execution_.horizon_generation());
  State::expect(s);
  // A plain store starts a new release sequence, or none.
  if (releases(order)) {
    say(released_);
    release_to(thread, p.last);
    p.has_others = false;
  } else {
    const memory::SpinGuard guard(state_->fences_lock);
    p.become(order::ReleasePoint(state_->fences_of(*thread.task, execution_.horizon_generation()).published));
  }
}

void AtomicOrder::take(access::ThreadState& thread, Address address, MemoryOrder order) {
  if (thread.task == nullptr) return;
  State::Stripe& s = state_->stripe(address);
  const State::Published* const at = s.published.find(address);
  if (at == nullptr || at->generation != execution_.horizon_generation()) return;
  s.each(address, *at, [&](const order::ReleasePoint& point) {
    learn(thread, point, order);
    if (acquires(order) && point.last() != StrandId::none) thread.found_before(point.last()); // its cell is met next
  });
}

// It continues the release sequence that it read from.
void AtomicOrder::give(access::ThreadState& thread, Address address, MemoryOrder order) {
  if (thread.task == nullptr) return;
  const std::uint32_t generation = execution_.horizon_generation();
  State::Stripe& s = state_->stripe(address);
  State::Published& p = State::fresh(s, address, generation);
  State::expect(s);
  if (releases(order)) {
    say(released_);
    if (acquires(order)) { // it knows all that was there
      release_to(thread, p.last);
      p.has_others = false;
    } else {
      order::ReleasePoint more;
      release_to(thread, more);
      State::add(s, address, p, std::move(more), thread.task->now().known);
    }
  } else if (fenced_.load(std::memory_order_relaxed)) {
    const memory::SpinGuard guard(state_->fences_lock);
    const order::Knowledge& known = state_->fences_of(*thread.task, generation).published;
    if (!known.empty()) State::add(s, address, p, order::ReleasePoint(known), known);
  }
}

void AtomicOrder::fence(access::ThreadState& thread, MemoryOrder order) {
  if (thread.task == nullptr) return;
  if (acquires(order)) may_exclude(thread);
  thread.read_at_rest = {};
  const bool spins = thread.strand() == StrandId::none && thread.resting != StrandId::none && !thread.met_since_fence;
  if (spins) return; // it told others the same at the fence before
  say(fenced_);
  const memory::SpinGuard guard(state_->fences_lock);
  State::Fences& f = state_->fences_of(*thread.task, execution_.horizon_generation());
  StrandId last = thread.strand() != StrandId::none ? thread.strand() : thread.resting;
  if (acquires(order)) thread.met_since_fence = false;
  if (acquires(order) && !f.seen.empty()) {
    if (thread.task->now().known.join(f.seen)) {
      thread.task->learn();
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
      if (p.generation == generation) p.last.name_past(sweep);
    });
    for (auto& [address, others] : stripe.others)
      if (const State::Published* const p = stripe.published.find(address);
          p != nullptr && p->generation == generation && p->has_others)
        for (order::ReleasePoint& other : others) other.name_past(sweep);
  }
  for (auto& [task, fences] : state_->fences) {
    if (fences.generation != generation) continue;
    sweep.knows(fences.seen);
    sweep.knows(fences.published);
  }
}

} // namespace fletcher::constructs
