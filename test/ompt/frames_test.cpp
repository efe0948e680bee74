// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the runtime says about the frame that a task calls it in (lib/ompt/local.hpp): not every address is one.
#include "lib/ompt/local.hpp"

#include <gtest/gtest.h>

namespace fletcher::ompt {
namespace {

struct Frames : testing::Test {
  Frames() { tool::this_thread.stack = {0, reinterpret_cast<Address>(__builtin_frame_address(0)) + 4096}; }
  ~Frames() override { tool::this_thread.stack = {}; }
  static const ompt_frame_t* told(Address entered) {
    static ompt_frame_t frame;
    frame = {};
    frame.enter_frame.ptr = reinterpret_cast<void*>(entered);
    return &frame;
  }
};

TEST_F(Frames, AreAboveTheRuntimesOwnOnTheThreadsStack) {
  const Address here = reinterpret_cast<Address>(__builtin_frame_address(0));
  EXPECT_EQ(stack_at_call(told(here + 64)), here + 64 + 16);
  EXPECT_EQ(stack_at_call(told(tool::this_thread.stack.high - 16)), tool::this_thread.stack.high);
}

TEST_F(Frames, AreNotTakenForWhatTheyCannotBe) {
  const Address here = reinterpret_cast<Address>(__builtin_frame_address(0)), high = tool::this_thread.stack.high;
  EXPECT_EQ(stack_at_call(nullptr), 0U);
  for (const Address other : {Address{0}, Address{1}, here - 4096, here + 63, high - 8, high + 4096,
                              reinterpret_cast<Address>(&told) & ~Address{7}, ~Address{0} & ~Address{7}})
    EXPECT_EQ(stack_at_call(told(other)), 0U) << std::hex << other;
}

TEST_F(Frames, TellOfACallThatReturnsThere) {
  Address saved[2] = {0x1234, 0x5678};
  const Address entered = reinterpret_cast<Address>(saved);
  const CallFrame call = call_at(told(entered), 0x5678);
  EXPECT_EQ(call.stack_pointer, entered + 16);
  EXPECT_EQ(call.frame_pointer, 0x1234U);
  EXPECT_FALSE(call_at(told(entered), 0x5679).known());
}

} // namespace
} // namespace fletcher::ompt
