// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explicit tasks: created, started, suspended, ended, detached, cancelled, in the order that listeners rely on.

#include "test/ompt/launch.hpp"

#include <gtest/gtest.h>

#include <map>

namespace fletcher::test {
namespace {

/// Follows each thread's current task through the log; says where the log contradicts itself.
void expect_consistent(const Events& events) {
  std::map<std::string, std::string> running; // thread -> task
  std::map<std::string, std::string> state;   // explicit task -> created, running, suspended, ended
  for (const Event& event : events) {
    const std::string thread = event["thread"], task = event["task"];
    if (event.is("initial_task_begin") || event.is("implicit_task_begin")) running[thread] = task;
    if (event.is("implicit_task_end")) running.erase(thread);
    if (event.is("parallel_end")) running[thread] = event["encountering"];
    if (event.is("task_create")) {
      EXPECT_FALSE(state.contains(task));
      state[task] = "created";
    }
    if (event.is("task_dependences")) {
      EXPECT_EQ(state[task], "created");
    }
    if (event.is("task_switch")) {
      EXPECT_EQ(event["prior"], running[thread]);
      EXPECT_NE(event["prior"], event["next"]);
      EXPECT_NE(state[event["next"]], "ended");
      running[thread] = event["next"];
    }
    if (event.is("task_end")) {
      if (event["cancelled"] == "0") {
        EXPECT_EQ(task, running[thread]);
      }
      EXPECT_NE(state[task], "ended");
      EXPECT_NE(event["next"], "0");
      state[task] = "ended";
      running[thread] = event["next"];
    }
  }
  for (const auto& [task, last] : state) {
    if (std::stoi(task) != 0 && last != "") {
      EXPECT_EQ(last, "ended") << "task " << task;
    }
  }
}

class Tasks : public testing::TestWithParam<int> {
protected:
  Record launch(const std::string& program) const { return Launch(program).threads(GetParam()).events(workshop_); }
  Workshop workshop_;
};

TEST_P(Tasks, EachIsCreatedRunAndEndedOnce) {
  for (const char* program : {"tasks.clang", "work.clang", "untied.clang", "detach.clang", "taskloops.clang"}) {
    const Record run = launch(program);
    ASSERT_EQ(run.outcome.status, 0) << program << run.outcome.errors;
    SCOPED_TRACE(program);
    expect_consistent(run.events);
    EXPECT_GT(run.events.matching("task_create").size(), 0u);
    EXPECT_EQ(run.events.matching("task_create").size(), run.events.matching("task_end").size());
  }
}

TEST_P(Tasks, TheRuntimesMemoryOfATaskIsToldAtItsEnd) {
  for (const Event& end : launch("tasks.clang").events.matching("task_end")) {
    EXPECT_NE(end["block"], "0x0");
    EXPECT_GE(std::stoul(end["block_size"]), 48u); // its descriptor, and an address of what it shares
  }
}

TEST_P(Tasks, DependencesComeOnceAndTypedAfterTheCreation) {
  const Record run = launch("tasks.clang");
  const Events lists = run.events.matching("task_dependences");
  ASSERT_EQ(lists.size(), 2u);
  EXPECT_TRUE(lists[0]["list"].starts_with("inout:0x")) << lists[0]["list"];
  EXPECT_TRUE(lists[1]["list"].starts_with("in:0x")) << lists[1]["list"];
  EXPECT_EQ(lists[0]["list"].substr(6), lists[1]["list"].substr(3));
}

TEST_P(Tasks, AWaitWithDependIsNoTask) {
  const Record run = launch("tasks.clang");
  EXPECT_EQ(run.events.matching("task_create").size(), 6u);
  const auto waits = run.events.matching("taskwait_depend").shown({"begin"});
  EXPECT_EQ(waits, (std::vector<std::string>{"taskwait_depend 1", "taskwait_depend 0", "taskwait_depend 1",
                                             "taskwait_depend 0"}));
  const Events begins = run.events.matching("taskwait_depend begin=1");
  EXPECT_TRUE(begins[0]["list"].starts_with("inout:0x"));
  EXPECT_TRUE(begins[1]["list"].starts_with("in:0x"));
  for (const Event& wait : begins) EXPECT_NE(wait["pc"], "0x0");
}

TEST_P(Tasks, AnUntiedTaskIsToldSoAndNeverSwitchesToItself) {
  const Record run = launch("untied.clang");
  ASSERT_EQ(run.outcome.status, 0);
  EXPECT_EQ(run.events.matching("task_create untied=1").size(), 1u);
  expect_consistent(run.events);
}

TEST_P(Tasks, ADetachedTaskCompletesWhenItIsFulfilled) {
  const Record run = launch("detach.clang");
  ASSERT_EQ(run.outcome.status, 0);
  const Events created = run.events.matching("task_create");
  ASSERT_EQ(created.size(), 3u);
  for (const int late : {0, 2}) {
    const std::string task = created[static_cast<std::size_t>(late)]["task"];
    EXPECT_EQ(run.events.matching("task_end detached=1 block=0x0 task=" + task).size(), 1u);
    EXPECT_EQ(run.events.matching("task_fulfill early=0 task=" + task).size(), 1u);
  }
  EXPECT_EQ(run.events.matching("task_fulfill early=1 task=" + created[1]["task"]).size(), 1u);
  EXPECT_EQ(run.events.matching("task_end detached=0 task=" + created[1]["task"]).size(), 1u);
  // Their memory dies when they are fulfilled.
  EXPECT_EQ(run.events.matching("memory_end kind=runtime").size(), 2u);
  // The thread that OpenMP does not know has a task of its own.
  const Events foreign = run.events.matching("task_fulfill task=" + created[2]["task"]);
  EXPECT_EQ(run.events.matching("initial_task_begin kind=foreign thread=" + foreign.at(0)["thread"]).size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Threads, Tasks, testing::Values(1, 2, 4));

TEST(Cancelling, DiscardsTasksThatNeverStarted) {
  const Workshop workshop;
  const Record run = Launch("cancel.clang").variable("OMP_CANCELLATION", "true").events(workshop);
  ASSERT_EQ(run.outcome.status, 0) << run.outcome.errors;
  EXPECT_GE(run.events.matching("cancel kind=parallel activated=1").size(), 1u);
  EXPECT_EQ(run.events.matching("cancel kind=taskgroup activated=1").size(), 1u);
  const Events discarded = run.events.matching("cancel kind=taskgroup discarded=1");
  ASSERT_EQ(discarded.size(), 1u);
  const std::string task = discarded[0]["task"];
  EXPECT_EQ(run.events.matching("task_end cancelled=1 task=" + task).size(), 1u);
  EXPECT_EQ(run.events.matching("task_switch next=" + task).size(), 0u);
}

} // namespace
} // namespace fletcher::test
