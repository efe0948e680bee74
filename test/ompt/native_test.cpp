// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tool around an instrumented program: control commands that stop and start the check of accesses, levels, forked
// children.

#include "test/support/workshop.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

/// Races on `first` and, after the command that the argument is, on `second`.
constexpr const char* two_races = R"(#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int first, second;
int main(int argc, char **argv) {
#pragma omp parallel num_threads(2)
  first++;
  for (int i = 1; i < argc; ++i) omp_control_tool(atoi(argv[i]), 0, 0);
  if (argc > 1) fprintf(stderr, "-- commanded\n");
#pragma omp parallel num_threads(2)
  second++;
  return 0;
}
)";

class Native : public testing::Test {
protected:
  void build(const std::string& text) {
    workshop_.write("a.c", text);
    const Outcome built = workshop_.run("fletcher-cc -fopenmp -g -O1 a.c -o a");
    ASSERT_EQ(built.status, 0) << built.errors;
  }
  static int races(const std::string& text, const std::string& line) {
    int count = 0;
    const std::string start = "a.c:" + line + ":";
    for (auto at = text.find(start); at != std::string::npos; at = text.find(start, at + 1))
      count += text.compare(text.find(' ', at), 18, " error: data race:") == 0 ? 1 : 0;
    return count;
  }
  Workshop workshop_;
};

TEST_F(Native, BothRacesAreToldAtTheEnd) {
  build(two_races);
  const Outcome outcome = workshop_.run("./a");
  EXPECT_EQ(outcome.status, 66);
  EXPECT_EQ(races(outcome.errors, "7"), 1) << outcome.errors;
  EXPECT_EQ(races(outcome.errors, "11"), 1) << outcome.errors;
}

TEST_F(Native, PauseStopsTheCheckAndStartResumesIt) {
  build(two_races);
  for (const char* commands : {"2", "4", "2 2", "4 1", "1 2"}) {
    const Outcome outcome = workshop_.run("./a " + std::string(commands));
    EXPECT_EQ(races(outcome.errors, "7"), 1) << commands << outcome.errors;
    EXPECT_EQ(races(outcome.errors, "11"), 0) << commands << outcome.errors;
  }
  for (const char* commands : {"1", "2 1", "2 2 1", "100", "3"}) {
    const Outcome outcome = workshop_.run("./a " + std::string(commands));
    EXPECT_EQ(races(outcome.errors, "7"), 1) << commands << outcome.errors;
    EXPECT_EQ(races(outcome.errors, "11"), 1) << commands << outcome.errors;
  }
}

TEST_F(Native, FlushTellsAtOnceAndNothingTwice) {
  build(two_races);
  const Outcome outcome = workshop_.run("FLETCHER_OPTIONS='sarif=a.sarif html=a.html text=a.txt' ./a 3");
  EXPECT_EQ(outcome.status, 66);
  const auto commanded = outcome.errors.find("-- commanded");
  ASSERT_NE(commanded, std::string::npos);
  EXPECT_EQ(races(outcome.errors.substr(0, commanded), "7"), 1) << outcome.errors;
  EXPECT_EQ(races(outcome.errors.substr(commanded), "7"), 0) << outcome.errors;
  EXPECT_EQ(races(outcome.errors.substr(commanded), "11"), 1) << outcome.errors;
  // The files have both.
  EXPECT_EQ(races(workshop_.read("a.txt"), "7"), 1) << workshop_.read("a.txt");
  EXPECT_EQ(races(workshop_.read("a.txt"), "11"), 1);
  EXPECT_TRUE(in_order(workshop_.read("a.sarif"), {"data-race", "data-race"}));
  EXPECT_TRUE(in_order(workshop_.read("a.html"), {"<section id=\"finding-1\"", "<section id=\"finding-2\""}));
}

TEST_F(Native, MaxFindingsLimitsDescriptionsNotTheStatus) {
  build(two_races);
  const Outcome outcome = workshop_.run("FLETCHER_OPTIONS=max_findings=1 ./a");
  EXPECT_EQ(outcome.status, 66);
  EXPECT_EQ(races(outcome.errors, "7") + races(outcome.errors, "11"), 1) << outcome.errors;
  EXPECT_EQ(workshop_.run("FLETCHER_OPTIONS=max_findings=0 ./a").status, 66);
}

TEST_F(Native, WhatIsNotDescribedCountsAndIsToldThoughTheRestIsSuppressed) {
  build(two_races);
  workshop_.write("known", "src:a.c\n");
  const Outcome outcome = workshop_.run("FLETCHER_OPTIONS='max_findings=1 suppressions=known' ./a");
  EXPECT_EQ(outcome.status, 66);
  EXPECT_NE(outcome.errors.find("1 further findings are not described"), std::string::npos) << outcome.errors;
}

