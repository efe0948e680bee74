// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ThreadSanitizer's runtime finds, and does not, in whole programs that tell it what OpenMP orders.

#include "test/ompt/annotated.hpp"

namespace fletcher::test {
namespace {

TEST_P(Annotated, WhatOpenMPOrdersIsNoRace) {
  build("a.c", R"(#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
typedef struct omp_lock_t { void *it; } omp_lock_t;
typedef void *omp_event_handle_t;
void omp_init_lock(omp_lock_t *), omp_set_lock(omp_lock_t *), omp_unset_lock(omp_lock_t *);
enum { n = 40 };
static int a[n], handed[n], sum, in_critical, in_lock, in_order, chain[n + 1];
static void wait(void) { usleep(200); } // so that others take part
static void regions_and_barriers(void) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++) { wait(); a[i] = i; }
#pragma omp for schedule(dynamic) reduction(+ : sum)
    for (int i = 0; i < n; i++) { wait(); sum += a[n - 1 - i]; }
#pragma omp single
    for (int i = 0; i < n; i++) handed[i] = a[i];
#pragma omp for nowait
    for (int i = 0; i < n; i++) a[n - 1 - i] += handed[i];
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < n; i++) handed[i] += a[i];
  }
}
static void exclusion(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel for ordered schedule(static, 1)
  for (int i = 0; i < n; i++) {
#pragma omp critical
    in_critical++;
    omp_set_lock(&lock);
    in_lock++;
    omp_unset_lock(&lock);
#pragma omp ordered
    in_order += i;
  }
#pragma omp parallel for ordered(1) schedule(static, 1)
  for (int i = 1; i <= n; i++) {
#pragma omp ordered depend(sink : i - 1)
    chain[i] = chain[i - 1] + 1;
#pragma omp ordered depend(source)
  }
}
static int fib(int k) {
  int x, y;
  if (k < 2) return k;
#pragma omp task shared(x)
  x = fib(k - 1);
#pragma omp task shared(y)
  y = fib(k - 2);
#pragma omp taskwait
  return x + y;
}
static int tasks(void) {
  int first = 0, second = 0, third = 0, all = 0, result = 0;
#pragma omp parallel
#pragma omp single
  {
    result = fib(8);
    for (int i = 0; i < n; i++) {
#pragma omp task depend(out : first) firstprivate(i)
      { wait(); first += i; }
#pragma omp task depend(in : first) depend(out : second) firstprivate(i)
      { wait(); second += first + i; }
#pragma omp task depend(in : first)
      { wait(); if (first < 0) abort(); }
    }
#pragma omp taskgroup
    {
#pragma omp task shared(third)
      {
#pragma omp task shared(third)
        { wait(); third = 1; }
      }
    }
    all = third;
#pragma omp taskloop grainsize(1)
    for (int i = 0; i < n; i++) { wait(); a[i]++; }
    all += a[n - 1];
  }
  return result + first + second + all;
}
int main(void) {
  for (int i = 0; i < 5; i++) {
    regions_and_barriers();
    exclusion();
    sum += tasks();
  }
  printf("%d %d %d %d\n", sum != 0, in_critical, in_lock, chain[n]);
  return 0;
}
)");
  if (IsSkipped()) return;
  for (const char* threads : {"2", "5"}) {
    const Outcome outcome = check_annotated(threads);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.output, "1 200 200 40\n");
    EXPECT_EQ(outcome.errors, "");
  }
}

TEST_P(Annotated, WhatItLeavesOpenIs) {
  // Each thread runs the task that it made, so that none has to be woken for it. One of the two accesses comes later:
  // ThreadSanitizer itself can miss two at the same instant.
  build("a.c", R"(#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
static int shared_by_tasks;
static _Atomic int here;
static int meet(void) {
  const int others = atomic_fetch_add_explicit(&here, 1, memory_order_relaxed);
  while (atomic_load_explicit(&here, memory_order_relaxed) < 2) {}
  return others;
}
int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp task
    {
      if (meet()) usleep(20000);
      shared_by_tasks++;
    }
#pragma omp taskwait
  }
  printf("%d\n", here);
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check_annotated("2");
  EXPECT_EQ(outcome.status, 66);
  EXPECT_EQ(outcome.output, "2\n");
  const bool is_read_back = std::string_view(GetParam().loading) == "LD_PRELOAD";
  EXPECT_NE(outcome.errors.find(is_read_back ? "error: data race: write of 4 bytes of 'shared_by_tasks'"
                                             : "WARNING: ThreadSanitizer: data race"),
            std::string::npos)
      << outcome.errors;
}

TEST_P(Annotated, WhatThreadSanitizerWouldForgetIsFound) {
  // It knows four accesses of eight bytes, and of each thread the last 60,000 or so.
  build("a.c", R"(#include <stdio.h>
enum { n = 300000 };
static int a[n + 1];
static int after_initialisation(void) {
  int length = 100, next_to_it = 0;
#pragma omp parallel for
  for (int i = 0; i < length; i++) next_to_it++;
  return next_to_it;
}
static void neighbours_in_long_loop(void) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) a[i] = a[i + 1] + 1;
}
int main(void) {
  after_initialisation();
  neighbours_in_long_loop();
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check_annotated("2");
  EXPECT_EQ(outcome.status, 66);
  for (const char* line : {"a.c:7:", "a.c:12:"})
    EXPECT_NE(outcome.errors.find(line), std::string::npos) << line << '\n' << outcome.errors;
}

