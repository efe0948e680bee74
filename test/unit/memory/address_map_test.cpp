// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/memory/address_map.hpp"

#include <gtest/gtest.h>

#include <random>
#include <unordered_map>

namespace fletcher::memory {
namespace {

TEST(AddressMap, FindsWhatWasPutIn) {
  AddressMap<int> map;
  std::unordered_map<Address, int> model;
  std::mt19937_64 random(7);
  EXPECT_EQ(map.find(8), nullptr);
  for (int i = 1; i <= 20'000; ++i) {
    const Address key = 4 * (1 + random() % 5000); // neighbours too
    map.insert(key, [](int) { return true; }) = i;
    model[key] = i;
  }
  EXPECT_EQ(map.size(), model.size());
  for (Address key = 4; key <= 4 * 5001; key += 4) {
    const auto known = model.find(key);
    const int* const found = map.find(key);
    ASSERT_EQ(found != nullptr, known != model.end()) << key;
    if (found != nullptr) {
      EXPECT_EQ(*found, known->second) << key;
    }
  }
}

TEST(AddressMap, KeepsWhatMattersWhereItGrows) {
  AddressMap<int> map;
  for (int i = 1; i <= 1000; ++i) map.insert(static_cast<Address>(i) * 64, [=](int old) { return old > i - 10; }) = i;
  EXPECT_LE(map.size(), 32u);
  for (int i = 995; i <= 1000; ++i) {
    const int* const found = map.find(static_cast<Address>(i) * 64);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(*found, i);
  }
}

} // namespace
} // namespace fletcher::memory
