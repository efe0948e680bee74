// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entry points of atomic operations, width by width. clang passes the expected value of a compare-exchange and
// takes the old one back; gcc passes a pointer to it and takes a truth value.

#include "lib/instrument/atomics.hpp"

using namespace fletcher::instrument;

#pragma GCC visibility push(default)
extern "C" {

using u8 = std::uint8_t;
u8 __tsan_atomic8_load(const volatile u8* p, int order) { return atomic_load(p, order, caller()); }
void __tsan_atomic8_store(volatile u8* p, u8 v, int order) { atomic_store(p, v, order, caller()); }
u8 __tsan_atomic8_exchange(volatile u8* p, u8 v, int order) { return atomic_update<Exchange>(p, v, order, caller()); }
u8 __tsan_atomic8_fetch_add(volatile u8* p, u8 v, int order) { return atomic_update<Add>(p, v, order, caller()); }
u8 __tsan_atomic8_fetch_sub(volatile u8* p, u8 v, int order) { return atomic_update<Subtract>(p, v, order, caller()); }
u8 __tsan_atomic8_fetch_and(volatile u8* p, u8 v, int order) { return atomic_update<And>(p, v, order, caller()); }
u8 __tsan_atomic8_fetch_or(volatile u8* p, u8 v, int order) { return atomic_update<Or>(p, v, order, caller()); }
u8 __tsan_atomic8_fetch_xor(volatile u8* p, u8 v, int order) { return atomic_update<Xor>(p, v, order, caller()); }
u8 __tsan_atomic8_fetch_nand(volatile u8* p, u8 v, int order) { return atomic_update<Nand>(p, v, order, caller()); }
u8 __tsan_atomic8_compare_exchange_val(volatile u8* p, u8 expected, u8 v, int success, int failure) {
  atomic_compare_exchange(p, expected, v, success, failure, caller());
  return expected;
}
int __tsan_atomic8_compare_exchange_strong(volatile u8* p, u8* expected, u8 v, int success, int failure) {
  return atomic_compare_exchange(p, *expected, v, success, failure, caller());
}
int __tsan_atomic8_compare_exchange_weak(volatile u8* p, u8* expected, u8 v, int success, int failure) {
  return atomic_compare_exchange(p, *expected, v, success, failure, caller());
}

using u16 = std::uint16_t;
u16 __tsan_atomic16_load(const volatile u16* p, int order) { return atomic_load(p, order, caller()); }
void __tsan_atomic16_store(volatile u16* p, u16 v, int order) { atomic_store(p, v, order, caller()); }
u16 __tsan_atomic16_exchange(volatile u16* p, u16 v, int order) {
  return atomic_update<Exchange>(p, v, order, caller());
}
u16 __tsan_atomic16_fetch_add(volatile u16* p, u16 v, int order) { return atomic_update<Add>(p, v, order, caller()); }
u16 __tsan_atomic16_fetch_sub(volatile u16* p, u16 v, int order) {
  return atomic_update<Subtract>(p, v, order, caller());
}
u16 __tsan_atomic16_fetch_and(volatile u16* p, u16 v, int order) { return atomic_update<And>(p, v, order, caller()); }
u16 __tsan_atomic16_fetch_or(volatile u16* p, u16 v, int order) { return atomic_update<Or>(p, v, order, caller()); }
u16 __tsan_atomic16_fetch_xor(volatile u16* p, u16 v, int order) { return atomic_update<Xor>(p, v, order, caller()); }
u16 __tsan_atomic16_fetch_nand(volatile u16* p, u16 v, int order) { return atomic_update<Nand>(p, v, order, caller()); }
u16 __tsan_atomic16_compare_exchange_val(volatile u16* p, u16 expected, u16 v, int success, int failure) {
  atomic_compare_exchange(p, expected, v, success, failure, caller());
  return expected;
}
int __tsan_atomic16_compare_exchange_strong(volatile u16* p, u16* expected, u16 v, int success, int failure) {
  return atomic_compare_exchange(p, *expected, v, success, failure, caller());
}
int __tsan_atomic16_compare_exchange_weak(volatile u16* p, u16* expected, u16 v, int success, int failure) {
  return atomic_compare_exchange(p, *expected, v, success, failure, caller());
}

using u32 = std::uint32_t;
u32 __tsan_atomic32_load(const volatile u32* p, int order) { return atomic_load(p, order, caller()); }
void __tsan_atomic32_store(volatile u32* p, u32 v, int order) { atomic_store(p, v, order, caller()); }
u32 __tsan_atomic32_exchange(volatile u32* p, u32 v, int order) {
  return atomic_update<Exchange>(p, v, order, caller());
}
u32 __tsan_atomic32_fetch_add(volatile u32* p, u32 v, int order) { return atomic_update<Add>(p, v, order, caller()); }
u32 __tsan_atomic32_fetch_sub(volatile u32* p, u32 v, int order) {
  return atomic_update<Subtract>(p, v, order, caller());
}
u32 __tsan_atomic32_fetch_and(volatile u32* p, u32 v, int order) { return atomic_update<And>(p, v, order, caller()); }
u32 __tsan_atomic32_fetch_or(volatile u32* p, u32 v, int order) { return atomic_update<Or>(p, v, order, caller()); }
u32 __tsan_atomic32_fetch_xor(volatile u32* p, u32 v, int order) { return atomic_update<Xor>(p, v, order, caller()); }
u32 __tsan_atomic32_fetch_nand(volatile u32* p, u32 v, int order) { return atomic_update<Nand>(p, v, order, caller()); }
u32 __tsan_atomic32_compare_exchange_val(volatile u32* p, u32 expected, u32 v, int success, int failure) {
  atomic_compare_exchange(p, expected, v, success, failure, caller());
  return expected;
}
int __tsan_atomic32_compare_exchange_strong(volatile u32* p, u32* expected, u32 v, int success, int failure) {
  return atomic_compare_exchange(p, *expected, v, success, failure, caller());
}
int __tsan_atomic32_compare_exchange_weak(volatile u32* p, u32* expected, u32 v, int success, int failure) {
  return atomic_compare_exchange(p, *expected, v, success, failure, caller());
}

using u64 = std::uint64_t;
u64 __tsan_atomic64_load(const volatile u64* p, int order) { return atomic_load(p, order, caller()); }
void __tsan_atomic64_store(volatile u64* p, u64 v, int order) { atomic_store(p, v, order, caller()); }
u64 __tsan_atomic64_exchange(volatile u64* p, u64 v, int order) {
  return atomic_update<Exchange>(p, v, order, caller());
}
u64 __tsan_atomic64_fetch_add(volatile u64* p, u64 v, int order) { return atomic_update<Add>(p, v, order, caller()); }
u64 __tsan_atomic64_fetch_sub(volatile u64* p, u64 v, int order) {
  return atomic_update<Subtract>(p, v, order, caller());
}
u64 __tsan_atomic64_fetch_and(volatile u64* p, u64 v, int order) { return atomic_update<And>(p, v, order, caller()); }
u64 __tsan_atomic64_fetch_or(volatile u64* p, u64 v, int order) { return atomic_update<Or>(p, v, order, caller()); }
u64 __tsan_atomic64_fetch_xor(volatile u64* p, u64 v, int order) { return atomic_update<Xor>(p, v, order, caller()); }
u64 __tsan_atomic64_fetch_nand(volatile u64* p, u64 v, int order) { return atomic_update<Nand>(p, v, order, caller()); }
u64 __tsan_atomic64_compare_exchange_val(volatile u64* p, u64 expected, u64 v, int success, int failure) {
  atomic_compare_exchange(p, expected, v, success, failure, caller());
  return expected;
}
int __tsan_atomic64_compare_exchange_strong(volatile u64* p, u64* expected, u64 v, int success, int failure) {
  return atomic_compare_exchange(p, *expected, v, success, failure, caller());
}
int __tsan_atomic64_compare_exchange_weak(volatile u64* p, u64* expected, u64 v, int success, int failure) {
  return atomic_compare_exchange(p, *expected, v, success, failure, caller());
}

using u128 = Uint128;
u128 __tsan_atomic128_load(const volatile u128* p, int order) { return atomic_load(p, order, caller()); }
void __tsan_atomic128_store(volatile u128* p, u128 v, int order) { atomic_store(p, v, order, caller()); }
u128 __tsan_atomic128_exchange(volatile u128* p, u128 v, int order) {
  return atomic_update<Exchange>(p, v, order, caller());
}
u128 __tsan_atomic128_fetch_add(volatile u128* p, u128 v, int order) {
  return atomic_update<Add>(p, v, order, caller());
}
u128 __tsan_atomic128_fetch_sub(volatile u128* p, u128 v, int order) {
  return atomic_update<Subtract>(p, v, order, caller());
}
u128 __tsan_atomic128_fetch_and(volatile u128* p, u128 v, int order) {
  return atomic_update<And>(p, v, order, caller());
}
u128 __tsan_atomic128_fetch_or(volatile u128* p, u128 v, int order) { return atomic_update<Or>(p, v, order, caller()); }
u128 __tsan_atomic128_fetch_xor(volatile u128* p, u128 v, int order) {
  return atomic_update<Xor>(p, v, order, caller());
}
u128 __tsan_atomic128_fetch_nand(volatile u128* p, u128 v, int order) {
  return atomic_update<Nand>(p, v, order, caller());
}
u128 __tsan_atomic128_compare_exchange_val(volatile u128* p, u128 expected, u128 v, int success, int failure) {
  atomic_compare_exchange(p, expected, v, success, failure, caller());
  return expected;
}
int __tsan_atomic128_compare_exchange_strong(volatile u128* p, u128* expected, u128 v, int success, int failure) {
  return atomic_compare_exchange(p, *expected, v, success, failure, caller());
}
int __tsan_atomic128_compare_exchange_weak(volatile u128* p, u128* expected, u128 v, int success, int failure) {
  return atomic_compare_exchange(p, *expected, v, success, failure, caller());
}

void __tsan_atomic_thread_fence(int order) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  fletcher::access::ThreadState* const thread = detail::observer();
  if (thread == nullptr) return;
  const fletcher::tool::InsideTool inside;
  thread->atomics->fence(*thread, order_of(order));
}

// Orders a thread with its own signal handlers only.
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

} // extern "C"
#pragma GCC visibility pop
