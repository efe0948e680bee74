// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program used while ThreadSanitizer had it, and uses when Fletcher has: what the interceptors left in its
// memory must mean the same to whoever comes after them.

#include "test/ompt/takeover.hpp"

namespace fletcher::test {
namespace {

class UsedBeforeTakeover : public Takeover {
protected:
  /// It prints that, finds nothing and ends well.
  void expect(const std::string& output) {
    if (IsSkipped()) return;
    const Outcome outcome = check("OMP_NUM_THREADS=2");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.output, output);
    EXPECT_EQ(outcome.errors, "");
  }
};

TEST_P(UsedBeforeTakeover, OnceControls) {
  build("a.c", R"(#include <pthread.h>
#include <stdio.h>
#include <threads.h>
static pthread_once_t before = PTHREAD_ONCE_INIT, within = PTHREAD_ONCE_INIT, after = PTHREAD_ONCE_INIT;
static once_flag c11 = ONCE_FLAG_INIT;
static int calls, sum;
static void initialise(void) { calls++; }
static void region(void) { // the take-over comes while its control says that it is running
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += i;
}
static void *use(void *nothing) {
  pthread_once(&before, initialise);
  pthread_once(&within, region);
  pthread_once(&after, initialise);
  call_once(&c11, initialise);
  return nothing;
}
int main(void) {
  pthread_once(&before, initialise);
  call_once(&c11, initialise);
  use(NULL);
  pthread_t other;
  pthread_create(&other, NULL, use, NULL);
  use(NULL);
  pthread_join(other, NULL);
  printf("%d %d\n", calls, sum);
  return 0;
}
)");
  expect("3 4950\n");
}

TEST_P(UsedBeforeTakeover, StaticsAndStreamsOfCxx) {
  build("a.cpp", R"(#include <iostream>
#include <locale>
#include <mutex>
#include <sstream>
#include <thread>
static int calls, thrown;
static std::once_flag once, failing;
static int counted() { return ++calls; }
static int plain() {
  static int value = counted();
  return value;
}
static int region() {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; ++i) sum += i;
  return sum;
}
static int with_region() { // the take-over comes while it is being initialised
  static int value = region();
  return value;
}
static int failed() {
  static int value = (++thrown < 3 ? throw 1 : thrown);
  return value;
}
static void attempt() {
  try {
    failed();
  } catch (int) {
  }
}
int main() {
  std::cout << 1.5 << std::endl;
  std::ostringstream text;
  text << std::locale::classic().name() << 2.5;
  plain();
  attempt();
  std::call_once(once, counted);
  const int sum = with_region();
  attempt();
  std::thread other([] {
    plain();
    with_region();
    std::call_once(once, counted);
  });
  other.join();
  std::call_once(once, counted);
  attempt();
  std::cout << sum + with_region() << ' ' << plain() << ' ' << calls << ' ' << failed() << ' ' << text.str() << std::endl;
}
)");
  expect("1.5\n9900 1 2 3 C2.5\n");
}

TEST_P(UsedBeforeTakeover, LocksAndConditions) {
  build("a.c", R"(#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, recursive;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static sem_t semaphore;
static int ready, count;
static void *other_side(void *nothing) {
  sem_wait(&semaphore);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_rwlock_wrlock(&shared);
  count++;
  pthread_rwlock_unlock(&shared);
  pthread_barrier_wait(&barrier);
  return nothing;
}
static void use(void) {
  pthread_t other;
  ready = 0;
  pthread_create(&other, NULL, other_side, NULL);
  pthread_spin_lock(&spin);
  sem_post(&semaphore);
  pthread_spin_unlock(&spin);
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&recursive);
  pthread_mutex_unlock(&recursive);
  pthread_mutex_unlock(&recursive);
  pthread_barrier_wait(&barrier);
  pthread_rwlock_rdlock(&shared);
  count += count % 2;
  pthread_rwlock_unlock(&shared);
  pthread_join(other, NULL);
}
static int region(void) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += i;
  return sum;
}
int main(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &kind);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_barrier_init(&barrier, NULL, 2);
  sem_init(&semaphore, 0, 0);
  use();
  const int sum = region();
  for (int i = 0; i < 10; i++) use();
  pthread_cond_destroy(&condition);
  pthread_mutex_destroy(&mutex);
  printf("%d %d\n", sum, count);
  return 0;
}
)");
  expect("4950 22\n");
}

/// Who let go of it comes before who takes it next, though nobody saw it being taken.
TEST_P(UsedBeforeTakeover, MutexesThatAreHeld) {
  build("a.c", R"(#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static int by_mutex, by_spin, by_shared, sum;
static void *next(void *nothing) {
  pthread_mutex_lock(&mutex);
  by_mutex++;
  pthread_mutex_unlock(&mutex);
  pthread_spin_lock(&spin);
  by_spin++;
  pthread_spin_unlock(&spin);
  pthread_rwlock_wrlock(&shared);
  by_shared++;
  pthread_rwlock_unlock(&shared);
  return nothing;
}
int main(void) {
  pthread_t other;
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_mutex_lock(&mutex);
  pthread_spin_lock(&spin);
  pthread_rwlock_wrlock(&shared);
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += i;
  pthread_create(&other, NULL, next, NULL);
  by_mutex++;
  pthread_mutex_unlock(&mutex);
  by_spin++;
  pthread_spin_unlock(&spin);
  by_shared++;
  pthread_rwlock_unlock(&shared);
  next(NULL);
  pthread_join(other, NULL);
  printf("%d %d %d %d\n", sum, by_mutex, by_spin, by_shared);
  return 0;
}
)");
  expect("4950 3 3 3\n");
}

