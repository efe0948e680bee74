// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ThreadSanitizer's runtime reports of a program in which it stays has the form that the checker's own findings
// have.

#include "test/ompt/takeover.hpp"

namespace fletcher::test {
namespace {

class ReadBack : public Takeover {
protected:
  /// The race is on line 12; what follows it is the program's own way to end.
  void build_race(const std::string& rest) {
    build("a.c", R"(#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>
int omp_get_thread_num(void);
int counter, *null;
static void race(void) {
#pragma omp parallel num_threads(2)
  {
    // ThreadSanitizer can miss two accesses at the same instant.
    if (omp_get_thread_num()) usleep(20000);
    counter++;
  }
}
int main(int argc, char **argv) {
  printf("begun\n");
)" + rest + "}\n");
  }
  Outcome check_annotated(const std::string& of_sanitizer = "", const std::string& of_fletcher = "") {
    return check("TSAN_OPTIONS='ignore_noninstrumented_modules=1 report_thread_leaks=0 atexit_sleep_ms=0 " +
                 of_sanitizer + "' OMP_WAIT_POLICY=passive FLETCHER_OPTIONS='level=tsan " + of_fletcher + "'");
  }
  static void expect_finding(const Outcome& outcome, int status) {
    EXPECT_EQ(outcome.status, status);
    EXPECT_TRUE(
        in_order(outcome.errors, {"a.c:12:12: error: data race: write of 4 bytes of 'counter' in thread 1 of the "
                                  "parallel region at line 8 is not ordered with the write on the same line in "
                                  "thread 0",
                                  " race (parallel region)", "why: ", "the parallel region begins here",
                                  "fletcher: 1 error, 0 warnings\n"}))
        << outcome.errors;
    EXPECT_EQ(outcome.errors.find("ThreadSanitizer: reported"), std::string::npos) << outcome.errors;
    EXPECT_EQ(outcome.errors.find("WARNING: ThreadSanitizer"), std::string::npos) << outcome.errors;
  }
};

TEST_P(ReadBack, IsToldAsOtherFindingsAre) {
  build_race("race(); return 0;");
  if (IsSkipped()) return;
  const Outcome outcome = check_annotated("", "sarif=a.sarif html=a.html");
  expect_finding(outcome, 66);
  EXPECT_EQ(outcome.output, "begun\n");
  EXPECT_NE(workshop_.read("a.sarif").find("\"data-race\""), std::string::npos);
  EXPECT_NE(workshop_.read("a.html").find("counter"), std::string::npos);
}

TEST_P(ReadBack, MayBeSuppressed) {
  build_race("race(); return 5;");
  if (IsSkipped()) return;
  workshop_.write("known", "[data-race]\nvar:counter\n");
  const Outcome outcome = check_annotated("", "suppressions=known");
  EXPECT_EQ(outcome.status, 5);
  EXPECT_EQ(outcome.output, "begun\n");
  const Outcome by_sanitizer = check_annotated("suppressions=for_sanitizer");
  EXPECT_NE(by_sanitizer.status, 0); // there is no such file
  workshop_.write("for_sanitizer", "race:omp_outlined\n");
  const Outcome silent = check_annotated("suppressions=for_sanitizer");
  EXPECT_EQ(silent.status, 5);
  EXPECT_EQ(silent.errors, "");
}

TEST_P(ReadBack, GivesTheStatusThatTheUserChose) {
  build_race("race(); return 5;");
  if (IsSkipped()) return;
  expect_finding(check_annotated("", "exitcode=7"), 7);
  expect_finding(check_annotated("exitcode=8", ""), 8);
  expect_finding(check_annotated("exitcode=8", "exitcode=7"), 7);
  expect_finding(check_annotated("", "exitcode=0"), 5);
  expect_finding(check_annotated("exitcode=0"), 5);
}

TEST_P(ReadBack, IsToldHoweverTheProgramEnds) {
  build_race(R"(
  if (argc == 2) {
    fflush(stdout);
    race();
    switch (atoi(argv[1])) {
    case 1: _exit(0);
    case 2: abort();
    case 3: *null = 1;
    }
  }
  return 0;
)");
  if (IsSkipped()) return;
  const auto run = [&](const std::string& arguments) {
    return workshop_.run("TSAN_OPTIONS='ignore_noninstrumented_modules=1 report_thread_leaks=0 atexit_sleep_ms=0 "
                         "halt_on_error=" +
                         std::string(arguments == "4" ? "1" : "0") +
                         "' OMP_WAIT_POLICY=passive FLETCHER_OPTIONS=level=tsan timeout 60 env "
                         "LD_PRELOAD=" FLETCHER_LIBRARY " ./a " +
                         arguments);
  };
  expect_finding(run("1"), 66);
  expect_finding(run("2"), 128 + 6);
  const Outcome dead = run("3");
  expect_finding(dead, 66);
  EXPECT_NE(dead.errors.find("ERROR: ThreadSanitizer: SEGV"), std::string::npos) << dead.errors;
  expect_finding(run("4"), 66);
}

TEST_P(ReadBack, IsToldBeforeATimeLimitEndsTheProgram) {
  build_race("race(); for (;;) pause();");
  if (IsSkipped()) return;
  const Outcome outcome = workshop_.run(
      "TSAN_OPTIONS='ignore_noninstrumented_modules=1 report_thread_leaks=0' OMP_WAIT_POLICY=passive "
      "FLETCHER_OPTIONS='level=tsan tell_after=1' LD_PRELOAD=" FLETCHER_LIBRARY " ./a 2> told & program=$!; "
      "for i in $(seq 600); do grep -q '1 error' told && break; sleep 0.1; done; kill -KILL $program; cat told >&2");
  EXPECT_NE(outcome.errors.find("error: data race: write of 4 bytes of 'counter'"), std::string::npos)
      << outcome.errors;
}

TEST_P(ReadBack, IsOfOneProcess) {
  build_race(R"(
  race();
  fflush(stdout);
  int status;
  if (fork() == 0) exit(3);
  wait(&status);
  return WEXITSTATUS(status);
)");
  if (IsSkipped()) return;
  const Outcome outcome = check_annotated("", "exitcode=0");
  expect_finding(outcome, 3);
  EXPECT_EQ(outcome.errors.find("error: data race"), outcome.errors.rfind("error: data race")) << outcome.errors;
}

TEST_P(ReadBack, LeavesTheUserWhatIsNoRace) {
  build("a.c", R"(#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static void *nothing(void *of) { return of; }
int main(void) {
  pthread_t nobody_joins;
#pragma omp parallel num_threads(2)
  ;
  pthread_create(&nobody_joins, 0, nothing, 0);
  usleep(20000);
  printf("ended\n");
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check_annotated("report_thread_leaks=1");
  EXPECT_EQ(outcome.status, 66);
  EXPECT_EQ(outcome.output, "ended\n");
  EXPECT_TRUE(in_order(outcome.errors, {"WARNING: ThreadSanitizer: thread leak", "#0 pthread_create",
                                        "SUMMARY: ThreadSanitizer: thread leak", "=================="}))
      << outcome.errors;
}

TEST_P(ReadBack, CopiesTheTextToWhereTheUserWantsIt) {
  build_race("race(); return 0;");
  if (IsSkipped()) return;
  expect_finding(check_annotated("log_path=text"), 66);
  EXPECT_NE(workshop_.run("cat text.*").output.find("WARNING: ThreadSanitizer: data race"), std::string::npos);
}

TEST_P(ReadBack, IsNotToldWhereItMayBeNone) {
  build("a.c", R"(#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <threads.h>
#include <time.h>
int omp_get_thread_num(void);
enum { page = 4096, many = 16 * page };
static once_flag once = ONCE_FLAG_INIT;
static int table[4], behind_fence, behind_lock, by_one, wanted[100], first, sum, failed;
static atomic_int fenced_lock;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void fill(void) {
  for (int i = 0; i < 4; i++) table[i] = 9;
}
static void take(void) {
  for (int expected = 0; !atomic_compare_exchange_weak_explicit(&fenced_lock, &expected, 1, memory_order_relaxed,
                                                                memory_order_relaxed);
       expected = 0)
    sched_yield();
  atomic_thread_fence(memory_order_acquire);
}
int main(void) {
  wanted[77] = 1;
#pragma omp parallel reduction(+ : sum, failed)
  {
    call_once(&once, fill);
    sum += table[2];
    take();
    behind_fence++;
    atomic_store_explicit(&fenced_lock, 0, memory_order_release);
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += 100;
    while (pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &until) != 0) {}
    behind_lock++;
    pthread_rwlock_unlock(&lock);
    for (int r = 0; r < 20; r++) {
      char *memory = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      memory = mremap(memory, page, many, MREMAP_MAYMOVE);
      for (int i = 0; i < many; i += 64) memory[i] = (char)r;
      memory = mremap(memory, many, page, MREMAP_MAYMOVE);
      failed += memory[0] != (char)r;
      munmap(memory, page);
    }
    const int me = omp_get_thread_num();
    for (int i = 0; i < 100; i++)
      if (me == 0 && i % 2 == 0) by_one++; // the compiler reads it before the loop, for all
#pragma omp for
    for (int i = 0; i < 100; i++)
      if (wanted[i]) first += i; // and this, though what the program has read decides
  }
  printf("%d %d %d %d %d %d\n", sum, behind_fence, behind_lock, by_one, first, failed);
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check_annotated("", "' OMP_NUM_THREADS='4");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "36 4 4 50 77 0\n");
  EXPECT_EQ(outcome.errors, "");
}

TEST_P(ReadBack, IsToldWhereTheProgramWritesWhatTheCompilerReadsAhead) {
  build("a.c", R"(#include <stdio.h>
static int wanted[100], by_all, sum;
static void count(void) {
#pragma omp parallel for
  for (int i = 0; i < 100; i++)
    if (wanted[i]) by_all++;
}
static void add(int rows) {
#pragma omp parallel for
  for (int row = 0; row < rows; row++)
    for (int i = 0; i < wanted[row]; i++) sum += i;
}
int main(void) {
  for (int i = 0; i < 100; i += 10) wanted[i] = 2;
  count();
  add(100);
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check_annotated("", "' OMP_NUM_THREADS='2");
  EXPECT_EQ(outcome.status, 66);
  for (const char* said : {"a.c:6:", "a.c:11:", "fletcher: 2 errors, 0 warnings"})
    EXPECT_NE(outcome.errors.find(said), std::string::npos) << said << '\n' << outcome.errors;
}

TEST_P(ReadBack, SectionsOwnMembersAreReadByTheCompilerOnly) {
  build("a.c", R"(#include <stdio.h>
static struct {
  int made;
  unsigned low : 4, high : 4, : 0, other : 8;
} total;
int main(void) {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    total.made += 3;
#pragma omp section
    total.low = 3;
#pragma omp section
    total.other = 9;
  }
  printf("%d %d %d\n", total.made, total.low, total.other);
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check_annotated();
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "3 3 9\n");
  EXPECT_EQ(outcome.errors, "");
}

TEST_P(ReadBack, LeavesStandardErrorToTheProgramUnderFletcherRun) {
  build("a.c", R"(#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  struct {
    int made;
    unsigned low : 4, : 0, other : 8;
  } total = {0};
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    total.made += 3;
#pragma omp section
    total.low = 3;
#pragma omp section
    total.other = 9;
  }
  fflush(stdout);
  const pid_t child = fork(); // the library's own locks are held meanwhile
  if (child == 0) _exit(0);
  waitpid(child, 0, 0);
  printf("%d %d %d\n", total.made, total.low, total.other);
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = workshop_.run("OMP_WAIT_POLICY=passive FLETCHER_OPTIONS=level=tsan fletcher run ./a");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "3 3 9\n");
  EXPECT_EQ(outcome.errors, "");
}

TEST_P(ReadBack, CallsOfLibcAreSeenByFletcherRun) {
  build("a.c", R"(int omp_get_thread_num(void);
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char copied[64], from[64];
int main(int argc, char **argv) {
  char *block = calloc(64, 1);
  int sum = 0, size = 32 * argc;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  {
    if (omp_get_thread_num() == 0) {
      memcpy(copied, from, size);
      free(block);
    } else {
      usleep(20000); // ThreadSanitizer can miss two accesses at the same instant
      sum += copied[3];
      sum += block[5];
    }
  }
  puts(sum > 1000 ? "much" : "little");
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = workshop_.run("OMP_WAIT_POLICY=passive FLETCHER_OPTIONS=level=tsan fletcher run ./a");
  EXPECT_EQ(outcome.status, 66);
  EXPECT_NE(outcome.errors.find("a.c:13:7: error: data race: write of "), std::string::npos) << outcome.errors;
  EXPECT_NE(outcome.errors.find("a.c:14:7: error: data race: free of "), std::string::npos) << outcome.errors;
  EXPECT_NE(outcome.errors.find("fletcher: 2 errors, 0 warnings\n"), std::string::npos) << outcome.errors;
}

TEST_P(ReadBack, WhatALibraryCountsEndsInOrder) {
  build("a.cpp", R"(#include <cstdio>
#include <exception>
#include <utility>
#include <vector>
static std::exception_ptr failure() {
  try {
    throw std::vector<int>{1, 2, 3};
  } catch (...) {
    return std::current_exception();
  }
}
static int second_of(std::exception_ptr failed) {
  try {
    std::rethrow_exception(std::move(failed));
  } catch (const std::vector<int>& parts) {
    return parts[1];
  }
}
int main() {
  int sum = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  {
    std::exception_ptr failed = failure();
    for (int t = 0; t < 8; t++) {
#pragma omp task firstprivate(failed) shared(sum)
      {
        const int found = second_of(std::exchange(failed, nullptr));
#pragma omp atomic
        sum += found;
      }
    }
    failed = nullptr;
  }
  std::printf("%d\n", sum);
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = workshop_.run("OMP_WAIT_POLICY=passive FLETCHER_OPTIONS=level=tsan fletcher run ./a");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "16\n");
  EXPECT_EQ(outcome.errors, "");
}

constexpr Way by_14{"InTheProgramByClang14Preloaded", in_the_program_by_14.flags, "14", "LD_PRELOAD"};
INSTANTIATE_TEST_SUITE_P(Runtimes, ReadBack, testing::Values(in_the_program_preloaded, by_14),
                         [](const auto& one) { return one.param.name; });

} // namespace
} // namespace fletcher::test