TEST_P(Annotated, UntiedTasksThatSeveralThreadsExecuteAreWaitedFor) {
  build("a.c", R"(#include <stdio.h>
#include <stdlib.h>
struct node {
  struct node *below[3];
  long visits;
};
static struct node *make(int depth) {
  struct node *one = calloc(1, sizeof *one);
  for (int i = 0; depth > 0 && i < 3; i++) one->below[i] = make(depth - 1);
  return one;
}
static void visit(struct node *one) {
  if (!one) return;
  for (int i = 0; i < 3; i++) {
#pragma omp task untied
    visit(one->below[i]);
  }
  one->visits++;
#pragma omp taskwait
  for (int i = 0; i < 3; i++)
    if (one->below[i]) one->below[i]->visits++;
}
int main(void) {
  struct node *root = make(5);
  long before = 0, after = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  {
    for (int i = 0; i < 40; i++) visit(root);
    for (int i = 0; i < 50; i++) {
#pragma omp task untied shared(before, after)
      {
        long own = i;
#pragma omp taskyield
        own++;
#pragma omp atomic
        before += own;
#pragma omp taskyield
#pragma omp atomic
        after += own;
      }
    }
  }
  printf("%ld %ld %ld\n", root->visits, before, after);
  return 0;
}
)");
  if (IsSkipped()) return;
  Outcome outcome = check_annotated("3");
  constexpr int stopped = 124,
                more = 2; // the runtime may let such tasks wait for ever, also without a tool (docs/ompt.md)
  for (int i = 0; i < more && outcome.status == stopped; ++i) outcome = check_annotated("3");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "40 1275 1275\n");
  EXPECT_EQ(outcome.errors, "");
}

/// A thread may have no processor just when it has let go of a lock: here it is stopped again and again for longer than
/// another one would wait without sleep.
TEST_P(Annotated, AThreadThatIsStoppedHasLetGoOfItsLock) {
  build("a.c", R"(#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
typedef struct omp_lock_t { void *it; } omp_lock_t;
void omp_init_lock(omp_lock_t *), omp_set_lock(omp_lock_t *), omp_unset_lock(omp_lock_t *);
int omp_get_thread_num(void);
double omp_get_wtime(void);
void return_from_handler(void);
__asm__("return_from_handler: mov $15, %eax; syscall");
__attribute__((no_sanitize("thread"))) static void stop(int signal) {
  const struct timespec span = {0, 8000000};
  syscall(SYS_nanosleep, &span, NULL);
}
// Past ThreadSanitizer, which would keep the signal back.
static void be_stopped_at_times(int signal) {
  const struct { void (*handler)(int); unsigned long flags; void (*restorer)(void); unsigned long mask; } action = {
      stop, 0x14000000, return_from_handler, 0};
  syscall(SYS_rt_sigaction, signal, &action, NULL, 8);
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal;
  event._sigev_un._tid = (int)syscall(SYS_gettid);
  const struct itimerspec times = {{0, 9700000}, {0, 9700000}};
  int timer;
  syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer);
  syscall(SYS_timer_settime, timer, 0, &times, NULL);
}
int main(void) {
  long count = 0;
  const double end = omp_get_wtime() + 1;
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  {
    const int is_rare = omp_get_thread_num() == 0;
    if (!is_rare) be_stopped_at_times(SIGRTMIN + 3);
    while (omp_get_wtime() < end) {
      omp_set_lock(&lock);
      count++;
      omp_unset_lock(&lock);
      for (const double next = omp_get_wtime() + 0.0003; is_rare && omp_get_wtime() < next;) {}
    }
  }
  printf("%d\n", count > 0);
  fflush(stdout);
  _exit(0);
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check_annotated("2");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "1\n");
  EXPECT_EQ(outcome.errors, "");
}

/// The runtime ends its threads when the program is over, one after the other.
TEST_P(Annotated, WorkersEndAfterTheProgram) {
  build("a.cpp", R"(#include <cstdio>
static int sum;
struct Counter {
  int count = 0;
  ~Counter() { sum += count; }
};
static thread_local Counter counter;
int main() {
#pragma omp parallel num_threads(3)
  counter.count++;
  std::printf("%d\n", sum);
  sum = 0;
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check_annotated("3");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "0\n");
  EXPECT_EQ(outcome.errors, "");
}

/// What came before the first region is forgotten in other programs.
TEST_P(Annotated, ThreadsThatEndedBeforeOpenMPRace) {
  build("a.c", R"(#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static int value, sum;
static void *produce(void *unused) {
  value = 42;
  return unused;
}
int main(void) {
  pthread_t producer;
  pthread_create(&producer, NULL, produce, NULL);
  usleep(100000);
#pragma omp parallel reduction(+ : sum)
  sum += value;
  pthread_join(producer, NULL);
  printf("%d\n", sum);
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check_annotated("2");
  EXPECT_EQ(outcome.status, 66);
  EXPECT_EQ(outcome.output, "84\n");
  EXPECT_NE(outcome.errors.find("'value'"), std::string::npos) << outcome.errors;
}

/// The runtime's own memory and locks, which it shares between them, are no concern of ThreadSanitizer's.
TEST_P(Annotated, ThreadsOfTheProgramHaveTeamsOfTheirOwn) {
  build("a.cpp", R"(#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>
static std::mutex mutex;
static int sum;
static void work() {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    {
      std::lock_guard<std::mutex> lock(mutex);
      sum++;
    }
  }
}
int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++) threads.emplace_back(work);
  for (auto &thread : threads) thread.join();
  std::printf("%d\n", sum);
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check_annotated("2");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "4\n");
  EXPECT_EQ(outcome.errors, "");
}

constexpr Way ways[] = {in_the_program, in_the_program_by_14, in_the_program_preloaded};
INSTANTIATE_TEST_SUITE_P(Runtimes, Annotated, testing::ValuesIn(ways), [](const auto& one) { return one.param.name; });

} // namespace
} // namespace fletcher::test
