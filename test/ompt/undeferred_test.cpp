// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task is undeferred if its clauses say so, also where the runtime flags every task (teams of one), for both
// compilers and however the library was loaded.

#include "test/ompt/launch.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

using Flags = std::vector<std::string>;

Flags undeferred(const Record& run) {
  Flags flags;
  for (const Event& event : run.events.matching("task_create")) flags.push_back(event["undeferred"]);
  return flags;
}

/// tasks.c: depend, depend, if(0), if(0) with depend, final, and the task included in it.
const Flags by_clauses{"0", "0", "1", "1", "0", "1"};

class Undeferred : public testing::TestWithParam<int> {
protected:
  Workshop workshop_;
};

TEST_P(Undeferred, AsTheClausesSayForClang) {
  EXPECT_EQ(undeferred(Launch("tasks.clang").threads(GetParam()).events(workshop_)), by_clauses);
}

TEST_P(Undeferred, AsTheClausesSayForGcc) {
  EXPECT_EQ(undeferred(Launch("tasks.gcc").threads(GetParam()).on_libomp().events(workshop_)), by_clauses);
}

TEST_P(Undeferred, WithTheLibraryOpenedByTheRuntime) {
  for (const char* program : {"tasks.clang", "tasks.clang-noplt", "tasks.clang-nopie", "tasks.gcc"}) {
    const Record run =
        Launch(program).on_libomp().loading(Loading::tool_libraries).threads(GetParam()).events(workshop_);
    EXPECT_EQ(undeferred(run), by_clauses) << program;
  }
}

TEST_P(Undeferred, WithTheLibraryLinked) {
  EXPECT_EQ(undeferred(Launch("tasks.linked").loading(Loading::none).threads(GetParam()).events(workshop_)),
            by_clauses);
}

TEST_P(Undeferred, OfTaskloopsByTheLoopsOwnClause) {
  for (const auto& [program, way] : {std::pair{"taskloops.clang", Loading::preload},
                                     {"taskloops.gcc", Loading::preload},
                                     {"taskloops.gcc", Loading::tool_libraries}}) {
    const Record run = Launch(program).on_libomp().loading(way).threads(GetParam()).events(workshop_);
    ASSERT_EQ(run.outcome.status, 0) << run.outcome.errors;
    EXPECT_EQ(undeferred(run), (Flags{"0", "0", "0", "1", "1", "0"})) << program;
    Flags taskloop;
    for (const Event& event : run.events.matching("task_create")) taskloop.push_back(event["taskloop"]);
    EXPECT_EQ(taskloop, (Flags{"1", "1", "0", "1", "1", "0"})) << program;
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, Undeferred, testing::Values(1, 2));

TEST(UndeferredImmediateTasking, IsAsTheClausesSay) {
  const Workshop workshop;
  EXPECT_EQ(undeferred(Launch("tasks.clang").threads(2).variable("KMP_TASKING", "0").events(workshop)), by_clauses);
}

TEST(CreationPlace, IsInTheProgramAlsoForTaskloops) {
  const Workshop workshop;
  for (const char* program : {"taskloops.clang", "taskloops.gcc", "tasks.clang", "tasks.gcc"}) {
    const Record run = Launch(program).on_libomp().threads(1).events(workshop);
    const Events begins = run.events.matching("parallel_begin");
    ASSERT_EQ(begins.size(), 1u);
    const std::string near = begins[0]["pc"].substr(0, begins[0]["pc"].size() - 4);
    for (const Event& event : run.events.matching("task_create"))
      EXPECT_TRUE(event["pc"].starts_with(near))
          << program << ": " << event["pc"] << " is not near " << begins[0]["pc"];
  }
}

} // namespace
} // namespace fletcher::test
