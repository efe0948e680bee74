// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C11 atomic operations of every width: performed here, on behalf of the program, and reported to the checker: as an
// access and as an edge (constructs::AtomicOrder). An access that releases is recorded before its clock is published,
// and one that acquires after it has taken the clock, so that neither is concurrent with what it is ordered with.
#pragma once

#include "checker/checker.hpp"
#include "checker/constructs/locks/atomic_order.hpp"
#include "lib/instrument/access.hpp"
#include "lib/instrument/exchange_behind.hpp"
#include "lib/instrument/result_uses.hpp"
#include "lib/interpose/takeover/earlier_threads.hpp"

#include <cstdint>
#include <optional>
#include <utility>

namespace fletcher::instrument {

using constructs::MemoryOrder;

__extension__ typedef unsigned __int128 Uint128;

/// The order argument of the entry points uses C11's numbers; higher bits are hints.
[[gnu::always_inline]] inline MemoryOrder order_of(int number) noexcept {
  const int plain = number & 0xffff;
  return plain > 5 ? MemoryOrder::seq_cst : static_cast<MemoryOrder>(plain);
}

constexpr int old_value_unused = 1 << 30;

/// The compiler plugin sets that bit of the order of a read-modify-write operation whose result goes nowhere but into
/// the same variable (lib/pass/doubts/doubts), and of the load that a loop around such an operation begins with.
[[gnu::always_inline]] inline constructs::OldValue old_value_of(int order) noexcept {
  return (order & old_value_unused) != 0 ? constructs::OldValue::unused : constructs::OldValue::used;
}

/// It sets this one, too, where the thread is certain to come to the exchange: that is the stronger access.
constexpr int exchange_follows = 1 << 29;

/// The operations themselves, always at least as strong as asked for.
namespace operation {

template <class T> [[gnu::always_inline]] inline T load(const volatile T* object) noexcept {
  return __atomic_load_n(object, __ATOMIC_SEQ_CST);
}
template <class T> [[gnu::always_inline]] inline void store(volatile T* object, T value, MemoryOrder order) noexcept {
  if (order == MemoryOrder::seq_cst)
    __atomic_store_n(object, value, __ATOMIC_SEQ_CST);
  else
    __atomic_store_n(object, value, __ATOMIC_RELEASE);
}
/// `expected` becomes the value that was there.
template <class T>
[[gnu::always_inline]] inline bool compare_exchange(volatile T* object, T& expected, T desired) noexcept {
  return __atomic_compare_exchange_n(object, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
#if defined(__x86_64__)
// The compilers' own 16-byte operations are calls into libatomic, which a C program need not have.
inline bool compare_exchange(volatile Uint128* object, Uint128& expected, Uint128 desired) noexcept {
  auto low = static_cast<std::uint64_t>(expected), high = static_cast<std::uint64_t>(expected >> 64);
  bool exchanged;
  asm volatile("lock cmpxchg16b %1"
               : "=@ccz"(exchanged), "+m"(*object), "+a"(low), "+d"(high)
               : "b"(static_cast<std::uint64_t>(desired)), "c"(static_cast<std::uint64_t>(desired >> 64))
               : "memory");
  expected = Uint128{high} << 64 | low;
  return exchanged;
}
inline Uint128 load(const volatile Uint128* object) noexcept {
  Uint128 value = 0;
  compare_exchange(const_cast<volatile Uint128*>(object), value, value); // writes zero only over zero
  return value;
}
inline void store(volatile Uint128* object, Uint128 value, MemoryOrder) noexcept {
  Uint128 before = load(object);
  while (!compare_exchange(object, before, value)) {
  }
}
#endif

/// Replaces the value by `next(value)`; returns what was there.
template <class T, class Next> T update(volatile T* object, Next next) noexcept {
  T value = load(object);
  while (!compare_exchange(object, value, next(value))) {
  }
  return value;
}

} // namespace operation

/// A read-modify-write operation: as one instruction where the machine has it, and as a function of the old value.
struct Exchange {
  template <class T> static T perform(volatile T* p, T v) noexcept {
    return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);
  }
  static Uint128 next(Uint128, Uint128 operand) noexcept { return operand; }
};
struct Add {
  template <class T> static T perform(volatile T* p, T v) noexcept {
    return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);
  }
  static Uint128 next(Uint128 value, Uint128 operand) noexcept { return value + operand; }
};
struct Subtract {
  template <class T> static T perform(volatile T* p, T v) noexcept {
    return __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST);
  }
  static Uint128 next(Uint128 value, Uint128 operand) noexcept { return value - operand; }
};
struct And {
  template <class T> static T perform(volatile T* p, T v) noexcept {
    return __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST);
  }
  static Uint128 next(Uint128 value, Uint128 operand) noexcept { return value & operand; }
};
struct Or {
  template <class T> static T perform(volatile T* p, T v) noexcept { return __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST); }
  static Uint128 next(Uint128 value, Uint128 operand) noexcept { return value | operand; }
};
struct Xor {
  template <class T> static T perform(volatile T* p, T v) noexcept {
    return __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST);
  }
  static Uint128 next(Uint128 value, Uint128 operand) noexcept { return value ^ operand; }
};
struct Nand {
  template <class T> static T perform(volatile T* p, T v) noexcept {
    return __atomic_fetch_nand(p, v, __ATOMIC_SEQ_CST);
  }
  static Uint128 next(Uint128 value, Uint128 operand) noexcept { return ~(value & operand); }
};

