// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that stock clang built for ThreadSanitizer, with the runtime in the program and in a library: Fletcher takes
// over, and ThreadSanitizer has nothing more to say. Many more such programs run in test/programs.

#include "test/ompt/takeover.hpp"

namespace fletcher::test {
namespace {

constexpr const char* two_tasks = R"(#include <stdio.h>
int main(void) {
  int x = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(x) DEPEND
    x++;
#pragma omp task shared(x) DEPEND
    x++;
#pragma omp taskwait
  }
  printf("%d\n", x);
  return 0;
}
)";

std::string with(std::string text, const std::string& depend) {
  for (auto at = text.find("DEPEND"); at != std::string::npos; at = text.find("DEPEND", at))
    text.replace(at, 6, depend);
  return text;
}

TEST_P(Takeover, TasksThatRaceAreToldThoughOneThreadDoesBoth) {
  build("a.c", with(two_tasks, ""));
  if (IsSkipped()) return;
  const Outcome outcome = check("OMP_NUM_THREADS=1");
  EXPECT_EQ(outcome.status, 66);
  EXPECT_EQ(outcome.output, "2\n");
  EXPECT_NE(outcome.errors.find("level native"), std::string::npos) << outcome.errors;
  EXPECT_NE(outcome.errors.find("a.c:10:6: error: data race"), std::string::npos) << outcome.errors;
  EXPECT_EQ(outcome.errors.find("ThreadSanitizer"), std::string::npos) << outcome.errors;
}

TEST_P(Takeover, OrderedTasksAreSilent) {
  build("a.c", with(two_tasks, "depend(inout : x)"));
  if (IsSkipped()) return;
  const Outcome outcome = check("OMP_NUM_THREADS=4");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "2\n");
  EXPECT_EQ(outcome.errors, "");
}

/// ThreadSanitizer's runtime sleeps at the end as long as another thread lives: by default for a second.
TEST_P(Takeover, NoThreadOfFletchersLivesAtTheEnd) {
  build("a.c", with(two_tasks, "depend(inout : x)"));
  if (IsSkipped()) return;
  const std::string for_hours =
      "OMP_NUM_THREADS=4 TSAN_OPTIONS=ignore_noninstrumented_modules=1:atexit_sleep_ms=9999999 ";
  for (const char* const options : {"", "FLETCHER_OPTIONS=level=tsan"}) {
    const Outcome outcome = check(for_hours + options);
    EXPECT_EQ(outcome.status, 0) << options;
    EXPECT_EQ(outcome.output, "2\n");
  }
}

TEST_P(Takeover, BlocksFromBeforeAreGivenBackAndGrowAfterwards) {
  build("a.c", R"(#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  enum { n = 200 };
  char *block[n];
  for (int i = 0; i < n; i++) {
    block[i] = malloc((size_t)1 << (i % 22));
    memset(block[i], i, (size_t)1 << (i % 22));
  }
  int wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
  for (int i = 0; i < n; i++) {
    size_t size = (size_t)1 << (i % 22);
    wrong += malloc_usable_size(block[i]) < size;
    if (i % 2) block[i] = realloc(block[i], 3 * size);
    wrong += block[i][size - 1] != (char)i;
    free(block[i]);
    char *other = malloc(size);
    other[0] = 1;
    free(other);
  }
  printf("%d\n", wrong);
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check("OMP_NUM_THREADS=4");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "0\n");
  EXPECT_EQ(outcome.errors, "");
}

