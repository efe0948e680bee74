// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions, their implicit tasks and barriers: one shape for all of them, whatever the runtime leaves out or tells late.

#include "test/ompt/launch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace fletcher::test {
namespace {

class Regions : public testing::TestWithParam<std::tuple<const char*, int>> {
protected:
  Record launch() const {
    const std::string program = std::get<0>(GetParam());
    Launch launch(program);
    launch.threads(std::get<1>(GetParam()));
    if (program.ends_with(".gcc")) launch.on_libomp();
    return launch.events(workshop_);
  }
  Workshop workshop_;
};

/// What happens to one team, in the order of the log.
struct TeamHistory {
  Event begin;
  std::vector<std::string> names;                          ///< of all its events
  std::map<std::string, std::vector<std::string>> members; ///< by task: its events with the barriers' kinds
  int size = 0;
};

std::map<std::string, TeamHistory> histories(const Events& events) {
  std::map<std::string, TeamHistory> teams;
  for (const Event& event : events) {
    const std::string team = event["team"];
    if (team.empty() || team == "0") continue;
    TeamHistory& history = teams[team];
    history.names.push_back(event.name);
    if (event.is("parallel_begin")) history.begin = event;
    if (event.is("implicit_task_begin")) history.size = std::stoi(event["size"]);
    if (event.is("sync_begin") || event.is("sync_end"))
      history.members[event["task"]].push_back(event.name + " " + event["kind"]);
    if (event.is("implicit_task_begin") || event.is("implicit_task_end"))
      history.members[event["task"]].push_back(event.name);
  }
  return teams;
}

TEST_P(Regions, EveryTeamHasAsManyMembersAsItsSizeSays) {
  const Record run = launch();
  ASSERT_EQ(run.outcome.status, 0) << run.outcome.errors;
  const auto teams = histories(run.events);
  EXPECT_GE(teams.size(), 3u);
  for (const auto& [team, history] : teams)
    EXPECT_EQ(static_cast<int>(history.members.size()), history.size) << "team " << team;
}

TEST_P(Regions, EveryMemberReachesTheClosingBarrierAndOnlyThePrimaryLeavesIt) {
  const Record run = launch();
  for (const auto& [team, history] : histories(run.events)) {
    const std::string closing = history.begin["league"] == "1" ? "barrier_teams" : "barrier_parallel";
    int leaving = 0;
    for (const auto& [task, steps] : history.members) {
      EXPECT_EQ(std::count(steps.begin(), steps.end(), "sync_begin " + closing), 1)
          << "team " << team << " task " << task;
      leaving += static_cast<int>(std::count(steps.begin(), steps.end(), "sync_end " + closing));
      EXPECT_EQ(steps.front(), "implicit_task_begin");
      EXPECT_EQ(steps.back(), "implicit_task_end");
    }
    EXPECT_EQ(leaving, 1) << "team " << team;
  }
}

TEST_P(Regions, TheClosingBarrierIsLeftWhenAllHaveReachedIt) {
  const Record run = launch();
  std::map<std::string, int> arrived;
  const auto teams = histories(run.events);
  for (const Event& event : run.events) {
    if (event["kind"] != "barrier_parallel" && event["kind"] != "barrier_teams") continue;
    if (event.is("sync_begin")) ++arrived[event["team"]];
    if (event.is("sync_end")) {
      EXPECT_EQ(arrived[event["team"]], teams.at(event["team"]).size) << event["team"];
    }
  }
}

TEST_P(Regions, ATeamBeginsBeforeItsMembersAndEndsAfterItsPrimary) {
  const Record run = launch();
  for (const auto& [team, history] : histories(run.events)) {
    EXPECT_EQ(history.names.front(), "parallel_begin") << "team " << team;
    const auto end = std::find(history.names.begin(), history.names.end(), "parallel_end");
    ASSERT_NE(end, history.names.end()) << "team " << team;
    EXPECT_NE(std::find(history.names.begin(), end, "implicit_task_end"), end) << "team " << team;
    // What is left is the late ends of workers.
    EXPECT_TRUE(std::all_of(end + 1, history.names.end(), [](const auto& n) { return n == "implicit_task_end"; }));
  }
}

TEST_P(Regions, SerialsAreGivenOnceAndEveryThreadEnds) {
  const Record run = launch();
  std::set<std::string> tasks, teams, threads;
  for (const Event& event : run.events) {
    if (event.is("implicit_task_begin") || event.is("initial_task_begin") || event.is("task_create")) {
      EXPECT_TRUE(tasks.insert(event["task"]).second) << event["task"];
    }
    if (event.is("parallel_begin")) {
      EXPECT_TRUE(teams.insert(event["team"]).second);
    }
    if (event.is("thread_begin")) {
      EXPECT_TRUE(threads.insert(event["thread"]).second);
    }
    if (event.is("thread_end")) threads.erase(event["thread"]);
  }
  EXPECT_TRUE(threads.empty());
}

INSTANTIATE_TEST_SUITE_P(Programs, Regions,
                         testing::Combine(testing::Values("regions.clang", "regions.gcc", "teams.clang",
                                                          "leagues.clang", "leagues.gcc"),
                                          testing::Values(1, 2, 4)),
                         [](const auto& test) {
                           std::string name = std::get<0>(test.param);
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name + "_" + std::to_string(std::get<1>(test.param));
                         });

TEST(OrphanedBarrier, BelongsToNoTeam) {
  const Workshop workshop;
  const Record run = Launch("regions.clang").threads(2).events(workshop);
  EXPECT_EQ(run.events.matching("sync_begin kind=barrier_explicit team=0 task=1").size(), 1u);
  EXPECT_EQ(run.events.matching("sync_end kind=barrier_explicit team=0 task=1").size(), 1u);
}

TEST(HiddenHelpers, AreNoRegionOfTheProgram) {
  const Workshop workshop;
  const Record run = Launch("target_nowait.clang").threads(2).events(workshop);
  ASSERT_EQ(run.outcome.status, 0) << run.outcome.errors;
  EXPECT_EQ(run.events.matching("parallel_begin").size(), 1u);
  EXPECT_EQ(run.events.matching("implicit_task_begin").size(), 2u);
  EXPECT_GT(run.events.matching("initial_task_begin kind=foreign").size(), 0u);
  const Events created = run.events.matching("task_create kind=target undeferred=0");
  ASSERT_EQ(created.size(), 1u);
  // A helper runs it, and goes back to the task of its own.
  const Events ends = run.events.matching("task_end task=" + created[0]["task"]);
  ASSERT_EQ(ends.size(), 1u);
  EXPECT_EQ(run.events.matching("initial_task_begin thread=" + ends[0]["thread"] + " task=" + ends[0]["next"]).size(),
            1u);
}

} // namespace
} // namespace fletcher::test
