// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread of a team takes locks that are atomic variables, of which the program looks at nothing but whether it has
// to try again; one place is for whoever counts first.
#include <atomic>
#include <cstdio>
#include <sched.h>

static std::atomic<int> lock, fenced_lock, arrived;
static int counted, counted_behind_fence, first;

int main() {
#pragma omp parallel
  {
    int expected = 0;
    while (!lock.compare_exchange_weak(expected, 1, std::memory_order_acquire, std::memory_order_relaxed)) {
      expected = 0;
      sched_yield();
    }
    counted++;
    lock.store(0, std::memory_order_release);
  }
#pragma omp parallel
  {
    int expected = 0;
    while (!fenced_lock.compare_exchange_weak(expected, 1, std::memory_order_relaxed)) {
      expected = 0;
      sched_yield();
    }
    std::atomic_thread_fence(std::memory_order_acquire);
    counted_behind_fence++;
    fenced_lock.store(0, std::memory_order_release);
  }
#pragma omp parallel
  {
    arrived.fetch_add(1, std::memory_order_relaxed);
    if (arrived.load(std::memory_order_relaxed) == 1) first++; // two threads that count before they look both see 2
  }
  std::printf("%d\n", counted == counted_behind_fence && first <= 1);
}
