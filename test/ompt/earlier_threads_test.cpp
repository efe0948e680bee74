// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of ThreadSanitizer's that have threads before OpenMP's runtime starts, and so before Fletcher takes over:
// wherever these are at that moment, they go on, and what orders them is known.

#include "test/ompt/takeover.hpp"

namespace fletcher::test {
namespace {

class EarlierThreads : public Takeover {
protected:
  void expect(const std::string& output) {
    if (IsSkipped()) return;
    for (int i = 0; i < 3; ++i) { // threads are somewhere else each time
      const Outcome outcome = check();
      EXPECT_EQ(outcome.status, 0);
      EXPECT_EQ(outcome.output, output);
      EXPECT_EQ(outcome.errors, "");
    }
  }
};

TEST_P(EarlierThreads, StartRegionsTogetherAndAreJoined) {
  build("a.cpp", R"(#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
static std::mutex lock;
static int total;
static std::vector<std::string> words;
static int count(int from) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
  for (int i = 0; i < 100; ++i) sum += from + i;
  return sum;
}
int main() {
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([k] {
      for (int round = 0; round < 5; ++round) {
        const int sum = count(k);
        const std::lock_guard<std::mutex> guard(lock);
        total += sum;
        words.push_back(std::to_string(sum));
      }
    });
  for (auto &thread : threads) thread.join(); // the first of these begins before the take-over
  std::printf("%d %zu\n", total, words.size());
}
)");
  expect("102000 20\n");
}

/// Each waits in another function for what happens after the take-over, and touches then what the others touched.
TEST_P(EarlierThreads, WaitInTheOldFunctionsForWhatComesLater) {
  build("a.c", R"(#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static atomic_int waiting;
static int queued, taken, by_semaphore, by_lock, by_shared, by_barrier, by_end, sum;
static void *in_condition(void *nothing) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&mutex);
    if (i == 0) waiting++;
    while (queued == 0) pthread_cond_wait(&condition, &mutex);
    queued--;
    taken++;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
  }
  return nothing;
}
static void *in_semaphore(void *nothing) {
  waiting++;
  sem_wait(&semaphore);
  by_semaphore++;
  return nothing;
}
static void *in_lock(void *nothing) {
  waiting++;
  pthread_mutex_lock(&held);
  by_lock++;
  pthread_mutex_unlock(&held);
  return nothing;
}
static void *in_shared(void *nothing) {
  waiting++;
  pthread_rwlock_rdlock(&shared);
  const int seen = by_shared;
  pthread_rwlock_unlock(&shared);
  return seen == 1 ? nothing : &by_shared;
}
static void *in_barrier(void *nothing) {
  waiting++;
  pthread_barrier_wait(&barrier);
  by_barrier++;
  return nothing;
}
static void *in_join(void *other) {
  waiting++;
  pthread_join(*(pthread_t *)other, NULL);
  by_semaphore++;
  by_end++;
  return NULL;
}
static void *(*const ways[])(void *) = {in_condition, in_semaphore, in_lock, in_shared, in_barrier};
int main(void) {
  enum { ways_to_wait = sizeof ways / sizeof ways[0] };
  pthread_t threads[ways_to_wait], joining;
  pthread_barrier_init(&barrier, NULL, 2);
  sem_init(&semaphore, 0, 0);
  pthread_mutex_lock(&held);
  pthread_rwlock_wrlock(&shared);
  for (int i = 0; i < ways_to_wait; i++) pthread_create(&threads[i], NULL, ways[i], NULL);
  pthread_create(&joining, NULL, in_join, &threads[1]);
  while (waiting < ways_to_wait + 1) {}
  usleep(100000);
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += i;
  by_semaphore++, by_lock++, by_shared++, by_barrier++;
  sem_post(&semaphore);
  pthread_mutex_unlock(&held);
  pthread_rwlock_unlock(&shared);
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&mutex);
    queued++;
    pthread_cond_signal(&condition);
    while (queued != 0) pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
  }
  void *wrong = NULL;
  for (int i = 0; i < ways_to_wait; i++)
    if (i == 3)
      pthread_join(threads[i], &wrong);
    else if (i != 1)
      pthread_join(threads[i], NULL);
  pthread_join(joining, NULL);
  printf("%d %d %d %d %d %d %d\n", sum, taken, by_semaphore, by_lock, by_barrier, by_end, wrong != NULL);
  return 0;
}
)");
  expect("4950 3 3 2 2 1 0\n");
}

