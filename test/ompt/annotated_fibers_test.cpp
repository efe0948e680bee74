// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explicit tasks that are ThreadSanitizer's fibers: what they share with their threads, and what may happen to them.

#include "test/ompt/annotated.hpp"

namespace fletcher::test {
namespace {

using AnnotatedFibers = Annotated;

TEST_P(AnnotatedFibers, MayShareWhatIsTheirThreads) {
  // Frames of one task lie where another one's lay; libc's errno, an element for each thread; a task in a task in a
  // task; more tasks than fibers that are used in turn.
  build("a.c", R"(#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
int omp_get_thread_num(void);
enum { n = 300, deep = 500 };
static int sums[64][16], depth, undeferred;
static void use(int *p) { __asm__ volatile("" : : "r"(p) : "memory"); }
static int on_stack(int k) {
  int values[200];
  use(values);
  for (int i = 0; i < 200; i++) values[i] = k;
  use(values);
  return values[k % 200];
}
static void descend(int k) {
  int here = k;
  if (k == 0) return;
#pragma omp task shared(here)
  {
    here--;
    descend(here);
    depth++;
  }
#pragma omp taskwait
}
int main(void) {
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i)
      {
        on_stack(i);
        errno = 0;
        sums[omp_get_thread_num()][0]++;
        if (errno != 0) abort();
      }
#pragma omp task if (0)
      undeferred++;
      on_stack(i);
    }
#pragma omp taskwait
#pragma omp taskloop grainsize(1)
    for (int i = 0; i < n; i++) on_stack(i);
    descend(deep);
  }
  int sum = 0;
  for (int i = 0; i < 64; i++) sum += sums[i][0];
  printf("%d %d %d\n", sum, depth, undeferred);
  return 0;
}
)");
  if (IsSkipped()) return;
  for (const char* threads : {"1", "3"}) {
    const Outcome outcome = check_annotated(threads);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.output, "300 500 300\n");
    EXPECT_EQ(outcome.errors, "");
  }
}

TEST_P(AnnotatedFibers, MayUseThreadLocalVariables) {
  build("a.c", R"(#include <stdio.h>
static _Thread_local int of_thread[100];
int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; i++) {
#pragma omp task
    of_thread[i % 3]++;
  }
  puts("ended");
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check_annotated("1");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "ended\n");
  EXPECT_EQ(outcome.errors, "");
}

TEST_P(AnnotatedFibers, MayDestroyWhatTheyHaveCopiesOf) {
  // The runtime calls the destructors when the task's function has returned. Their frames are the task's, too.
  build("a.cpp", R"(#include <cstdio>
static void __attribute__((noinline)) fill(int *at, int n) {
  for (int i = 0; i < n; i++) at[i] = n;
}
struct Values {
  int of[20];
  Values() { fill(of, 20); }
  Values(const Values &other) { of[0] = other.of[0]; }
  ~Values();
};
__attribute__((noinline)) Values::~Values() {
  int here[64];
  fill(here, 64);
}
static int __attribute__((noinline)) descend(int k) {
  int here[40];
  fill(here, 40);
  return k == 0 ? here[k] : descend(k - 1) + here[k % 40];
}
int main() {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; i++) {
    Values values;
#pragma omp task firstprivate(values)
    fill(values.of, 20);
    descend(30);
  }
  std::puts("ended");
}
)");
  if (IsSkipped()) return;
  for (const char* threads : {"1", "3"}) {
    const Outcome outcome = check_annotated(threads);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.output, "ended\n");
    EXPECT_EQ(outcome.errors, "");
  }
}

TEST_P(AnnotatedFibers, MayBeInterruptedBySignals) {
  build("a.c", R"(#include <signal.h>
#include <stdio.h>
static volatile sig_atomic_t signals;
static void count(int signal) { signals++; }
int main(void) {
  signal(SIGUSR1, count);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++) {
#pragma omp task
    raise(SIGUSR1);
  }
  printf("%d\n", (int)signals);
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check_annotated("1");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "20\n");
  EXPECT_EQ(outcome.errors, "");
}

TEST_P(AnnotatedFibers, MayNeedMuchOfAStackAndBeManyInOneAnother) {
  build("a.c", R"(#include <stdio.h>
#include <sys/resource.h>
enum { frame = 16 << 10 };
static int __attribute__((noinline)) descend(int k) {
  volatile char here[frame];
  here[0] = 1;
  here[frame - 1] = 0;
  return k == 0 ? here[0] : descend(k - 1) + here[0];
}
static void nest(int k) {
  if (k == 0) return;
#pragma omp task
  nest(k - 1);
#pragma omp taskwait
}
int main(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_STACK, &limit);
  int small = 0, large = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 100; i++) {
#pragma omp task shared(small)
      small = descend(100);
#pragma omp taskwait
    }
    limit.rlim_cur = 64 << 20;
    if (setrlimit(RLIMIT_STACK, &limit) == 0) {
#pragma omp task shared(large)
      large = descend(1500);
#pragma omp taskwait
    }
    nest(4200);
  }
  printf("%d %d\n", small, large);
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check_annotated("1");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "101 1501\n");
  EXPECT_EQ(outcome.errors, "fletcher: more nested tasks wait than ThreadSanitizer can have fibers for: accesses of "
                            "the innermost ones count as their thread's\n");
}

TEST_P(AnnotatedFibers, MayShareWhatC11LocksAndTheRuntimeMakes) {
  build("a.c", R"(#include <stdio.h>
#include <threads.h>
#include <unistd.h>
static mtx_t lock;
static int in_lock, sum;
int main(void) {
  mtx_init(&lock, mtx_plain);
#pragma omp parallel reduction(task, + : sum)
  {
    mtx_lock(&lock);
    in_lock++;
    usleep(2000);
    mtx_unlock(&lock);
#pragma omp task in_reduction(+ : sum)
    sum++;
  }
  mtx_destroy(&lock);
  printf("%d %d\n", in_lock, sum);
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check_annotated("3");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "3 3\n");
  EXPECT_EQ(outcome.errors, "");
}

INSTANTIATE_TEST_SUITE_P(Runtimes, AnnotatedFibers, testing::Values(in_the_program_preloaded),
                         [](const auto& one) { return one.param.name; });

} // namespace
} // namespace fletcher::test
