// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `fletcher explore`: what only other runs show, with the command that shows it; what becomes of runs that fail.

#include "test/support/workshop.hpp"

#include <gtest/gtest.h>

#include <regex>

namespace fletcher::test {
namespace {

class Explore : public testing::Test {
protected:
  void build(const std::string& source) {
    workshop_.write("a.c", "#include <omp.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n" + source);
    const Outcome built = workshop_.run("fletcher-cc -g -O1 -fopenmp a.c -o a");
    ASSERT_EQ(built.status, 0) << built.errors;
  }
  Outcome explore(const std::string& options, const std::string& command = "./a") const {
    return workshop_.run("OMP_WAIT_POLICY=passive timeout 120 fletcher explore " + options + " -- " + command);
  }
  Workshop workshop_;
};

/// A run with three threads shows one race, one with a guided schedule another one, and each run a third.
TEST_F(Explore, FindsWhatOtherThreadsAndSchedulesShowAndNamesTheCommand) {
  build(R"(int any, three, guided;
int main(int argc, char** argv) {
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
#pragma omp parallel
  {
    any++;
    if (omp_get_num_threads() == 3) three++;
    if ((kind & 7) == omp_sched_guided) guided++;
  }
  printf("output\n");
  return argc > 2;
}
)");
  const Outcome outcome = explore("--sarif a.sarif --html a.html --text a.txt", "./a 'two words'");
  EXPECT_EQ(outcome.status, 66) << outcome.errors;
  EXPECT_EQ(outcome.output, "");
  EXPECT_EQ(outcome.errors.find("output"), std::string::npos);
  std::string command;
  for (const char* const name : {"any", "three", "guided"}) {
    const std::regex pattern("of '" + std::string(name) +
                             R"('[^]*?note: seen in \d+ of \d+ runs, with [^:]*, first by: ([^\n]*)\n)");
    std::smatch found;
    ASSERT_TRUE(std::regex_search(outcome.errors, found, pattern)) << name << "\n" << outcome.errors;
    command = found[1];
    if (std::string(name) == "any") EXPECT_EQ(command, "fletcher run -- ./a 'two words'");
    if (std::string(name) == "three")
      EXPECT_EQ(command, "OMP_NUM_THREADS=3 fletcher run --options delay=3 -- ./a 'two words'");
  }
  EXPECT_NE(command.find("OMP_SCHEDULE=guided"), std::string::npos);
  EXPECT_NE(workshop_.run(command).errors.find("'guided'"), std::string::npos) << "the command shows it again";
  EXPECT_TRUE(in_order(outcome.errors,
                       {"fletcher: 3 errors, 0 warnings\n", "runs: nothing new was found in the last 12 runs\n"}))
      << outcome.errors;
  EXPECT_TRUE(workshop_.has("a.sarif") && workshop_.has("a.html") && workshop_.has("a.txt"));
}

/// The thread that works first mostly comes last to the lock, and the race shows only where it comes first.
TEST_F(Explore, FindsWhatAnotherOrderOfLocksShows) {
  build(R"(omp_lock_t lock;
int x;
int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    omp_set_lock(&lock);
    x = 1;
    omp_unset_lock(&lock);
  } else {
    double begin = omp_get_wtime();
    while (omp_get_wtime() < begin + 0.001) {}
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
    x = 2;
  }
  omp_destroy_lock(&lock);
}
)");
  const Outcome outcome = explore("--patience 40 --runs 40");
  EXPECT_EQ(outcome.status, 66) << outcome.errors;
  EXPECT_TRUE(in_order(outcome.errors,
                       {"data race: write of 4 bytes of 'x'", "explored 40 runs: the number of runs was reached"}))
      << outcome.errors;
}

TEST_F(Explore, RunsThatFailOrHangAreEndedAndSaid) {
  build(R"(int x;
int main(void) {
#pragma omp parallel
  {
    if (omp_get_num_threads() == 4) abort();
    if (omp_get_num_threads() == 3) x++;
  }
  if (x != 0)
    for (;;) sleep(1);
}
)");
  const Outcome outcome = explore("--threads 2,3,4 --runs 6 --limit 3 --exitcode 7 --keep kept");
  EXPECT_EQ(outcome.status, 7) << outcome.errors;
  EXPECT_TRUE(
      in_order(outcome.errors,
               {"of 'x'", "note: seen in 2 of 6 runs", "first by: OMP_NUM_THREADS=3 fletcher run",
                "2 runs did not end in time, the first of them: OMP_NUM_THREADS=3",
                "2 runs ended with status 134 (Aborted), the first of them: OMP_NUM_THREADS=4", "explored 6 runs"}))
      << outcome.errors;
  EXPECT_TRUE(workshop_.has("kept/6/output"));
  EXPECT_EQ(explore("--runs 1 --keep kept").status, 2) << "the folder is not empty";
}

TEST_F(Explore, AnInterruptEndsTheRunAndReportsWhatWasFound) {
  build("int x;\nint main(void) {\n#pragma omp parallel num_threads(2)\n  {\n    x++;\n#pragma omp barrier\n"
        "#pragma omp single nowait\n    fclose(fopen(\"there\", \"w\"));\n    sleep(60);\n  }\n}\n");
  const Outcome outcome = workshop_.run("(until [ -e there ]; do sleep 0.1; done; kill -INT $(cat number)) & "
                                        "sh -c 'echo $$ > number; exec fletcher explore -- ./a'");
  EXPECT_TRUE(in_order(outcome.errors, {"data race: write of 4 bytes of 'x'", "explored 1 run: interrupted"}))
      << outcome.errors;
}

TEST_F(Explore, EndsAsTheProgramWhereNothingIsFound) {
  build(R"(int main(void) {
  int a = 0, b = 0;
  if (scanf("%d %d", &a, &b) != 2) return 1;
#pragma omp parallel
  {}
  return a + b;
}
)");
  workshop_.write("numbers", "30 4\n");
  const Outcome outcome = explore("--runs 2 --threads 2", "./a < numbers");
  EXPECT_EQ(outcome.status, 34) << outcome.errors;
  EXPECT_TRUE(in_order(outcome.errors, {"0 errors, 0 warnings", "explored 2 runs"})) << outcome.errors;
}

TEST_F(Explore, SaysWhyNothingCanBeExplored) {
  const Outcome missing = explore("--runs 3", "./nowhere");
  EXPECT_EQ(missing.status, 127);
  EXPECT_TRUE(in_order(missing.errors, {"no such program", "nothing was checked: the program ended with status 127"}))
      << missing.errors;
  EXPECT_EQ(explore("", "").status, 2);
  EXPECT_EQ(explore("--threads 0", "true").status, 2);
}

} // namespace
} // namespace fletcher::test
