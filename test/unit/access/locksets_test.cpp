// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interned locksets: what they have in common, in whatever order locks are taken and released.
#include "checker/access/locksets.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <thread>

namespace fletcher::access {
namespace {

Exclusion lock(Address address, TaskId scope = TaskId::none) {
  return {Exclusion::Kind::mutex, {MutexKind::lock, address}, scope};
}
std::multiset<Address> addresses(const Locksets& sets, LocksetId set) {
  std::multiset<Address> result;
  for (const Held& held : sets.members(set)) result.insert(held.exclusion.mutex.address);
  return result;
}

TEST(Locksets, AreEmptyAgainWhateverTheOrderOfReleases) {
  Locksets sets;
  const LocksetId ab = sets.add(sets.add(LocksetId::empty, lock(1), ContextId{1}), lock(2), ContextId{2});
  EXPECT_EQ(sets.remove(sets.remove(ab, lock(2)), lock(1)), LocksetId::empty);
  EXPECT_EQ(sets.remove(sets.remove(ab, lock(1)), lock(2)), LocksetId::empty);
  EXPECT_EQ(sets.remove(ab, lock(3)), ab);
  EXPECT_EQ(sets.add(ab, lock(1), ContextId{1}), ab);
}

TEST(Locksets, TellWhereEachLockWasAcquiredLast) {
  Locksets sets;
  sets.add(LocksetId::empty, lock(1), ContextId{1});
  const LocksetId ab = sets.add(sets.add(LocksetId::empty, lock(1), ContextId{3}), lock(2), ContextId{4});
  const std::vector<Held> held = sets.members(ab);
  ASSERT_EQ(held.size(), 2U);
  EXPECT_EQ(held[0].acquired, ContextId{3});
  EXPECT_EQ(held[1].acquired, ContextId{4});
  EXPECT_EQ(sets.members(sets.remove(ab, lock(1))).at(0).acquired, ContextId{4});
}

TEST(Locksets, OfOtherKindsAndScopesHaveNothingInCommon) {
  Locksets sets;
  const auto just = [&](const Exclusion& e) { return sets.add(LocksetId::empty, e, ContextId::none); };
  EXPECT_TRUE(sets.intersect(just(lock(1)), just(lock(1))));
  EXPECT_FALSE(sets.intersect(just(lock(1)), just(lock(2))));
  EXPECT_FALSE(sets.intersect(just(lock(1, TaskId{1})), just(lock(1, TaskId{2}))));
  EXPECT_FALSE(sets.intersect(just(lock(1)), just({Exclusion::Kind::mutexinoutset, {MutexKind::lock, 1}, {}})));
  EXPECT_FALSE(sets.intersect(LocksetId::empty, just(lock(1))));
}

TEST(Locksets, BehaveAsSets) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  Locksets sets;
  std::vector<std::pair<LocksetId, std::set<Address>>> known(8);
  for (int step = 0; step < 40000; ++step) {
    auto& [id, expected] = known[random() % known.size()];
    const Address which = 1 + random() % (step < 20000 ? 6 : 300);
    if (random() % 2 == 0) {
      id = sets.add(id, lock(which), ContextId{1});
      expected.insert(which);
    } else {
      id = sets.remove(id, lock(which));
      expected.erase(which);
    }
    ASSERT_EQ(addresses(sets, id), std::multiset<Address>(expected.begin(), expected.end()));
    const auto& [other_id, other] = known[random() % known.size()];
    const bool common = std::any_of(expected.begin(), expected.end(), [&](Address a) { return other.contains(a); });
    ASSERT_EQ(sets.intersect(id, other_id), common);
  }
}

// A table whose locks are all taken and released in their order: with a set for each release, made anew, the room for
// sets would not do, and each set of others would seem to have something in common with it.
TEST(Locksets, OfManyThatAreReleasedInOrderTakeLittleRoom) {
  constexpr Address many = 4096;
  Locksets sets(8 * many);
  LocksetId all = LocksetId::empty;
  for (Address i = 1; i <= many; ++i) all = sets.add(all, lock(i), ContextId{1});
  for (Address i = 1; i < many; ++i) all = sets.remove(all, lock(i));
  EXPECT_EQ(addresses(sets, all), std::multiset<Address>{many});
  EXPECT_FALSE(sets.intersect(all, sets.add(LocksetId::empty, lock(1), ContextId{1})));
  EXPECT_EQ(sets.remove(all, lock(many)), LocksetId::empty);
}

// Rather no finding than a false one.
TEST(Locksets, ThatAreTooManyIntersectWithAny) {
  Locksets sets(3);
  const LocksetId a = sets.add(LocksetId::empty, lock(1), ContextId::none);
  sets.add(LocksetId::empty, lock(2), ContextId::none);
  const LocksetId lost = sets.add(LocksetId::empty, lock(3), ContextId::none);
  EXPECT_TRUE(sets.intersect(lost, a));
  EXPECT_FALSE(sets.intersect(lost, LocksetId::empty));
  EXPECT_EQ(sets.add(lost, lock(1), ContextId::none), lost);
  EXPECT_EQ(sets.remove(lost, lock(3)), lost);
  EXPECT_TRUE(sets.members(lost).empty());
}

TEST(Locksets, OfManyThreadsAreTheSame) {
  Locksets sets;
  constexpr Address locks = 3000;
  std::vector<LocksetId> found[4];
  {
    std::vector<std::jthread> threads;
    for (auto& mine : found)
      threads.emplace_back([&sets, &mine] {
        for (Address a = 1; a <= locks; ++a) mine.push_back(sets.add(LocksetId::empty, lock(a), ContextId{1}));
      });
  }
  for (const auto& other : found) EXPECT_EQ(other, found[0]);
  EXPECT_EQ(std::set<LocksetId>(found[0].begin(), found[0].end()).size(), locks);
}

} // namespace
} // namespace fletcher::access
