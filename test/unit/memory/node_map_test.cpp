// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/memory/node_map.hpp"

#include <gtest/gtest.h>

#include <random>
#include <unordered_map>

namespace fletcher::memory {
namespace {

/// Against the standard's, and no value has moved.
void compare(NodeMap<int>& map, const std::unordered_map<std::uint64_t, const int*>& model, std::uint64_t keys) {
  ASSERT_EQ(map.size(), model.size());
  for (std::uint64_t key = 0; key < keys; ++key) {
    const auto known = model.find(key);
    EXPECT_EQ(map.find(key), known == model.end() ? nullptr : known->second) << key;
  }
}

TEST(NodeMap, FindsWhatWasPutInAndNotErased) {
  constexpr std::uint64_t keys = 300;
  NodeMap<int> map;
  std::unordered_map<std::uint64_t, const int*> model;
  std::mt19937_64 random(7);
  EXPECT_EQ(map.find(8), nullptr);
  map.erase(8);
  for (int round = 0; round < 200; ++round) {
    for (int i = 0; i < 50; ++i) {
      const std::uint64_t key = random() % keys;
      if (random() % 2 == 0) {
        const bool is_new = !model.contains(key);
        int& value = map[key];
        if (is_new) {
          EXPECT_EQ(value, 0) << "what is used again is as new";
          model[key] = &value;
        }
        value = static_cast<int>(key) + 1;
      } else {
        map.erase(key);
        model.erase(key);
      }
    }
    compare(map, model, keys);
  }
}

TEST(NodeMap, ErasesAllThatMeetACondition) {
  NodeMap<int> map;
  for (int i = 0; i < 1000; ++i) map[static_cast<std::uint64_t>(i) << 40] = i;
  map.erase_if([](int value) { return value % 3 != 0; });
  EXPECT_EQ(map.size(), 334u);
  int seen = 0;
  map.each([&](std::uint64_t key, int value) {
    EXPECT_EQ(key >> 40, static_cast<std::uint64_t>(value));
    EXPECT_EQ(value % 3, 0);
    ++seen;
  });
  EXPECT_EQ(seen, 334);
  EXPECT_EQ(map.find(std::uint64_t{1} << 40), nullptr);
  ASSERT_NE(map.find(std::uint64_t{3} << 40), nullptr);
}

} // namespace
} // namespace fletcher::memory
