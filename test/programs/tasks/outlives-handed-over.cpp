// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task tells its creator that it is done with a variable of the creator's frame, and goes on without it: the function
// need not wait for the task's end.
// expect: silent
// levels: native
// builds: driver
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <mutex>

static std::atomic<int> done;
static int total;

static void go_on() {
  for (volatile int i = 0; i < 100000; i = i + 1) {
  }
}

static void by_flag(int n) {
  int value = 0;
  done = 0;
#pragma omp task shared(value)
  {
    value = n;
    done.store(1, std::memory_order_release);
    go_on();
  }
  while (done.load(std::memory_order_acquire) == 0) {
#pragma omp taskyield
  }
  total += value;
}

static std::mutex mutex;
static std::condition_variable changed;
static bool ready;

static void by_condition(int n) {
  int values[4] = {}, *p = values;
  ready = false;
#pragma omp task firstprivate(p)
  {
    p[1] = n;
    {
      const std::lock_guard guard(mutex);
      ready = true;
    }
    changed.notify_one();
    go_on();
  }
#pragma omp taskyield
  std::unique_lock guard(mutex);
  changed.wait(guard, [] { return ready; });
  guard.unlock();
  total += values[1];
}

int main() {
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < 20; i++) {
    by_flag(i);
    by_condition(i);
#pragma omp taskwait
  }
  std::printf("%d\n", total);
}
