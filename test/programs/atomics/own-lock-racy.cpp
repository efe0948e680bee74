// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread of a team takes locks that are atomic variables.
// Racy: one is let go of without an order, another one taken without.
// threads: 2 8
#include <atomic>
#include <cstdio>
#include <sched.h>

static std::atomic<int> lock, fenced_lock;
static int counted, counted_behind_fence;

int main() {
#pragma omp parallel
  {
    int expected = 0;
    while (!lock.compare_exchange_weak(expected, 1, std::memory_order_acquire, std::memory_order_relaxed)) {
      expected = 0;
      sched_yield();
    }
    counted++; // RACE(1,1)
    lock.store(0, std::memory_order_relaxed);
  }
#pragma omp parallel
  {
    int expected = 0;
    while (!fenced_lock.compare_exchange_weak(expected, 1, std::memory_order_relaxed)) {
      expected = 0;
      sched_yield();
    }
    counted_behind_fence++; // RACE(2,2)
    fenced_lock.store(0, std::memory_order_release);
  }
  std::printf("%d\n", counted + counted_behind_fence > 0);
}