TEST_F(Native, WritesItsFilesWhereTheStandardStreamsAreClosed) {
  build(two_races);
  for (const char* closed : {"<&-", "<&- >&-", "<&- >&- 2>&-"}) {
    workshop_.write("a.sarif", "");
    EXPECT_EQ(workshop_.run("FLETCHER_OPTIONS=sarif=a.sarif ./a " + std::string(closed)).status, 66) << closed;
    EXPECT_TRUE(in_order(workshop_.read("a.sarif"), {"data-race", "data-race"})) << closed;
  }
}

/// As by timeout, which ends its child and then everybody in its process group.
TEST_F(Native, WritesItsFilesWhereTheWholeProcessGroupIsEnded) {
  build(R"(#include <signal.h>
#include <unistd.h>
int sum;
int main(void) {
#pragma omp parallel num_threads(2)
  sum++;
  if (fork() == 0) {
    signal(SIGTERM, SIG_IGN);
    for (int i = 0; i < 500; ++i) {
      kill(0, SIGTERM);
      usleep(1000);
    }
    _exit(0);
  }
  for (;;) pause();
}
)");
  for (int run = 0; run < 3; ++run) {
    workshop_.write("a.sarif", "");
    const Outcome outcome = workshop_.run("OMP_WAIT_POLICY=passive FLETCHER_OPTIONS=sarif=a.sarif setsid -w ./a");
    EXPECT_EQ(outcome.status, 128 + 15) << outcome.errors;
    EXPECT_TRUE(in_order(workshop_.read("a.sarif"), {"data-race"})) << outcome.errors;
  }
}

/// The thread in dlopen holds the loader's lock, and the worker's first wait must not ask for it.
TEST_F(Native, AConstructorInDlopenMayWaitForAWorker) {
  workshop_.write("plugin.c", R"(#include <unistd.h>
__attribute__((constructor)) static void begin(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    usleep(100000); // the worker goes to sleep in the barrier meanwhile
#pragma omp barrier
  }
}
)");
  ASSERT_EQ(workshop_.run("fletcher-cc -fopenmp -O1 -fPIC -shared plugin.c -o plugin.so").status, 0);
  build(R"(#include <dlfcn.h>
int main(void) {
#pragma omp parallel if (0)
  {
  }
  return dlopen("./plugin.so", RTLD_NOW) == 0;
}
)");
  const Outcome outcome = workshop_.run("KMP_BLOCKTIME=0 timeout 60 ./a");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.errors, "");
}

TEST_F(Native, LevelGraphLooksAtNoAccess) {
  build(two_races);
  const Outcome outcome = workshop_.run("FLETCHER_OPTIONS='level=graph' ./a");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.errors, "");
}

TEST_F(Native, DisabledRunsAsIfUnchecked) {
  build(two_races);
  const Outcome outcome = workshop_.run("FLETCHER_OPTIONS=enabled=0 ./a");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.errors, "");
}

TEST_F(Native, AForkedChildTellsItsOwnFindings) {
  build(R"(#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int parents, childs;
int main(void) {
#pragma omp parallel num_threads(2)
  parents++;
  const pid_t child = fork();
  if (child == 0) {
#pragma omp parallel num_threads(2)
    childs++;
    return 0;
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("child %d\n", WEXITSTATUS(status));
  return 0;
}
)");
  const Outcome outcome = workshop_.run("FLETCHER_OPTIONS='log_path=%p.log' ./a; echo $?; ls *.log | wc -l; cat *.log");
  EXPECT_TRUE(in_order(outcome.output, {"child 66\n", "66\n", "2\n"})) << outcome.output << outcome.errors;
  EXPECT_EQ(races(outcome.output, "7"), 1) << outcome.output;
  EXPECT_EQ(races(outcome.output, "11"), 1) << outcome.output;
}

TEST_F(Native, ARaceOnLibgompIsNotSeenAndThatIsSaid) {
  workshop_.write("a.c", correct_c);
  ASSERT_EQ(workshop_
                .run("FLETCHER_CC=gcc fletcher-cc -fopenmp -c a.c -o a.o && "
                     "gcc a.o -fopenmp -o a \"$(dirname $(which fletcher))/../lib/libfletcher.so\"")
                .status,
            0);
  const Outcome outcome = workshop_.run("LD_LIBRARY_PATH=\"$(dirname $(which fletcher))/../lib\" ./a");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "45\n");
  EXPECT_TRUE(outcome.errors.starts_with("fletcher: ")) << outcome.errors;
  EXPECT_NE(outcome.errors.find("libgomp, which has no OMPT"), std::string::npos) << outcome.errors;
  EXPECT_EQ(outcome.errors.find('\n'), outcome.errors.size() - 1) << outcome.errors;
}

TEST_F(Native, AThreadSanitizerProgramIsLeftToItWhereThatIsAskedFor) {
  workshop_.write("a.c", R"(#include <stdio.h>
int main(void) {
#pragma omp parallel
  (void)stdout;
  puts("45");
}
)");
  if (workshop_.run("clang-19 -fsanitize=thread -fopenmp -g a.c -o a").status != 0) GTEST_SKIP() << "no TSan";
  const Outcome outcome = workshop_.run(
      "TSAN_OPTIONS=ignore_noninstrumented_modules=1 FLETCHER_OPTIONS='verbose=1 level=tsan' fletcher run ./a");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.output, "45\n");
  EXPECT_NE(outcome.errors.find("fletcher: checking at level tsan\n"), std::string::npos) << outcome.errors;
}

