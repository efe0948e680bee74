// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Happens-before of C11/C++11 atomics and fences: a release store or read-modify-write publishes its strand's clock at
// the address, an acquire that reads the value takes it. Relaxed operations order nothing unless fences (or OpenMP
// flushes) surround them. The operation is performed inside, so that value and clock change together.
#pragma once

#include "checker/access/check.hpp"
#include "checker/access/thread_state.hpp"
#include "checker/constructs/strand.hpp"

#include <atomic>
#include <memory>
#include <optional>

namespace fletcher::constructs {

enum class MemoryOrder : std::uint8_t { relaxed, consume, acquire, release, acq_rel, seq_cst };

constexpr bool acquires(MemoryOrder o) noexcept {
  return o == MemoryOrder::acquire || o == MemoryOrder::consume || o == MemoryOrder::acq_rel ||
         o == MemoryOrder::seq_cst;
}
constexpr bool releases(MemoryOrder o) noexcept {
  return o == MemoryOrder::release || o == MemoryOrder::acq_rel || o == MemoryOrder::seq_cst;
}
constexpr MemoryOrder without_acquire(MemoryOrder o) noexcept {
  return releases(o) ? MemoryOrder::release : MemoryOrder::relaxed;
}

/// Whether the program does anything with the value that a read-modify-write operation read: by it a thread may draw a
/// number of its own, and find out who came before. Where it does nothing, in another run it could have come first, and
/// would have gone on in the same way: such an operation orders nothing before what follows it.
enum class OldValue : bool { unused, used };

class Execution;

class AtomicOrder {
public:
  explicit AtomicOrder(Execution& execution);
  ~AtomicOrder();
  AtomicOrder(const AtomicOrder&) = delete;
  AtomicOrder& operator=(const AtomicOrder&) = delete;

  /// Some operation or fence has handed on order.
  bool orders() const noexcept {
    return released_.load(std::memory_order_relaxed) || fenced_.load(std::memory_order_relaxed);
  }
  /// Whether such an operation may publish or take something.
  bool needs_order(MemoryOrder order, OldValue old = OldValue::used) const noexcept {
    return order != MemoryOrder::relaxed || fenced_.load(std::memory_order_relaxed) ||
           (old == OldValue::used && left_.load(std::memory_order_relaxed));
  }
  /// after_load() would do nothing. Takes no lock.
  bool load_tells_nothing(const access::ThreadState& thread, Address address, MemoryOrder order) const noexcept {
    if (needs_order(order) && !has_learned(thread, address, order)) return false;
    if (!access::reads_matter(thread)) return true;
    const std::optional<StrandId> writer = seen_writer(address);
    return writer && (*writer == StrandId::none || *writer == thread.strand() || thread.has_read_from(*writer));
  }
  /// The value at `address` was read by an atomic load.
  void after_load(access::ThreadState& thread, Address address, MemoryOrder order) {
    const StrandId writer = access::reads_matter(thread) ? last_writer(address) : StrandId::none;
    if (needs_order(order)) learn_from(thread, address, order);
    if (writer != StrandId::none) read_from(thread, writer);
  }
  /// The value at `address` was read by a relaxed operation: a fence that is still to come, the program's first one,
  /// may bind it. To be said before needs_order() is asked.
  void read_before_fences(Address address) noexcept {
    if (!fenced_.load(std::memory_order_relaxed) && released_.load(std::memory_order_relaxed)) keep_for_fences(address);
  }
  template <class Op> void store(access::ThreadState& thread, Address address, MemoryOrder order, Op op) {
    const bool read_later = access::reads_matter(thread);
    if (!needs_order(order) && !released_.load(std::memory_order_relaxed) && !read_later) return op();
    const Locked lock(*this, address);
    if (read_later) write(thread, address);
    before_store(thread, address, order);
    op();
  }
  /// Reads a value and writes another one. `op` may have read it before. What the value carries is taken first, where
  /// the order is asked for, so that its writer comes before the access.
  template <class Op>
  void update(access::ThreadState& thread, Address address, MemoryOrder order, Op op, OldValue old = OldValue::used) {
    if (old == OldValue::used) draw_number(thread);
    const bool leaves = leaves_value(thread, order, old);
    if (leaves) order = without_acquire(order);
    std::optional<Locked> lock;
    const bool ordered = needs_order(order, old);
    if (ordered || access::reads_matter(thread)) lock.emplace(*this, address);
    if (ordered) {
      expect_order(address, order);
      take(thread, address, order, leaves);
    }
    op();
    if (!ordered) read_before_fences(address);
    // The value's writer may have been the first to do what makes the order matter.
    const bool order_found = !ordered && needs_order(order, old), read_later = access::reads_matter(thread);
    if (!ordered && !order_found && !read_later) return;
    if (!lock) lock.emplace(*this, address);
    if (read_later) {
      if (const StrandId writer = known_writer(address); writer != StrandId::none) read_from(thread, writer);
      write(thread, address);
    }
    if (order_found) take(thread, address, order, leaves);
    if (ordered || order_found) give(thread, address, order);
  }
  /// `op` returns {value, whether it wrote}; `failure` orders an exchange that did not write.
  template <class Op>
  auto exchange(access::ThreadState& thread, Address address, MemoryOrder success, MemoryOrder failure, Op op,
                OldValue old = OldValue::used) {
    if (old == OldValue::used) draw_number(thread);
    if (acquires(success)) may_exclude(thread);
    const bool leaves = leaves_value(thread, success, old) || leaves_value(thread, failure, old);
    if (leaves) success = without_acquire(success), failure = without_acquire(failure);
    const auto needs = [&] { return needs_order(success, old) || needs_order(failure, old); };
    std::optional<Locked> lock;
    if (needs() || access::reads_matter(thread)) lock.emplace(*this, address);
    if (needs_order(success, old)) expect_order(address, success);
    const auto result = op();
    if (!needs()) read_before_fences(address);
    // The value's writer may have been the first to do what makes the order matter.
    const bool ordered = needs(), read_later = access::reads_matter(thread);
    if (!ordered && !read_later) return result;
    if (!lock) lock.emplace(*this, address);
    if (read_later) {
      if (const StrandId writer = known_writer(address); writer != StrandId::none) read_from(thread, writer);
      if (result.second) write(thread, address);
    }
    if (!ordered) return result;
    take(thread, address, result.second ? success : failure, leaves);
    if (result.second) give(thread, address, success);
    return result;
  }
  /// atomic_thread_fence, or an OpenMP flush (as acq_rel).
  void fence(access::ThreadState& thread, MemoryOrder order);
  /// The task will perform no operation any more.
  void ended(TaskId task);
  /// Which strands of the past what it carries is of. Only while no thread performs an operation.
  void name_past(order::Sweep& sweep);

private:
  /// Of an address, by the thread that writes there and says what the value carries.
  class Locked {
  public:
    Locked(AtomicOrder& order, Address address);
    ~Locked();
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