TEST_P(UsedBeforeTakeover, HandlesOfThreadsThatAreTriedAndComeAgain) {
  build("a.c", R"(#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_key_t key;
static int ended, sum;
static void end(void *value) {
  ended += *(int *)value;
  free(value);
}
static void *keep(void *nothing) {
  int *value = malloc(sizeof *value);
  *value = 1;
  pthread_setspecific(key, value);
  return nothing;
}
static void use(void) {
  pthread_t other;
  pthread_create(&other, NULL, keep, NULL);
  while (pthread_tryjoin_np(other, NULL) == EBUSY) sched_yield();
}
int main(void) {
  pthread_key_create(&key, end);
  keep(NULL);
  use();
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += i;
  for (int i = 0; i < 20; i++) use();
  printf("%d %d\n", sum, ended + *(int *)pthread_getspecific(key));
  return 0;
}
)");
  expect("4950 22\n");
}

TEST_P(UsedBeforeTakeover, StreamsHandlersAndJumps) {
  build("a.c", R"(#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int written, caught, jumps, sum;
static char *text, *line;
static size_t size, room;
static void first(void) { puts("registered first"); }
static void on_end(int status, void *word) { printf("%s %d\n", (char *)word, status); }
static void last(void) { puts("registered last"); }
static void handle(int signal) { caught += signal == SIGUSR1; }
static ssize_t count(void *to, const char *text, size_t size) {
  *(int *)to += text != NULL ? (int)size : 0;
  return (ssize_t)size;
}
static int close_count(void *to) {
  *(int *)to += 1000;
  return 0;
}
int main(void) {
  jmp_buf place;
  sigjmp_buf other_place;
  volatile int turn = 0;
  FILE *file = tmpfile(), *memory = open_memstream(&text, &size),
       *cookie = fopencookie(&written, "w", (cookie_io_functions_t){.write = count, .close = close_count});
  atexit(first);
  on_exit(on_end, "status");
  signal(SIGUSR1, handle);
  fputs("a longer line than any\n", file);
  fputs("a line\n", file);
  fputs("text", memory);
  rewind(file);
  ssize_t read = getline(&line, &room, file);
  if (setjmp(place) != 0) jumps += 1;
  if (sigsetjmp(other_place, 1) != 0) jumps += 10;
  if (turn == 0) {
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; i++) sum += i;
  }
  if (turn++ == 0) longjmp(place, 1);
  if (turn == 2) siglongjmp(other_place, 1);
  raise(SIGUSR1);
  read += getline(&line, &room, file);
  fputs("text", memory);
  fputs("12345", cookie);
  fclose(file);
  fclose(memory);
  fclose(cookie);
  atexit(last);
  printf("%d %d %d %zd %zu %s %d\n", sum, caught, jumps, read, size, text, written);
  free(text);
  free(line);
  return 0;
}
)");
  expect("4950 1 11 30 8 texttext 1005\nregistered last\nstatus 0\nregistered first\n");
}

TEST_P(UsedBeforeTakeover, FibersByTheirOldNames) {
  build("a.c", R"(#include <stdio.h>
#include <ucontext.h>
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void *fiber);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
static ucontext_t main_context, other_context;
static void *main_fiber, *other_fiber;
static int steps, sum;
static char stack[256 * 1024];
static void to(void *fiber, ucontext_t *from, ucontext_t *context) {
  __tsan_switch_to_fiber(fiber, 0);
  swapcontext(from, context);
}
static void run(void) {
  for (;;) {
    steps++;
    to(main_fiber, &other_context, &main_context);
  }
}
int main(void) {
  main_fiber = __tsan_get_current_fiber();
  other_fiber = __tsan_create_fiber(0);
  getcontext(&other_context);
  other_context.uc_stack.ss_sp = stack;
  other_context.uc_stack.ss_size = sizeof stack;
  makecontext(&other_context, run, 0);
  to(other_fiber, &main_context, &other_context);
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += i;
  for (int i = 0; i < 3; i++) to(other_fiber, &main_context, &other_context);
  __tsan_destroy_fiber(other_fiber);
  printf("%d %d\n", sum, steps);
  return 0;
}
)");
  expect("4950 4\n");
}

/// By this option ThreadSanitizer puts pointers in place of conditions: it keeps such a program.
TEST_P(UsedBeforeTakeover, ConditionsOfOldPrograms) {
  build("a.c", R"(#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;
static void *signal_it(void *nothing) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return nothing;
}
static void use(void) {
  pthread_t other;
  ready = 0;
  pthread_create(&other, NULL, signal_it, NULL);
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(other, NULL);
}
int main(void) {
  use();
#pragma omp parallel num_threads(1)
  use();
  puts("ended");
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check("TSAN_OPTIONS=atexit_sleep_ms=0:legacy_pthread_cond=1 OMP_NUM_THREADS=1");
  EXPECT_EQ(outcome.output, "ended\n");
}

constexpr Way ways[] = {in_the_program, in_the_program_by_14, in_a_library};
INSTANTIATE_TEST_SUITE_P(Runtimes, UsedBeforeTakeover, testing::ValuesIn(ways),
                         [](const auto& one) { return one.param.name; });

} // namespace
} // namespace fletcher::test