namespace detail {
template <class T> Address address_of(const volatile T* object) noexcept { return reinterpret_cast<Address>(object); }

/// The running thread where operations are to be reported, otherwise null: also in a signal handler that interrupted
/// the checker, which may hold a lock.
inline access::ThreadState* observer() noexcept {
  access::ThreadState* thread = tool::thread_state();
  if (thread == nullptr) [[unlikely]]
    thread = interpose::earlier_threads::meet();
  return thread == nullptr || thread->atomics == nullptr || thread->in_checker ? nullptr : thread;
}

/// The thread may draw a number by the operation, and is not known to have one.
[[gnu::always_inline]] inline bool is_news(const access::ThreadState& thread, int order) noexcept {
  return !constructs::is_identified(thread) && old_value_of(order) == constructs::OldValue::used;
}

/// Nothing of the operation matters but the access: as with plain ones no lock is taken, so the thread need not count
/// as being in the tool's code. To be asked when the value has been read: its writer may have been the first to
/// do what makes the order matter.
[[gnu::always_inline]] inline bool access_only(const access::ThreadState& thread, MemoryOrder order,
                                               constructs::OldValue old) noexcept {
  return !thread.atomics->needs_order(order, old) && !access::reads_matter(thread);
}

[[gnu::noinline]] inline void after_load(access::ThreadState& thread, Address address, MemoryOrder order) {
  const tool::InsideTool inside;
  thread.atomics->after_load(thread, address, order);
}

/// The access of a read-modify-write, which also reads.
template <class T>
[[gnu::always_inline]] inline void check_update(access::ThreadState& thread, volatile T* object, Address pc) {
  access::tell_watcher(thread, address_of(object), sizeof(T), Kind::atomic_read, pc);
  access::check(thread, address_of(object), sizeof(T), Kind::atomic_write, pc);
}

/// The operation as one that orders. `perform` returns the value before, also of one that was performed already.
template <class T, class Perform>
T ordered_update(access::ThreadState& thread, volatile T* object, Perform perform, int order, Address pc) {
  const tool::InsideTool inside;
  // Where many variables are updated each of these is a cache miss, as is what the variable carries, which is looked up
  // first: all at once, not one after the other.
  const Address granule = address_of(object) & ~Address{7};
  const std::uint64_t* const cell = access::first_cell(thread, granule);
  __builtin_prefetch(const_cast<const T*>(object), 1);
  __builtin_prefetch(cell, 1);
  __builtin_prefetch(cell + thread.plane_distance, 1);
  T before{};
  const auto told = [&] {
    before = perform();
    check_update(thread, object, pc);
  };
  thread.atomics->update(thread, address_of(object), order_of(order), told, old_value_of(order));
  return before;
}

template <class Operation, class T> [[gnu::always_inline]] inline T perform(volatile T* object, T operand) noexcept {
  if constexpr (sizeof(T) == 16)
    return operation::update(object, [operand](T value) { return Operation::next(value, operand); });
  else
    return Operation::perform(object, operand);
}

// What is seldom needed are functions of their own, to be called last of all: where only the access matters, and it has
// been reported, neither registers nor a stack frame are needed.
template <class Operation, class T>
[[gnu::noinline]] T update_with_care(volatile T* object, T operand, int order, Address pc,
                                     access::ThreadState& thread) {
  return ordered_update<T>(
      thread, object, [object, operand] { return perform<Operation>(object, operand); }, order, pc);
}
template <class T>
[[gnu::noinline]] T order_after_update(volatile T* object, T before, int order, Address pc,
                                       access::ThreadState& thread) {
  return ordered_update<T>(thread, object, [before] { return before; }, order, pc);
}
template <class T>
[[gnu::noinline]] T check_after_update(volatile T* object, T before, Address pc, access::ThreadState& thread) {
  check_update(thread, object, pc);
  return before;
}
/// The load that gcc's update begins with, of which only that is told (exchange_behind.hpp): as the update.
template <class T>
[[gnu::noinline]] T load_for_update(access::ThreadState& thread, const volatile T* object, int order, Address pc) {
  if (old_value_of(order) == constructs::OldValue::used) constructs::may_exclude(thread);
  auto* const updated = const_cast<volatile T*>(object);
  return ordered_update<T>(thread, updated, [updated] { return operation::load(updated); }, order, pc);
}
/// Whether it exchanged. `done`: that, where it was performed already.
template <class T>
[[gnu::noinline]] bool ordered_exchange(access::ThreadState& thread, volatile T* object, T& expected, T desired,
                                        int success, int failure, Address pc, std::optional<bool> done) {
  const tool::InsideTool inside;
  const auto told = [&] {
    const bool exchanged = done ? *done : operation::compare_exchange(object, expected, desired);
    if (exchanged)
      check_update(thread, object, pc);
    else
      access::check(thread, address_of(object), sizeof(T), Kind::atomic_read, pc);
    return std::pair(exchanged, exchanged);
  };
  return thread.atomics
      ->exchange(thread, address_of(object), order_of(success), order_of(failure), told, old_value_of(success))
      .first;
}
} // namespace detail

