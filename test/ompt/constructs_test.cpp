// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Worksharing, locks and the rest: each callback as the event that docs/ompt.md says.

#include "test/ompt/launch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace fletcher::test {
namespace {

using Lines = std::vector<std::string>;

class Constructs : public testing::Test {
protected:
  Record launch(const std::string& program) const {
    Launch launch(program);
    launch.threads(2);
    if (program.ends_with(".gcc")) launch.on_libomp();
    Record run = launch.events(workshop_);
    EXPECT_EQ(run.outcome.status, 0) << run.outcome.errors;
    return run;
  }
  Workshop workshop_;
};

TEST_F(Constructs, LocksTellEachStep) {
  const Record run = launch("locks.clang");
  // The call is reported before, as the runtime may end the program for what is no such lock.
  EXPECT_EQ(run.events.matching("mutex_event kind=lock").shown({"step"}),
            (Lines{"mutex_event init", "mutex_event calling", "mutex_event acquiring", "mutex_event acquired",
                   "mutex_event calling", "mutex_event testing", "mutex_event calling", "mutex_event releasing",
                   "mutex_event released", "mutex_event calling", "mutex_event destroy"}));
  EXPECT_EQ(run.events.matching("mutex_event kind=nest_lock").shown({"step"}),
            (Lines{"mutex_event init_nest", "mutex_event acquiring", "mutex_event acquired", "mutex_event acquiring",
                   "mutex_event nested", "mutex_event releasing", "mutex_event unnested", "mutex_event releasing",
                   "mutex_event released", "mutex_event destroy_nest"}));
  for (const std::string kind : {"critical", "ordered"}) {
    const Events of = run.events.matching("mutex_event kind=" + kind);
    std::set<std::string> objects;
    std::map<std::string, int> steps;
    for (const Event& event : of) objects.insert(event["mutex"]), ++steps[event["step"]];
    EXPECT_EQ(objects.size(), 1u) << kind;
    EXPECT_EQ(steps["acquired"], 2) << kind;
    EXPECT_EQ(steps["released"], 2) << kind;
  }
  for (const char* program : {"locks.clang", "locks.gcc"}) { // before the lock is free, and once more after it
    const Events critical = launch(program).events.matching("mutex_event kind=critical");
    std::map<std::string, Lines> steps;
    for (const Event& event : critical) steps[event["thread"]].push_back(event["step"]);
    EXPECT_EQ(steps.size(), 2u) << program;
    for (const auto& [thread, of] : steps)
      EXPECT_EQ(of, (Lines{"acquiring", "acquired", "releasing", "released"})) << program << ", thread " << thread;
  }
  EXPECT_EQ(run.events.matching("flush").size(), 1u);
}

TEST_F(Constructs, BarriersTellWhichTheyAre) {
  std::map<std::string, int> kinds;
  for (const Event& event : launch("work.clang").events.matching("sync_begin")) ++kinds[event["kind"]];
  EXPECT_EQ(kinds["barrier_explicit"], 2);
  EXPECT_EQ(kinds["barrier_workshare"], 2 * 5); // dynamic, sections, single, doacross, reduction
  EXPECT_EQ(kinds["barrier_parallel"], 2);
  EXPECT_EQ(kinds["taskgroup"], 3);
  // gcc calls one entry point for all but the closing one.
  kinds.clear();
  for (const Event& event : launch("work.gcc").events.matching("sync_begin")) ++kinds[event["kind"]];
  EXPECT_EQ(kinds["barrier_parallel"], 2);
  EXPECT_EQ(kinds["barrier_workshare"] + kinds["barrier_explicit"], 0);
  EXPECT_GE(kinds["barrier_internal"], 2 * 6);
}

TEST_F(Constructs, WorkIsPairedForEachThread) {
  for (const char* program : {"work.clang", "work.gcc"}) {
    std::map<std::string, std::vector<std::string>> open;
    for (const Event& event : launch(program).events.matching("work")) {
      auto& stack = open[event["thread"]];
      if (event["begin"] == "1") {
        stack.push_back(event["kind"]);
      } else {
        ASSERT_FALSE(stack.empty());
        EXPECT_EQ(stack.back(), event["kind"]);
        stack.pop_back();
      }
    }
    for (const auto& [thread, stack] : open) EXPECT_TRUE(stack.empty()) << program << " thread " << thread;
  }
}

// LLVM's runtime notes a taskloop's chunk when the task can be taken already: another thread that is quick takes it
// untold.
TEST_F(Constructs, ChunksCoverTheLoop) {
  constexpr int runs = 20;
  std::size_t most = 0;
  for (int i = 0; i < runs && most < 64; ++i) {
    const Record run = launch("work.clang");
    std::set<std::uint64_t> dynamic;
    for (const Event& event : run.events.matching("dispatch kind=taskloop_chunk"))
      for (std::uint64_t j = 0; j < std::stoul(event["iterations"]); ++j)
        EXPECT_TRUE(dynamic.insert(std::stoul(event["start"]) + j).second);
    most = std::max(most, dynamic.size());
    EXPECT_EQ(run.events.matching("masked begin=1").size(), 1u);
    EXPECT_EQ(run.events.matching("masked begin=0").size(), 1u);
  }
  EXPECT_EQ(most, 64u);
}

TEST_F(Constructs, DoacrossTellsIterationsAfterTheirSources) {
  for (const char* program : {"work.clang", "work.gcc"}) {
    std::set<std::string> done;
    for (const Event& event : launch(program).events.matching("doacross")) {
      if (event["source"] == "1")
        done.insert(event["iteration"]);
      else
        EXPECT_TRUE(done.contains(event["iteration"])) << program << " waits for " << event["iteration"];
    }
    EXPECT_EQ(done, (std::set<std::string>{"0", "1", "2"})) << program;
  }
}

TEST_F(Constructs, EveryEventIsOfAThreadThatBegan) {
  for (const char* program : {"work.clang", "locks.clang", "teams.clang", "detach.clang"}) {
    std::set<std::string> threads;
    for (const Event& event : launch(program).events) {
      if (event.is("thread_begin")) threads.insert(event["thread"]);
      EXPECT_TRUE(threads.contains(event["thread"])) << program << ": " << event.name;
      if (event.is("thread_end")) threads.erase(event["thread"]);
    }
  }
}

} // namespace
} // namespace fletcher::test
