// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explicit tasks where ThreadSanitizer's runtime judges: which of them race, and which are waited for.

#include "test/ompt/annotated.hpp"

namespace fletcher::test {
namespace {

/// Where the library is in front of the program, explicit tasks are ThreadSanitizer's fibers.
using AnnotatedTasks = Annotated;

TEST_P(AnnotatedTasks, OfOneThreadRace) {
  build("a.c", R"(#include <stdio.h>
static int shared_by_tasks;
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    shared_by_tasks++;
#pragma omp task
    shared_by_tasks++;
  }
  printf("%d\n", shared_by_tasks);
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check_annotated("1");
  EXPECT_EQ(outcome.status, 66);
  EXPECT_EQ(outcome.output, "2\n");
  EXPECT_NE(outcome.errors.find(
                "in the task created at line 9 is not ordered with the write at line 8 in the task created at line 7"),
            std::string::npos)
      << outcome.errors;
}

TEST_P(AnnotatedTasks, OfATaskloopRaceWhereThereAreNoOthers) {
  build("a.c", R"(#include <stdio.h>
static int shared_by_tasks;
int main(void) {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(5)
  for (int i = 0; i < 100; i++)
    shared_by_tasks++;
  printf("%d\n", shared_by_tasks > 0);
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check_annotated("1");
  EXPECT_EQ(outcome.status, 66);
  EXPECT_NE(outcome.errors.find("in the task created at line 6"), std::string::npos) << outcome.errors;
}

TEST_P(AnnotatedTasks, OfTwoTeamsOfALeagueRaceInACriticalConstruct) {
  build("a.c", R"(#include <stdio.h>
static int by_all_teams;
int main(void) {
#pragma omp teams distribute
  for (int i = 0; i < 100; i++) {
#pragma omp critical
    by_all_teams++;
  }
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = workshop_.run("FLETCHER_OPTIONS=level=tsan OMP_NUM_THREADS=2 fletcher run ./a");
  EXPECT_EQ(outcome.status, 66);
  EXPECT_NE(outcome.errors.find("a.c:7:17: error: data race"), std::string::npos) << outcome.errors;
}

TEST_P(AnnotatedTasks, OfLeaguesAndOfTheInitialTaskAreWaitedFor) {
  build("a.c", R"(#include <stdio.h>
struct sum { double value; int count; };
#pragma omp declare reduction(plus : struct sum : omp_out.value += omp_in.value, omp_out.count += omp_in.count) \
    initializer(omp_priv = (struct sum){0, 0})
static int of_target;
int main(void) {
  struct sum sum = {0, 0};
#pragma omp teams distribute parallel for num_teams(2) reduction(plus : sum)
  for (int i = 0; i < 30; i++) sum.count++;
#pragma omp target map(tofrom : of_target) nowait
  of_target = 1;
#pragma omp barrier
  printf("%d\n", sum.count + of_target);
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = workshop_.run("FLETCHER_OPTIONS=level=tsan OMP_NUM_THREADS=2 fletcher run ./a");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "31\n");
  EXPECT_EQ(outcome.errors, "");
}

/// The runtime has ended then, and tells of no region that the program begins.
TEST_P(AnnotatedTasks, AndRegionsAreUncheckedAfterAHardPause) {
  build("a.c", R"(#include <stdio.h>
int omp_pause_resource_all(int);
enum { omp_pause_hard = 2 };
static long sum_before(long sum) {
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 64; i++) sum++;
  return sum;
}
int main(void) {
  long sum = sum_before(0);
  omp_pause_resource_all(omp_pause_hard);
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 64; i++) sum++;
  printf("%ld\n", sum);
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = workshop_.run("FLETCHER_OPTIONS=level=tsan OMP_NUM_THREADS=2 timeout 60 fletcher run ./a");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "128\n");
  EXPECT_EQ(outcome.errors, "");
}

/// The runtime gives the memory of one task to the next one.
TEST_P(AnnotatedTasks, MayHaveMemoryOfTheRuntimesAllocators) {
  build("a.c", R"(#include <omp.h>
#include <stdio.h>
int main(void) {
  int wrong = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 200; i++)
#pragma omp task shared(wrong)
  {
    int *block = omp_alloc(64, omp_default_mem_alloc);
    block[1] = i;
    block = omp_realloc(block, 1024, omp_default_mem_alloc, omp_default_mem_alloc);
    block[200] = 1;
    if (block[1] != i) {
#pragma omp atomic
      wrong++;
    }
    omp_free(block, omp_default_mem_alloc);
  }
  printf("%d\n", wrong);
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = workshop_.run("FLETCHER_OPTIONS=level=tsan OMP_NUM_THREADS=3 timeout 60 fletcher run ./a");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "0\n");
  EXPECT_EQ(outcome.errors, "");
}

TEST_P(AnnotatedTasks, RaceWithTheirCreator) {
  build("a.c", R"(#include <stdio.h>
static int shared_with_creator;
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    shared_with_creator++;
    shared_with_creator++;
#pragma omp taskwait
  }
  printf("%d\n", shared_with_creator);
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check_annotated("1");
  EXPECT_EQ(outcome.status, 66);
  EXPECT_EQ(outcome.output, "2\n");
  EXPECT_NE(outcome.errors.find("taskwait"), std::string::npos) << outcome.errors;
}

TEST_P(AnnotatedTasks, RaceBesideWhatTheirCreatorHasWritten) {
  // With the creator's own accesses to two neighbours they are more than ThreadSanitizer keeps of eight bytes.
  build("a.c", R"(#include <pthread.h>
#include <stdio.h>
__attribute__((noinline)) static int sum(int *a, pthread_mutex_t *held) {
  for (int i = 0; i < 6; i++) a[i] = 1;
  pthread_mutex_lock(held);
#pragma omp task depend(inout : *a)
  a[0] = a[2] = a[4] = 2;
#pragma omp task
  a[1] = 3;
#pragma omp task
  a[3] = 3;
#pragma omp task
  a[5] = 3;
  pthread_mutex_unlock(held);
#pragma omp taskwait depend(in : *a)
  int result = a[0] + a[2] + a[4];
  result += a[1];
  result += a[3];
  result += a[5];
#pragma omp taskwait
  return result;
}
int main(void) {
#pragma omp parallel
#pragma omp single
  {
    pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
    _Alignas(8) int a[6];
    printf("%d\n", sum(a, &held));
  }
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check_annotated("1");
  EXPECT_EQ(outcome.status, 66);
  EXPECT_EQ(outcome.output, "15\n");
  for (const char* said : {"a.c:9:", "a.c:11:", "a.c:13:", "fletcher: 3 errors, 0 warnings"})
    EXPECT_NE(outcome.errors.find(said), std::string::npos) << said << '\n' << outcome.errors;
}

INSTANTIATE_TEST_SUITE_P(Runtimes, AnnotatedTasks, testing::Values(in_the_program_preloaded),
                         [](const auto& one) { return one.param.name; });

} // namespace
} // namespace fletcher::test
