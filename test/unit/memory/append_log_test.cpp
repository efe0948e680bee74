// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list that threads append to: each entry is somebody's alone, also where threads take several at once.
#include "checker/memory/append_log.hpp"

#include <gtest/gtest.h>

#include <set>

namespace fletcher::memory {
namespace {

using Log = AppendLog<int, 32, 2>;

TEST(AppendLog, GivesEachEntryOnce) {
  Log log;
  AppendRange first, second;
  std::set<std::uint32_t> given;
  for (int i = 0; i < 20; ++i)
    for (const std::uint32_t entry : {log.append(), log.append(first), log.append(second)})
      if (entry != Log::none) {
        EXPECT_TRUE(given.insert(entry).second) << entry;
        EXPECT_LT(entry, log.size());
        log[entry] = 1;
      }
  EXPECT_LE(log.size(), 64U);
  EXPECT_GT(log.size(), 64U - 16U) << "not so many are left that a thread takes at once";
}

TEST(AppendLog, WhatWasTakenBeforeItIsEmptiedIsNobodys) {
  Log log;
  AppendRange own;
  EXPECT_EQ(log.append(own), 0U);
  EXPECT_EQ(log.append(own), 1U);
  log.clear();
  EXPECT_EQ(log.size(), 0U);
  AppendRange another;
  EXPECT_EQ(log.append(another), 0U);
  EXPECT_EQ(log.append(own), 16U);
}

TEST(AppendLog, OfItsLastEntriesNotAllNeedToBeThere) {
  Log log;
  AppendRange own;
  for (int i = 0; i < 50; ++i) log.append();
  EXPECT_EQ(log.append(own), Log::none);
  EXPECT_EQ(log.append(), 50U);
}

} // namespace
} // namespace fletcher::memory
