// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shadow call stack: function entry and exit, and jumps out of functions.

#include "test/instrument/recorder.hpp"

#include <gtest/gtest.h>

#include <csetjmp>
#include <cstdint>

using fletcher::Address;
using fletcher::test::WatchedThread;

extern "C" {
void __tsan_func_entry(void*);
void __tsan_func_exit();
}

namespace {

std::ptrdiff_t height(WatchedThread& thread) { return thread.state().stack.top() - thread.state().stack.begin(); }

TEST(CallStack, EntryAndExitAreBalanced) {
  __tsan_func_entry(nullptr); // unknown thread: no effect
  __tsan_func_exit();
  WatchedThread thread;
  __tsan_func_entry(reinterpret_cast<void*>(0x11));
  __tsan_func_entry(reinterpret_cast<void*>(0x22));
  EXPECT_EQ(height(thread), 2);
  EXPECT_EQ(thread.state().stack.begin()[0].pc, 0x11U);
  EXPECT_EQ(thread.state().stack.begin()[1].pc, 0x22U);
  __tsan_func_exit();
  __tsan_func_exit();
  __tsan_func_exit(); // one too many
  EXPECT_EQ(height(thread), 0);
}

TEST(CallStack, EntryBeyondItsLimitKeepsTheBalance) {
  WatchedThread thread;
  for (int i = 0; i < 100; ++i) __tsan_func_entry(nullptr);
  EXPECT_EQ(height(thread), 64);
  for (int i = 0; i < 40; ++i) __tsan_func_exit();
  EXPECT_EQ(height(thread), 60);
}

TEST(CallStack, RecordsWhereAFramesDataLies) {
  WatchedThread thread;
  const auto below = reinterpret_cast<Address>(__builtin_frame_address(0));
  __tsan_func_entry(nullptr);
  const auto& frame = thread.state().stack.begin()[0];
  EXPECT_LE(frame.stack_pointer, below);
  EXPECT_LT(below - frame.stack_pointer, 65536U);
}

std::jmp_buf place;

[[gnu::noinline]] void leaf(int depth) {
  char keep[64];
  asm volatile("" : : "r"(keep) : "memory"); // a frame of its own
  __tsan_func_entry(nullptr);
  if (depth > 0)
    leaf(depth - 1);
  else if (depth == 0)
    std::longjmp(place, 1);
  __tsan_func_exit();
  asm volatile("" : : "r"(keep) : "memory");
}

[[gnu::noinline]] void jumped_into() {
  __tsan_func_entry(nullptr);
  if (setjmp(place) == 0) leaf(5);
  __tsan_func_exit();
}

TEST(CallStack, ALongJumpLeavesTheFramesThatItPasses) {
  WatchedThread thread;
  __tsan_func_entry(nullptr);
  for (int i = 0; i < 50; ++i) {
    jumped_into();
    ASSERT_EQ(height(thread), 1) << "after jump " << i;
  }
}

} // namespace