TEST_P(Takeover, ThreadsExceptionsAndContainersOfCxxGoOn) {
  build("a.cpp", R"(#include <cstdio>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
static const std::string &prefix() {
  static const std::string text = "word number that is long enough for the heap ";
  return text;
}
int main() {
  std::vector<std::string> words;
  for (int i = 0; i < 100; ++i) words.push_back(std::to_string(i));
  std::map<std::string, int> counts;
  std::mutex guard;
  int caught = 0;
#pragma omp parallel for reduction(+ : caught)
  for (int i = 0; i < 100; ++i) {
    try {
      if (i % 10 == 0) throw std::runtime_error(words[i]);
      std::lock_guard<std::mutex> lock(guard);
      ++counts[prefix() + words[i]];
    } catch (const std::exception &) {
      ++caught;
    }
  }
  int later = 0;
  std::thread other([&] { later = caught; });
  other.join();
  std::printf("%zu %d\n", counts.size(), later);
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check("OMP_NUM_THREADS=4");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "90 10\n");
  EXPECT_EQ(outcome.errors, "");
}

TEST_P(Takeover, ThreadsOfC11AreKnown) {
  build("a.c", R"(#include <stdio.h>
#include <threads.h>
static mtx_t mutex;
static int alone, together, detached;
static int with_team(void *argument) {
  if (argument != NULL) alone++;
#pragma omp parallel num_threads(2)
  {
    mtx_lock(&mutex);
    together++;
    mtx_unlock(&mutex);
  }
  if (argument == NULL) thrd_exit(1);
  return 2;
}
static int without(void *argument) {
  mtx_lock(&mutex);
  detached++;
  mtx_unlock(&mutex);
  return argument != NULL;
}
int main(void) {
  int sum = 0;
  mtx_init(&mutex, mtx_plain);
#pragma omp parallel num_threads(2)
#pragma omp atomic
  sum++;
  for (int i = 0; i < 40; i++) { // handles come again
    thrd_t one, other;
    int result = 0;
    thrd_create(&one, with_team, i % 2 ? &i : NULL);
    thrd_join(one, &result);
    sum += result;
    thrd_create(&other, without, NULL);
    thrd_detach(other);
  }
  for (int waiting = 1; waiting;) {
    mtx_lock(&mutex);
    waiting = detached < 40;
    mtx_unlock(&mutex);
    thrd_yield();
  }
  printf("%d %d %d\n", sum, alone, together);
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check();
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "62 20 80\n");
  EXPECT_EQ(outcome.errors, "");
}

/// Those that the program registered before are called while this library's locks are held.
TEST_P(Takeover, HandlersOfForkMayAllocateAndLock) {
  build("a.c", R"(#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void before(void) {
  pthread_mutex_lock(&lock);
  free(malloc(1 << 20));
}
static void after(void) {
  free(malloc(1 << 20));
  pthread_mutex_unlock(&lock);
}
int main(void) {
  int sum = 0, status = 1;
  pthread_atfork(before, after, after);
#pragma omp parallel reduction(+ : sum) num_threads(2)
  sum++;
  if (fork() == 0) _exit(sum);
  wait(&status);
  printf("%d\n", WEXITSTATUS(status));
  return pthread_mutex_trylock(&lock);
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check();
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "2\n");
  EXPECT_EQ(outcome.errors, "");
}

/// Threads that began afterwards, which ThreadSanitizer may not know.
TEST_P(Takeover, ThreadsOfATeamMayFork) {
  build("a.c", R"(#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static int before;
static void count(void) { __atomic_fetch_add(&before, 1, __ATOMIC_RELAXED); }
int main(void) {
  int sum = 0;
  pthread_atfork(count, NULL, NULL);
#pragma omp parallel reduction(+ : sum) num_threads(3)
  {
    int status = 0;
    const pid_t child = fork();
    if (child == 0) _exit(7);
    waitpid(child, &status, 0);
    sum += WEXITSTATUS(status);
  }
  printf("%d %d\n", sum, before);
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check();
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "21 3\n");
  EXPECT_EQ(outcome.errors, "");
}

/// Of threads that nobody joins ThreadSanitizer would tell at the end, by a status of its own.
TEST_P(Takeover, ThreadSanitizerHasNotTheLastWord) {
  build("a.c", R"(#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static void* nothing(void* p) { return p; }
int main(int argc, char** argv) {
  int sum = 0;
  FILE* const file = fopen("written", "w");
  fputs("all of it\n", file);
#pragma omp parallel reduction(+ : sum) num_threads(2)
  sum++;
  pthread_t thread;
  pthread_create(&thread, NULL, nothing, NULL);
  printf("%d\n", sum);
  if (argc > 1) {
#pragma omp parallel num_threads(2)
    sum++;
  }
  exit(3);
}
)");
  if (IsSkipped()) return;
  const Outcome racy = workshop_.run("OMP_TOOL_LIBRARIES=" FLETCHER_LIBRARY " timeout 60 ./a racy");
  EXPECT_EQ(racy.status, 66);
  EXPECT_EQ(racy.errors.find("ThreadSanitizer"), std::string::npos) << racy.errors;
  const Outcome outcome = check();
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.output, "2\n");
  EXPECT_EQ(outcome.errors, "");
  EXPECT_EQ(workshop_.run("cat written").output, "all of it\n");
}

TEST_P(Takeover, SignalsForkAndExitAreTheProgramsOwn) {
  build("a.c", R"(#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile sig_atomic_t ticks, calls;
static void tick(int signal) { ticks += signal == SIGALRM; }
static void call(int signal) { calls += signal == SIGUSR1; }
int main(void) {
  int sum = 0;
  signal(SIGUSR1, call);
  kill(getpid(), SIGUSR1);
#pragma omp parallel reduction(+ : sum)
  sum++;
  signal(SIGALRM, tick);
  const struct itimerval each = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_REAL, &each, NULL);
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 1000000; i++) sum += i % 2;
  while (ticks < 3) {}
  for (int i = 0; i < 3; i++) {
    kill(getpid(), SIGUSR1);
    while (calls < 2 + i) {}
  }
  const struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, NULL);
  const pid_t child = fork();
  if (child == 0) _exit(7);
  int status = 0;
  waitpid(child, &status, 0);
  printf("%d %d %d\n", sum, calls, WEXITSTATUS(status));
  exit(3);
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check("OMP_NUM_THREADS=2");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.output, "500002 4 7\n");
  EXPECT_EQ(outcome.errors, "");
}