TEST_P(EarlierThreads, AreNotInterrupted) {
  build("a.c", R"(#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
static atomic_int ready, done, bad;
static int ends[2];
static void *in_poll(void *nothing) {
  struct pollfd nobody = {-1, POLLIN, 0};
  ready++;
  bad += poll(&nobody, 1, 500) != 0;
  return nothing;
}
static void *in_sleep(void *nothing) {
  const struct timespec time = {0, 500000000};
  ready++;
  bad += nanosleep(&time, NULL) != 0;
  return nothing;
}
static void *in_read(void *nothing) {
  char byte;
  ready++;
  bad += read(ends[0], &byte, 1) != 1;
  return nothing;
}
static void *that_blocks_signals(void *nothing) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  ready++;
  while (!done) {}
  return nothing;
}
static void *(*const ways[])(void *) = {in_poll, in_sleep, in_read, that_blocks_signals};
int main(void) {
  enum { ways_to_be = sizeof ways / sizeof ways[0] };
  pthread_t threads[ways_to_be];
  int sum = 0;
  if (pipe(ends) != 0) return 1;
  for (int i = 0; i < ways_to_be; i++) pthread_create(&threads[i], NULL, ways[i], NULL);
  while (ready < ways_to_be) {}
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += i;
  done = 1;
  bad += write(ends[1], "x", 1) != 1;
  for (int i = 0; i < ways_to_be; i++) pthread_join(threads[i], NULL);
  printf("%d %d\n", sum, bad);
  return 0;
}
)");
  expect("4950 0\n");
}

TEST_P(EarlierThreads, RacesWithThemAreFound) {
  build("a.c", R"(#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
static sem_t begin;
static int ours, sum;
__attribute__((noinline)) static void touch(void) { ours++; }
static void *other_side(void *nothing) {
  sem_wait(&begin);
  touch();
  return nothing;
}
int main(void) {
  pthread_t other;
  sem_init(&begin, 0, 0);
  pthread_create(&other, NULL, other_side, NULL);
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += i;
  sem_post(&begin);
  touch();
  pthread_join(other, NULL);
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check();
  EXPECT_EQ(outcome.status, 66);
  EXPECT_NE(outcome.errors.find("a.c:6:"), std::string::npos) << outcome.errors;
  EXPECT_NE(outcome.errors.find("data race"), std::string::npos) << outcome.errors;
}

TEST_P(EarlierThreads, KeepThreadSanitizerWhereNobodyMayStopThem) {
  build("a.c", R"(#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
static void *wait_for_end(void *pipe_end) {
  char end;
  return read(*(int *)pipe_end, &end, 1) == 0 ? NULL : pipe_end;
}
static void forbid_tracing(void) {
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof rules / sizeof rules[0], rules};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
__attribute__((noinline)) static int with_openmp(void) { // main would call the runtime when it begins
  int sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp atomic
  sum++;
  return sum;
}
int main(void) {
  int ends[2];
  if (pipe(ends) != 0) return 1;
  pthread_t other;
  forbid_tracing();
  pthread_create(&other, NULL, wait_for_end, ends);
  const int sum = with_openmp();
  close(ends[1]);
  pthread_join(other, NULL);
  printf("%d\n", sum);
  return 0;
}
)");
  if (IsSkipped()) return;
  const Outcome outcome = check("FLETCHER_OPTIONS=verbose=1");
  EXPECT_EQ(outcome.output, "2\n");
  EXPECT_NE(
      outcome.errors.find("fletcher: ThreadSanitizer's runtime stays: the program's threads could not be stopped"),
      std::string::npos)
      << outcome.errors;
  EXPECT_NE(outcome.errors.find("fletcher: checking at level tsan\n"), std::string::npos) << outcome.errors;
}

constexpr Way ways[] = {in_the_program, in_the_program_by_14, in_a_library};
INSTANTIATE_TEST_SUITE_P(Runtimes, EarlierThreads, testing::ValuesIn(ways),
                         [](const auto& one) { return one.param.name; });

} // namespace
} // namespace fletcher::test