  private:
    AtomicOrder& order_;
    Address address_;
  };
  /// Where updates of many variables learn nothing, all that was done there stays concurrent: three times as slow. So a
  /// thread acquires as if it looked at the values after so many of them, by when what the program repeats has been
  /// met.
  static constexpr std::uint32_t most_values_left = 1u << 14;
  static bool leaves_value(const access::ThreadState& thread, MemoryOrder order, OldValue old) noexcept {
    return old == OldValue::unused && acquires(order) && thread.values_left < most_values_left;
  }
  // Who wrote a value last, for prediction: shadow memory may lose a write where two threads access a granule at once.
  /// None where it is not known. The caller holds the address's lock; last_writer() takes it, so that the writer of the
  /// value that was read has recorded that.
  StrandId known_writer(Address) const noexcept;
  StrandId last_writer(Address) noexcept;
  /// The same without the lock; nothing while somebody may have written the value and not yet said so.
  std::optional<StrandId> seen_writer(Address) const noexcept;
  void write(access::ThreadState&, Address) noexcept;
  void read_from(access::ThreadState&, StrandId writer);
  /// Said before a value is written of which others may learn.
  void expect_order(Address, MemoryOrder) noexcept;
  /// What values carry at addresses like this one is kept for the first fence, also where they are overwritten.
  void keep_for_fences(Address) noexcept;
  void meet_first_fence();
  /// The running task has learned what the value at the address carries by such a load, and nobody has changed that
  /// since.
  bool has_learned(const access::ThreadState&, Address, MemoryOrder) const noexcept;
  void learn_from(access::ThreadState&, Address, MemoryOrder);
  void before_store(access::ThreadState&, Address, MemoryOrder);
  /// What the value at the address carries, by a read-modify-write operation, and what it carries on from there. The
  /// caller holds the address's lock. `leaves`: it would acquire, and does nothing with the value.
  void take(access::ThreadState&, Address, MemoryOrder, bool leaves);
  void give(access::ThreadState&, Address, MemoryOrder);
  struct State;
  std::unique_ptr<State> state_;
  Execution& execution_;
  std::atomic<bool> released_{false}; ///< some operation released: relaxed stores may overwrite what it published
  /// Some operation that would acquire left its value: who looks at what the variable holds afterwards learns by any
  /// order what it could have learned.
  std::atomic<bool> left_{false};
  std::atomic<bool> fenced_{false}; ///< some fence was met: relaxed operations may publish and take
};

} // namespace fletcher::constructs
