// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every atomic entry point of every width: the value it gives and leaves, the access it tells, and whether it orders.

#include "test/instrument/recorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

using fletcher::Address;
using fletcher::StrandId;
using fletcher::access::Kind;
using fletcher::test::WatchedThread;

__extension__ typedef unsigned __int128 Wide;

/// The entry points of one width, as the compilers declare them.
template <class T> struct EntryPoints {
  T (*load)(const volatile T*, int);
  void (*store)(volatile T*, T, int);
  T (*exchange)(volatile T*, T, int);
  T (*fetch_add)(volatile T*, T, int);
  T (*fetch_sub)(volatile T*, T, int);
  T (*fetch_and)(volatile T*, T, int);
  T (*fetch_or)(volatile T*, T, int);
  T (*fetch_xor)(volatile T*, T, int);
  T (*fetch_nand)(volatile T*, T, int);
  T (*exchange_val)(volatile T*, T, T, int, int);
  int (*exchange_strong)(volatile T*, T*, T, int, int);
  int (*exchange_weak)(volatile T*, T*, T, int, int);
};

#define DECLARE(T, width)                                                                                              \
  extern "C" {                                                                                                         \
  T __tsan_atomic##width##_load(const volatile T*, int);                                                               \
  void __tsan_atomic##width##_store(volatile T*, T, int);                                                              \
  T __tsan_atomic##width##_exchange(volatile T*, T, int);                                                              \
  T __tsan_atomic##width##_fetch_add(volatile T*, T, int);                                                             \
  T __tsan_atomic##width##_fetch_sub(volatile T*, T, int);                                                             \
  T __tsan_atomic##width##_fetch_and(volatile T*, T, int);                                                             \
  T __tsan_atomic##width##_fetch_or(volatile T*, T, int);                                                              \
  T __tsan_atomic##width##_fetch_xor(volatile T*, T, int);                                                             \
  T __tsan_atomic##width##_fetch_nand(volatile T*, T, int);                                                            \
  T __tsan_atomic##width##_compare_exchange_val(volatile T*, T, T, int, int);                                          \
  int __tsan_atomic##width##_compare_exchange_strong(volatile T*, T*, T, int, int);                                    \
  int __tsan_atomic##width##_compare_exchange_weak(volatile T*, T*, T, int, int);                                      \
  }                                                                                                                    \
  constexpr EntryPoints<T> entry_points(T) {                                                                           \
    return {__tsan_atomic##width##_load,                                                                               \
            __tsan_atomic##width##_store,                                                                              \
            __tsan_atomic##width##_exchange,                                                                           \
            __tsan_atomic##width##_fetch_add,                                                                          \
            __tsan_atomic##width##_fetch_sub,                                                                          \
            __tsan_atomic##width##_fetch_and,                                                                          \
            __tsan_atomic##width##_fetch_or,                                                                           \
            __tsan_atomic##width##_fetch_xor,                                                                          \
            __tsan_atomic##width##_fetch_nand,                                                                         \
            __tsan_atomic##width##_compare_exchange_val,                                                               \
            __tsan_atomic##width##_compare_exchange_strong,                                                            \
            __tsan_atomic##width##_compare_exchange_weak};                                                             \
  }
DECLARE(std::uint8_t, 8)
DECLARE(std::uint16_t, 16)
DECLARE(std::uint32_t, 32)
DECLARE(std::uint64_t, 64)
DECLARE(Wide, 128)
#undef DECLARE

extern "C" void __tsan_atomic_thread_fence(int);
extern "C" void __tsan_atomic_signal_fence(int);

namespace {

enum Order { relaxed, consume, acquire, release, acq_rel, seq_cst };
constexpr Order all_orders[] = {relaxed, consume, acquire, release, acq_rel, seq_cst};

/// A pattern that fills every byte of the width.
template <class T> T pattern(unsigned seed) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    value = static_cast<T>((value << 7) ^ static_cast<T>(seed * 37 + i * 11 + 129));
  return value;
}

template <class T> class Atomics : public testing::Test {
public:
  static constexpr EntryPoints<T> call = entry_points(T{});
  alignas(16) T object{};

  /// `update` by every order, watched and unwatched.
  template <class Function, class Model> void expect_update(Function function, Model model) {
    for (const Order order : all_orders)
      for (const bool watched : {false, true})
        for (unsigned seed = 1; seed < 8; ++seed) {
          const T before = pattern<T>(seed), operand = pattern<T>(seed + 100);
          object = before;
          if (watched) {
            WatchedThread thread;
            EXPECT_TRUE(function(&object, operand, order) == before);
            const auto access = thread.only_access();
            EXPECT_EQ(access.kind, Kind::atomic_write);
            EXPECT_EQ(access.size, sizeof(T));
            EXPECT_EQ(access.address, reinterpret_cast<Address>(&object));
            const auto& log = thread.recorder().order;
            EXPECT_EQ(std::find(log.begin(), log.end(), "give") != log.end(), order != relaxed);
            // Published after the access was recorded, so that whoever takes it comes after the access.
            if (order != relaxed) {
              EXPECT_LT(std::find(log.begin(), log.end(), "take"), std::find(log.begin(), log.end(), "access"));
              EXPECT_LT(std::find(log.begin(), log.end(), "access"), std::find(log.begin(), log.end(), "give"));
            }
          } else {
            EXPECT_TRUE(function(&object, operand, order) == before);
          }
          EXPECT_TRUE(object == model(before, operand)) << "order " << order << " seed " << seed;
        }
  }
};

using Widths = testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, Wide>;
TYPED_TEST_SUITE(Atomics, Widths);

TYPED_TEST(Atomics, Load) {
  for (const Order order : {relaxed, consume, acquire, seq_cst}) {
    this->object = pattern<TypeParam>(static_cast<unsigned>(order));
    EXPECT_TRUE(this->call.load(&this->object, order) == this->object);
    WatchedThread thread;
    EXPECT_TRUE(this->call.load(&this->object, order) == pattern<TypeParam>(static_cast<unsigned>(order)));
    EXPECT_EQ(thread.only_access().kind, Kind::atomic_read);
    EXPECT_EQ(thread.only_access().size, sizeof(TypeParam));
    const std::vector<std::string> expected =
        order == relaxed ? std::vector<std::string>{"access"} : std::vector<std::string>{"learn_from", "access"};
    EXPECT_EQ(thread.recorder().order, expected);
  }
}

// The first load of a loop that tries to exchange until it succeeds: what follows is the stronger access.
TYPED_TEST(Atomics, ALoadThatAnExchangeFollowsIsNoAccessOfItsOwn) {
  constexpr int exchange_follows = 1 << 29;
  this->object = TypeParam{5};
  WatchedThread thread;
  EXPECT_TRUE(this->call.load(&this->object, relaxed | exchange_follows) == TypeParam{5});
  EXPECT_TRUE(thread.recorder().order.empty());
  EXPECT_TRUE(this->call.load(&this->object, acquire | exchange_follows) == TypeParam{5});
  EXPECT_EQ(thread.recorder().order, (std::vector<std::string>{"learn_from", "access"}));
}

TYPED_TEST(Atomics, Store) {
  for (const Order order : {relaxed, release, seq_cst}) {
    const TypeParam value = pattern<TypeParam>(static_cast<unsigned>(order) + 3);
    this->object = 0;
    this->call.store(&this->object, value, order);
    EXPECT_TRUE(this->object == value);
    this->object = 0;
    WatchedThread thread;
    this->call.store(&this->object, value, order);
    EXPECT_TRUE(this->object == value);
    EXPECT_EQ(thread.only_access().kind, Kind::atomic_write);
    EXPECT_EQ(thread.recorder().order.front(), "access") << "before its clock is published";
    EXPECT_EQ(thread.recorder().order.size() > 1, order != relaxed);
  }
}

TYPED_TEST(Atomics, Updates) {
  using T = TypeParam;
  this->expect_update(this->call.exchange, [](T, T b) { return b; });
  this->expect_update(this->call.fetch_add, [](T a, T b) { return static_cast<T>(a + b); });
  this->expect_update(this->call.fetch_sub, [](T a, T b) { return static_cast<T>(a - b); });
  this->expect_update(this->call.fetch_and, [](T a, T b) { return static_cast<T>(a & b); });
  this->expect_update(this->call.fetch_or, [](T a, T b) { return static_cast<T>(a | b); });
  this->expect_update(this->call.fetch_xor, [](T a, T b) { return static_cast<T>(a ^ b); });
  this->expect_update(this->call.fetch_nand, [](T a, T b) { return static_cast<T>(~(a & b)); });
}

TYPED_TEST(Atomics, CompareExchange) {
  using T = TypeParam;
  const T old = pattern<T>(1), other = pattern<T>(2), wanted = pattern<T>(3);
  for (const Order success : all_orders)
    for (const bool watched : {false, true}) {
      const auto check = [&](bool exchanges, auto&& operation) {
        this->object = old;
        if (!watched) {
          operation();
        } else {
          WatchedThread thread;
          operation();
          EXPECT_EQ(thread.only_access().kind, exchanges ? Kind::atomic_write : Kind::atomic_read);
          const auto& log = thread.recorder().order;
          EXPECT_EQ(std::find(log.begin(), log.end(), "take") != log.end(), success != relaxed);
          EXPECT_EQ(std::find(log.begin(), log.end(), "give") != log.end(), exchanges && success != relaxed);
        }
        EXPECT_TRUE(this->object == (exchanges ? wanted : old));
      };
      check(true, [&] { EXPECT_TRUE(this->call.exchange_val(&this->object, old, wanted, success, relaxed) == old); });
      check(false,
            [&] { EXPECT_TRUE(this->call.exchange_val(&this->object, other, wanted, success, relaxed) == old); });
      for (const auto function : {this->call.exchange_strong, this->call.exchange_weak}) {
        check(true, [&] {
          T expected = old;
          EXPECT_EQ(function(&this->object, &expected, wanted, success, relaxed), 1);
          EXPECT_TRUE(expected == old);
        });
        check(false, [&] {
          T expected = other;
          EXPECT_EQ(function(&this->object, &expected, wanted, success, relaxed), 0);
          EXPECT_TRUE(expected == old);
        });
      }
    }
}

TYPED_TEST(Atomics, AreAtomic) {
  this->object = 0;
  constexpr int rounds = 20000;
  const auto count = [this] {
    for (int i = 0; i < rounds; ++i) this->call.fetch_add(&this->object, 1, relaxed);
  };
  std::thread other(count);
  count();
  other.join();
  EXPECT_TRUE(this->object == static_cast<TypeParam>(2 * rounds));
}

// Who reads a value must find the record of whoever wrote it.
TYPED_TEST(Atomics, RelaxedOnesAreRecordedTogetherWithTheirValueWhereReadsMatter) {
  WatchedThread thread;
  thread.state().locks_taken = &thread.recorder().locks_taken;
  thread.recorder().locks_taken = true;
  this->call.load(&this->object, relaxed);
  EXPECT_EQ(thread.recorder().order, (std::vector<std::string>{"last_writer", "access"}));
  thread.recorder().order.clear();
  this->call.fetch_add(&this->object, TypeParam{1}, relaxed);
  EXPECT_EQ(thread.recorder().order, (std::vector<std::string>{"lock", "access", "write", "unlock"}));
}

TYPED_TEST(Atomics, OfAWriterThatIsKnownOrNotedARelaxedLoadTellsNothingMore) {
  WatchedThread thread;
  thread.state().locks_taken = &thread.recorder().locks_taken;
  thread.recorder().locks_taken = true;
  const auto asks_for_writer = [&](StrandId writer) {
    thread.recorder().seen_writer = writer;
    thread.recorder().order.clear();
    this->call.load(&this->object, relaxed);
    return thread.recorder().order != std::vector<std::string>{"access"};
  };
  thread.state().set_strand(StrandId{8});
  EXPECT_FALSE(asks_for_writer(StrandId::none));
  EXPECT_FALSE(asks_for_writer(StrandId{8}));
  EXPECT_TRUE(asks_for_writer(StrandId{12}));
  thread.state().read_from(StrandId{12});
  EXPECT_FALSE(asks_for_writer(StrandId{12}));
  this->call.load(&this->object, acquire);
  EXPECT_EQ(thread.recorder().order.size(), 4U) << "what an acquire load learns is asked for";
}

TEST(Fences, AreTold) {
  __tsan_atomic_thread_fence(seq_cst);
  __tsan_atomic_signal_fence(seq_cst);
  WatchedThread thread;
  __tsan_atomic_thread_fence(acquire);
  EXPECT_EQ(thread.recorder().order, std::vector<std::string>{"fence"});
  __tsan_atomic_signal_fence(acquire);
  EXPECT_EQ(thread.recorder().order.size(), 1U) << "a signal fence orders nothing between threads";
}

} // namespace
