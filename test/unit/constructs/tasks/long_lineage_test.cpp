// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings of tasks that nest deeply: what is kept of their ancestors.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000;
constexpr unsigned depth = 30000;

/// A chain of tasks, each created by the one before; the last one is running.
void descend(Driver& d, unsigned tasks) {
  for (unsigned i = 0; i < tasks; ++i) d.start(1, d.create(1));
}
void ascend(Driver& d, unsigned tasks) {
  for (unsigned i = 0; i < tasks; ++i) d.end(1);
}

/// All of them, with those that are left out.
std::size_t length(const std::vector<TaskDescription>& tasks) {
  return std::accumulate(tasks.begin(), tasks.end(), tasks.size(),
                         [](std::size_t sum, const TaskDescription& task) { return sum + task.skipped; });
}

TEST(LongLineage, BothEndsAndTheirDistanceAreKept) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  const TaskId member = d.current[1];
  for (const Address pc : {Address{11}, Address{12}}) {
    descend(d, depth);
    d.write(1, x, pc);
    ascend(d, depth);
  }
  d.join(team);
  ASSERT_EQ(d.races(), (Driver::Pairs{{11, 12}}));
  for (const AccessDescription& access : d.recorder.findings.front().accesses) {
    EXPECT_LT(access.tasks.size(), 40u);
    EXPECT_EQ(length(access.tasks), depth + 2u) << "the tasks, the member, and the initial task";
    EXPECT_EQ(access.tasks.back().id, d.root);
    EXPECT_TRUE(std::any_of(access.tasks.begin(), access.tasks.end(),
                            [&](const TaskDescription& task) { return task.id == member; }));
  }
}

TEST(LongLineage, WhereTheWaysPartIsKept) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  descend(d, depth / 2);
  const TaskId parting = d.current[1];
  for (const Address pc : {Address{11}, Address{12}}) {
    descend(d, depth / 2);
    d.write(1, x, pc);
    ascend(d, depth / 2);
  }
  ascend(d, depth / 2);
  d.join(team);
  ASSERT_EQ(d.races(), (Driver::Pairs{{11, 12}}));
  for (const AccessDescription& access : d.recorder.findings.front().accesses) {
    EXPECT_LT(access.tasks.size(), 40u);
    EXPECT_EQ(length(access.tasks), depth + 2u);
    EXPECT_TRUE(std::any_of(access.tasks.begin(), access.tasks.end(),
                            [&](const TaskDescription& task) { return task.id == parting; }));
  }
}

} // namespace
} // namespace fletcher::test
