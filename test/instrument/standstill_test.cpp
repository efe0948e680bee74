// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that are stopped wherever they are: none in the midst of what the take-over makes a jump of.

#include "lib/interpose/takeover/standstill.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <thread>

#if defined(__x86_64__)

using fletcher::Address;
using fletcher::interpose::Narrows;
using fletcher::interpose::Standstill;

extern "C" const std::byte fletcher_test_narrow[];
/// Runs in circles, most of the time in the five bytes behind the entry, until the word is not zero.
extern "C" void fletcher_test_run_in_circles(const std::atomic<unsigned>* over);

asm(R"asm(
  .text
  .globl fletcher_test_run_in_circles, fletcher_test_narrow
  .hidden fletcher_test_run_in_circles, fletcher_test_narrow
  .type fletcher_test_run_in_circles, @function
fletcher_test_run_in_circles:
  movl (%rdi), %eax
fletcher_test_narrow:
  nop
  pause
  pause
  testl %eax, %eax
  je fletcher_test_run_in_circles
  ret
  .size fletcher_test_run_in_circles, . - fletcher_test_run_in_circles
)asm");

namespace {

TEST(Standstill, LeadsThreadsOutOfNarrows) {
  std::atomic<unsigned> over{0};
  std::thread other(fletcher_test_run_in_circles, &over);
  const Address entry = reinterpret_cast<Address>(fletcher_test_narrow);
  const Narrows narrows{{&entry, 1}, 5};
  std::size_t stopped = 0, outside = 0;
  constexpr std::size_t times = 30;
  for (std::size_t i = 0; i < times; ++i) {
    const Standstill still(narrows);
    if (!still.reached()) break;
    for (const auto& thread : still.threads()) {
      ++stopped;
      if (!narrows.hold(thread.at)) ++outside;
    }
  }
  over = 1;
  other.join();
  if (stopped == 0) GTEST_SKIP() << "the system lets no thread be traced";
  EXPECT_EQ(stopped, times);
  EXPECT_EQ(outside, times);
}

TEST(Standstill, NarrowsHoldWhatIsBehindTheirEntries) {
  const Address entries[] = {100, 200};
  const Narrows narrows{entries, 5};
  EXPECT_FALSE(narrows.hold(99));
  EXPECT_FALSE(narrows.hold(100));
  EXPECT_TRUE(narrows.hold(101));
  EXPECT_TRUE(narrows.hold(204));
  EXPECT_FALSE(narrows.hold(205));
}

} // namespace

#endif
