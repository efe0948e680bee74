// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calling-context tree: stacks are kept as they are, but for recursions, whose repetitions are folded before they
// become many.
#include "checker/access/call_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace fletcher::access {
namespace {

TEST(CallTree, KeepsStacks) {
  CallTree calls(16);
  ContextId at = ContextId::none;
  Stack expected;
  for (Address pc = 1; pc <= 40; ++pc) {
    at = calls.child(at, pc);
    expected.insert(expected.begin(), pc);
  }
  EXPECT_EQ(calls.stack(at), expected);
}

TEST(CallTree, KeepsShallowRecursion) {
  CallTree calls(16);
  ContextId at = ContextId::none;
  for (int depth = 0; depth < 8; ++depth) at = calls.child(at, 7);
  EXPECT_EQ(calls.stack(at), Stack(8, 7));
}

// Whoever comes to the same places of the same bytes has the same node, and each byte its place.
TEST(CallTree, NamesPlacesOfBytesWhateverTheirOrder) {
  CallTree calls(16);
  const ContextId a = calls.child(ContextId::none, 1), b = calls.child(ContextId::none, 2), c = calls.child(b, 3);
  const ContextId ab = calls.both(a, 0x01, b, 0x02);
  EXPECT_EQ(calls.both(b, 0x02, a, 0x01), ab);
  const ContextId all = calls.both(ab, 0x03, c, 0x84);
  EXPECT_EQ(calls.both(calls.both(c, 0x84, b, 0x02), 0x86, a, 0x01), all);
  EXPECT_EQ(calls.both(c, 0x87, ab, 0x03), all);
  EXPECT_EQ(calls.place_of(all, 0x01), a);
  EXPECT_EQ(calls.place_of(all, 0x02), b);
  EXPECT_EQ(calls.place_of(all, 0x84), c);
  EXPECT_EQ(calls.place_of(all, 0x03), ContextId::none);
  EXPECT_EQ(calls.both(a, 0x01, a, 0x02), a);
}

// A function that calls itself at four places has 4 to the power of 12 stacks of depth 12.
TEST(CallTree, FoldsRecursionThatBranches) {
  CallTree calls(21);
  std::mt19937 random(1);
  std::uint32_t largest = 0;
  for (int walk = 0; walk < 200'000; ++walk) {
    ContextId at = calls.child(ContextId::none, 100);
    for (int depth = 0; depth < 30; ++depth) at = calls.child(at, 1 + random() % 4);
    largest = std::max(largest, number(calls.child(at, 200)));
    const Stack stack = calls.stack(at);
    ASSERT_EQ(stack.back(), 100u);
    ASSERT_LE(stack.size(), 20u);
  }
  EXPECT_LT(largest, 20'000u);
}

// Undeferred tasks that create two of their like, each with stacks of its own.
TEST(CallTree, FoldsTasksThatAreCreatedByTheirLike) {
  CallTree calls(21);
  std::mt19937 random(1);
  std::uint32_t largest = 0;
  for (int walk = 0; walk < 100'000; ++walk) {
    ContextId root = ContextId::none;
    for (int depth = 0; depth < 30; ++depth) {
      const ContextId creation = calls.child(calls.child(root, 100), 1 + random() % 2);
      root = calls.part(creation);
      ASSERT_EQ(calls.stack(calls.part_of(root)).front(), calls.stack(creation).front()) << "created at the same place";
    }
    largest = std::max(largest, number(calls.child(root, 200)));
  }
  EXPECT_LT(largest, 5'000u);
}

TEST(CallTree, KeepsTasksThatAreNestedALittle) {
  CallTree calls(16);
  ContextId creation = calls.child(ContextId::none, 1);
  for (int depth = 0; depth < 4; ++depth) {
    const ContextId root = calls.part(creation);
    EXPECT_EQ(calls.part(creation), root);
    EXPECT_EQ(calls.part_of(calls.child(root, 7)), creation);
    creation = calls.child(root, 1);
  }
}

// Only repetitions are lost: what is called deep down has all of its callers.
TEST(CallTree, KeepsCallsBelowRecursion) {
  CallTree calls(21);
  for (Address pc = 1000; pc < 30'000; ++pc) calls.child(ContextId::none, pc); // a large program
  ContextId at = ContextId::none;
  for (int depth = 0; depth < 30; ++depth) at = calls.child(at, 7);
  for (Address pc = 20; pc < 30; ++pc) at = calls.child(at, pc);
  const Stack stack = calls.stack(at);
  for (Address pc = 20; pc < 30; ++pc) EXPECT_EQ(std::ranges::count(stack, pc), 1);
  EXPECT_GE(std::ranges::count(stack, Address{7}), 1);
}

} // namespace
} // namespace fletcher::access