template <class T> T atomic_load(const volatile T* object, int order, Address pc) {
  access::ThreadState* const thread = detail::observer();
  if (thread == nullptr) return operation::load(object);
  if (constexpr int by_plugin = old_value_unused | exchange_follows; sizeof(T) <= 8 && (order & by_plugin) == 0)
    if (const auto behind = exchange_behind(pc, detail::address_of(object), sizeof(T)); behind != ExchangeBehind::none)
        [[unlikely]]
      return detail::load_for_update(*thread, object,
                                     behind == ExchangeBehind::alone ? order | old_value_unused : order, pc);
  // Which way the check takes depends on the value and on both cells: where they are missed, all at once.
  const std::uint64_t* const cell = access::first_cell(*thread, detail::address_of(object));
  __builtin_prefetch(cell);
  __builtin_prefetch(cell + thread->plane_distance);
  const T value = operation::load(object);
  if (order_of(order) == MemoryOrder::relaxed) thread->atomics->read_before_fences(detail::address_of(object));
  if (old_value_of(order) == constructs::OldValue::used) constructs::may_exclude(*thread);
  const bool access_only = detail::access_only(*thread, order_of(order), old_value_of(order));
  if (access_only && (order & exchange_follows) != 0) return value;
  if (!access_only) [[unlikely]] {
    if (!thread->atomics->load_tells_nothing(*thread, detail::address_of(object), order_of(order)))
      detail::after_load(*thread, detail::address_of(object), order_of(order));
    if (access::told_at_rest(*thread, detail::address_of(object), sizeof(T))) return value;
  }
  access::check(*thread, detail::address_of(object), sizeof(T), Kind::atomic_read, pc);
  return value;
}

template <class T> void atomic_store(volatile T* object, T value, int order, Address pc) {
  access::ThreadState* const thread = detail::observer();
  if (thread == nullptr) return operation::store(object, value, order_of(order));
  const tool::InsideTool inside;
  access::check(*thread, detail::address_of(object), sizeof(T), Kind::atomic_write, pc);
  thread->atomics->store(*thread, detail::address_of(object), order_of(order),
                         [=] { operation::store(object, value, order_of(order)); });
}

/// Read-modify-write: returns the value before.
template <class Operation, class T>
[[gnu::always_inline]] inline T atomic_update(volatile T* object, T operand, int order, Address pc) {
  access::ThreadState* const thread = detail::observer();
  if (thread == nullptr) [[unlikely]]
    return detail::perform<Operation>(object, operand);
  if ((detail::is_news(*thread, order) || constructs::acquires(order_of(order))) && leaves_result(pc))
    order |= old_value_unused;
  const constructs::OldValue old = old_value_of(order);
  if (!detail::access_only(*thread, order_of(order), old) || detail::is_news(*thread, order)) [[unlikely]]
    return detail::update_with_care<Operation>(object, operand, order, pc, *thread);
  const T before = detail::perform<Operation>(object, operand);
  thread->atomics->read_before_fences(detail::address_of(object));
  if (!detail::access_only(*thread, order_of(order), old)) [[unlikely]]
    return detail::order_after_update(object, before, order, pc, *thread);
  if (!access::told(*thread, detail::address_of(object), sizeof(T), Kind::atomic_write)) [[unlikely]]
    return detail::check_after_update(object, before, pc, *thread);
  return before;
}

/// Whether it exchanged; `expected` becomes the value that was there. A failure reads only.
template <class T>
bool atomic_compare_exchange(volatile T* object, T& expected, T desired, int success, int failure, Address pc) {
  access::ThreadState* const thread = detail::observer();
  if (thread == nullptr) [[unlikely]]
    return operation::compare_exchange(object, expected, desired);
  const auto access_only = [&] {
    const constructs::OldValue old = old_value_of(success);
    return detail::access_only(*thread, order_of(success), old) && detail::access_only(*thread, order_of(failure), old);
  };
  std::optional<bool> done;
  if (access_only() && !detail::is_news(*thread, success)) [[likely]] {
    done = operation::compare_exchange(object, expected, desired);
    thread->atomics->read_before_fences(detail::address_of(object));
    if (access_only()) [[likely]] {
      const Kind kind = *done ? Kind::atomic_write : Kind::atomic_read;
      access::check(*thread, detail::address_of(object), sizeof(T), kind, pc);
      return *done;
    }
  }
  return detail::ordered_exchange(*thread, object, expected, desired, success, failure, pc, done);
}

} // namespace fletcher::instrument