TEST_P(Takeover, ACrashIsTheProgramsOwnAndKeepsWhatWasFound) {
  build("a.c", R"(int x;
int main(void) {
#pragma omp parallel num_threads(2)
  x++;
  *(volatile int *)16 = 1;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check();
  EXPECT_EQ(outcome.status, 128 + 11);
  EXPECT_NE(outcome.errors.find("a.c:4:4: error: data race"), std::string::npos) << outcome.errors;
  EXPECT_EQ(outcome.errors.find("ThreadSanitizer"), std::string::npos) << outcome.errors;
}

/// One that the program has handled until then.
TEST_P(Takeover, ASignalThatIsHandledOnceKeepsWhatWasFound) {
  build("a.c", R"(#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int x;
static void handle(int signal) {
  struct sigaction now;
  sigaction(signal, NULL, &now);
  write(1, now.sa_handler == SIG_DFL ? "default\n" : "handler\n", 8);
}
int main(void) {
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESETHAND}, now;
  sigaction(SIGABRT, &action, NULL);
#pragma omp parallel num_threads(2)
  x++;
  sigaction(SIGABRT, NULL, &now);
  if (now.sa_handler == handle && now.sa_flags & SA_RESETHAND) abort();
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check();
  EXPECT_EQ(outcome.status, 128 + 6);
  EXPECT_EQ(outcome.output, "default\n");
  EXPECT_NE(outcome.errors.find("a.c:15:4: error: data race"), std::string::npos) << outcome.errors;
}

constexpr Way ways[] = {
    in_the_program,
    in_the_program_by_14,
    in_the_program_preloaded,
    in_a_library,
    {"InTheProgramWithTheCxxRuntime", "-static-libsan -static-libstdc++ -Wno-unused-command-line-argument"},
};
INSTANTIATE_TEST_SUITE_P(Runtimes, Takeover, testing::ValuesIn(ways), [](const auto& one) { return one.param.name; });

} // namespace
} // namespace fletcher::test