/// The number of teams of a league that leaves it open, and whether a team may have two threads.
constexpr const char* open_league = R"(#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  if (argc > 1) omp_set_num_teams(atoi(argv[1]));
  int teams = 0, threads = 0;
#pragma omp teams shared(teams, threads)
  if (omp_get_team_num() == 0) {
    teams = omp_get_num_teams();
#pragma omp parallel num_threads(2)
#pragma omp single
    threads = omp_get_num_threads();
  }
  printf("%d teams of %d%s", teams, threads, getenv("KMP_TEAMS_THREAD_LIMIT") ? ", limited" : "");
  return 0;
}
)";

TEST_F(Native, AnOpenLeagueHasTwoTeamsUnlessSomebodySaysOtherwise) {
  build(open_league);
  const auto shown = [&](const std::string& line) {
    const Outcome outcome = workshop_.run("env -u OMP_NUM_TEAMS " + line);
    EXPECT_EQ(outcome.status, 0) << line;
    EXPECT_EQ(outcome.errors, "") << line;
    return outcome.output;
  };
  EXPECT_EQ(shown("OMP_NUM_THREADS=2 ./a"), "2 teams of 2");
  EXPECT_EQ(shown("OMP_NUM_THREADS=2 taskset -c 0 ./a"), "2 teams of 2");
  EXPECT_EQ(shown("OMP_NUM_THREADS=2 FLETCHER_OPTIONS=teams=3 ./a"), "3 teams of 2");
  EXPECT_EQ(shown("OMP_NUM_THREADS=2 ./a 1"), "1 teams of 2");
  EXPECT_EQ(shown("OMP_NUM_TEAMS=1 ./a").substr(0, 7), "1 teams");
  EXPECT_EQ(shown("OMP_THREAD_LIMIT=1 ./a"), "1 teams of 1");
  for (const std::string left_alone : {"FLETCHER_OPTIONS=teams=0", "FLETCHER_OPTIONS=level=graph"})
    EXPECT_EQ(shown(left_alone + " ./a"), shown("FLETCHER_OPTIONS=enabled=0 ./a")) << left_alone;
}

TEST_F(Native, TheRuntimesMemoryForTasksComesInLargePartsUnlessSomebodySaysOtherwise) {
  build(R"(#include <stdio.h>
#include <stdlib.h>
int main(void) {
#pragma omp parallel
  ;
  const char *left = getenv("KMP_MALLOC_POOL_INCR");
  puts(left ? left : "nothing");
  return 0;
}
)");
  const auto run = [&](const std::string& environment) {
    return workshop_.run("env -u KMP_MALLOC_POOL_INCR OMP_DISPLAY_ENV=verbose " + environment + " ./a");
  };
  const auto says = [](const Outcome& outcome, const std::string& size) {
    return outcome.errors.find("KMP_MALLOC_POOL_INCR='" + size + "'") != std::string::npos;
  };
  for (const std::string level : {"", "FLETCHER_OPTIONS=level=graph"}) {
    const Outcome outcome = run(level);
    EXPECT_TRUE(says(outcome, "64M")) << outcome.errors;
    EXPECT_EQ(outcome.output, "nothing\n");
  }
  const Outcome said = run("KMP_MALLOC_POOL_INCR=2m");
  EXPECT_TRUE(says(said, "2M")) << said.errors;
  EXPECT_EQ(said.output, "2m\n");
  EXPECT_FALSE(says(run("FLETCHER_OPTIONS=enabled=0"), "64M"));
}

/// A race that is met at line 9 whatever the schedule.
constexpr const char* one_race = R"(int x;
void fletcher_on_finding(const char *rule);
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    x = 1;
    x = 2;
  }
  return 0;
}
)";

TEST_F(Native, AProgramMayHearOfItsFindings) {
  build(std::string("#include <stdio.h>\n") + one_race +
        "void fletcher_on_finding(const char *rule) { printf(\"found %s\\n\", rule); }\n");
  const Outcome outcome = workshop_.run("./a");
  EXPECT_EQ(outcome.status, 66);
  EXPECT_EQ(outcome.output, "found data-race\n");
}

TEST_F(Native, ADebuggerStopsAtAFinding) {
  if (workshop_.run("command -v gdb").status != 0) GTEST_SKIP() << "no gdb";
  build(one_race);
  const Outcome outcome = workshop_.run("OMP_NUM_THREADS=1 gdb -q -batch -ex 'set breakpoint pending on' "
                                        "-ex 'break fletcher_on_finding' -ex run -ex backtrace --args ./a");
  EXPECT_TRUE(in_order(outcome.output, {"Breakpoint 1, ", "main", "a.c:"})) << outcome.output << outcome.errors;
}

} // namespace
} // namespace fletcher::test
