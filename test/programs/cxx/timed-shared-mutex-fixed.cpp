// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads count under a lock that they wait for no longer than a minute.
// Fixed: those that count take it alone.
// threads: 2 8
#include <chrono>
#include <cstdio>
#include <shared_mutex>

static std::shared_timed_mutex mutex;
static int count;

int main() {
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  {
    threads = 1;
    constexpr std::chrono::minutes patience(1);
    while (!mutex.try_lock_for(patience)) {
    }
    count++;
    mutex.unlock();
    while (!mutex.try_lock_shared_until(std::chrono::steady_clock::now() + patience)) {
    }
    if (count < 0) std::puts("less than none");
    mutex.unlock_shared();
  }
  std::printf("%d threads\n", count == threads ? threads : -1);
}
