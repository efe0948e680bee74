// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// However a program ends, what was found is reported once, and the exit status is as documented.

#include "test/ompt/launch.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr const char* rule = "[non-sibling-dependence]";

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

struct Ending {
  const char* way;
  int status;
  Loading loading = Loading::preload;
};

class Endings : public testing::TestWithParam<Ending> {
protected:
  Workshop workshop_;
};

TEST_P(Endings, TellOnceAndEndAsDocumented) {
  const Ending& ending = GetParam();
  const Outcome outcome = Launch("endings.clang").loading(ending.loading).argument(ending.way).run(workshop_);
  EXPECT_EQ(outcome.status, ending.status) << outcome.errors;
  EXPECT_EQ(count(outcome.errors, rule), 1) << outcome.errors;
  EXPECT_TRUE(outcome.output.starts_with("out")) << outcome.output; // nothing of the program's own shutdown is lost
}

std::string name_of(const testing::TestParamInfo<Ending>& info) {
  return std::string(info.param.way) + (info.param.loading == Loading::preload ? "" : "_by_list");
}

constexpr int term = 128 + 15, interrupt = 128 + 2, hangup = 128 + 1, aborted = 128 + 6, segfault = 128 + 11;

INSTANTIATE_TEST_SUITE_P(Normal, Endings,
                         testing::Values(Ending{"return", 66}, Ending{"exit", 66}, Ending{"primary", 66},
                                         Ending{"worker", 66}, Ending{"task", 66}, Ending{"_exit", 66},
                                         Ending{"quick_exit", 66}, Ending{"ignored", 66}, Ending{"sigchld", 66}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(ByList, Endings,
                         testing::Values(Ending{"return", 66, Loading::tool_libraries},
                                         Ending{"exit", 66, Loading::tool_libraries},
                                         Ending{"primary", 66, Loading::tool_libraries},
                                         Ending{"worker", 66, Loading::tool_libraries},
                                         Ending{"abort", aborted, Loading::tool_libraries}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Signals, Endings,
                         testing::Values(Ending{"abort", aborted}, Ending{"segv", segfault},
                                         Ending{"segv_twice", segfault}, Ending{"overflow", segfault},
                                         Ending{"heap", aborted}, Ending{"term", term}, Ending{"int", interrupt},
                                         Ending{"hup", hangup}),
                         name_of);

TEST(EndingsOfFork, TheChildTellsNothingOfItsParents) {
  const Workshop workshop;
  const Outcome outcome = Launch("endings.clang").argument("fork").run(workshop);
  EXPECT_EQ(outcome.status, 66);
  EXPECT_EQ(outcome.output, "out child 5");
  EXPECT_EQ(count(outcome.errors, rule), 1) << outcome.errors;
}

TEST(EndingsClean, KeepTheProgramsStatusAndSayNothing) {
  const Workshop workshop;
  const Outcome outcome = Launch("endings.clang").argument("clean").run(workshop);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.errors, "");
  EXPECT_EQ(outcome.output, "out");
}

TEST(EndingsOption, ExitcodeIsWhatTheUserWants) {
  const Workshop workshop;
  EXPECT_EQ(Launch("endings.clang").option("exitcode=7").argument("exit").run(workshop).status, 7);
  EXPECT_EQ(Launch("endings.clang").option("exitcode=0").argument("exit").run(workshop).status, 3);
  EXPECT_EQ(Launch("endings.clang").option("exitcode=7").argument("_exit").run(workshop).status, 7);
}

TEST(EndingsOption, LogPathTakesTheText) {
  const Workshop workshop;
  const Outcome outcome = Launch("endings.clang").option("log_path=log.txt").run(workshop);
  EXPECT_EQ(outcome.status, 66);
  EXPECT_EQ(outcome.errors, "");
  EXPECT_EQ(count(workshop.read("log.txt"), rule), 1);
}

} // namespace
} // namespace fletcher::test
