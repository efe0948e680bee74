// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/locks/lock_lives.hpp"

#include <gtest/gtest.h>

#include <random>
#include <unordered_map>

namespace fletcher::rules {
namespace {

constexpr auto nothing = [] {};

TEST(LockLives, RemembersWhatWasSaidLast) {
  LockLives lives;
  std::unordered_map<Address, LockLife> model;
  std::mt19937_64 random(7);
  // Neighbours of four and of eight bytes, and addresses that differ only in what a slot does not keep.
  constexpr Address bases[]{0x1000, 0x5555'0000'0000, 0x7f55'0000'0000, 0x0055'0000'0000, 0xffff'0000'0000};
  EXPECT_FALSE(lives.find(0x1000, nothing));
  for (int i = 0; i < 200'000; ++i) {
    const Address address = bases[random() % std::size(bases)] + 4 * (random() % 8000);
    const LockLife life{random() % 2 == 0, false, ContextId{static_cast<std::uint32_t>(random() % (1u << 21))}};
    const auto [kept, before] = lives.remember(address, life, nothing);
    const auto known = model.find(address);
    ASSERT_TRUE(kept);
    ASSERT_EQ(before, known == model.end() ? std::nullopt : std::optional(known->second));
    model[address] = life;
  }
  for (const Address base : bases)
    for (Address address = base; address < base + 4 * 8100; address += 4) {
      const auto known = model.find(address);
      ASSERT_EQ(lives.find(address, nothing), known == model.end() ? std::nullopt : std::optional(known->second));
    }
}

TEST(LockLives, ForgetsSomeThatAreOver) {
  LockLives lives;
  constexpr Address base = 0x7f00'0000'0000;
  for (Address i = 0; i < 1'000'000; ++i) lives.remember(base + 8 * i, {.over = i % 100 != 0}, nothing);
  Address over = 0;
  for (Address i = 0; i < 1'000'000; ++i) {
    const std::optional<LockLife> life = lives.find(base + 8 * i, nothing);
    if (i % 100 == 0) {
      ASSERT_TRUE(life && !life->over);
    } else if (life) {
      ++over;
    }
  }
  EXPECT_LT(over, 500'000u);
}

TEST(LockLives, HasNoRoomWhereNoLockCanBe) {
  LockLives lives;
  for (const Address address : {Address{0}, Address{0x1001}, Address{1} << 43, Address{1} << 48}) {
    EXPECT_FALSE(lives.remember(address, {}, nothing).kept);
    EXPECT_FALSE(lives.find(address, nothing));
  }
}

} // namespace
} // namespace fletcher::rules
