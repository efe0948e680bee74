// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one member of a team does, and memory that each has for itself. With one thread all of it is done by the same
// one, to the same memory, and none of it would be a race in a larger team.
// threads: 1 2
// compilers: clang
// expect: silent
// builds: driver
#include <omp.h>
#include <pthread.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <vector>

namespace {

constexpr int n = 64;
int filled_once, filled_by_flag, of_static;
pthread_once_t once = PTHREAD_ONCE_INIT;
std::once_flag flag;
std::atomic<int> drawn{0}, first{0};
thread_local int mine;
int slots[n], by_number[n], by_lock[n], next_by_lock, ready;

int initialise() { return of_static = 7; }
int value() {
  static const int known = initialise();
  return known;
}

struct Node {
  int lo = 0, hi = 0;
};

} // namespace

int main() {
  int last = 0, sum = 0, stepped = 0, copied = 0, data[n] = {}, prefix[n] = {};
  int* const shared = static_cast<int*>(std::malloc(n * sizeof(int)));
#pragma omp parallel for lastprivate(last) reduction(+ : sum) linear(stepped : 2)
  for (int i = 0; i < n; i++) {
    last = i;
    sum += i;
    stepped += 2;
    data[i] = shared[i] = i;
  }
#pragma omp parallel reduction(+ : sum)
  sum += 1;
#pragma omp parallel
  {
    pthread_once(&once, [] { filled_once = 1; });
    std::call_once(flag, [] { filled_by_flag = 1; });
    if (filled_once + filled_by_flag != 2) std::abort();
  }
#pragma omp parallel
  {
    if (value() != 7) std::abort();
  }
#pragma omp parallel
  { // by numbers that are drawn, each another one
    const int slot = drawn.fetch_add(1);
    slots[slot] = slot;
  }
#pragma omp parallel
  {
    int slot;
#pragma omp critical
    slot = next_by_lock++;
    by_lock[slot] = slot;
  }
#pragma omp parallel
  {
    if (first.exchange(1) == 0) ready = 1;
  }
#pragma omp parallel
  {
    mine += 1;
    auto own = std::make_unique<std::vector<int>>(8);
    (*own)[3] = mine;
    int copy = 0;
#pragma omp single copyprivate(copy)
    copy = data[3];
#pragma omp single nowait
    copied = copy;
  }
#pragma omp parallel
  { // its part of a loop, which it comes back to
    Node own;
    own.lo = n;
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) {
      if (i < own.lo) own.lo = i;
      own.hi = i + 1;
    }
    for (int i = own.lo; i < own.hi; i++) prefix[i] = data[i];
  }
#pragma omp parallel
  {
#pragma omp masked
    data[0] = 1;
#pragma omp barrier
#pragma omp sections lastprivate(last)
    {
#pragma omp section
      last = data[0];
#pragma omp section
      last = 2;
    }
#pragma omp single
    data[1] = last;
  }
#pragma omp parallel for ordered(1) schedule(static, 1)
  for (int i = 1; i < n; i++) {
#pragma omp ordered depend(sink : i - 1)
    prefix[i] = prefix[i - 1] + 1;
#pragma omp ordered depend(source)
  }
#pragma omp parallel for ordered(1) schedule(dynamic)
  for (int i = 1; i < n; i++) {
#pragma omp ordered depend(sink : i - 1)
    prefix[i] = prefix[i - 1] + 1;
#pragma omp ordered depend(source)
  }
#pragma omp parallel for ordered schedule(dynamic)
  for (int i = 1; i < n; i++) {
#pragma omp ordered
    prefix[i] = prefix[i - 1] + 1;
  }
#pragma omp parallel for ordered schedule(static, 2)
  for (int i = 1; i < n; i++) {
#pragma omp ordered
    prefix[i] = prefix[i - 1] + 1;
  }
#pragma omp parallel if (n < 8)
  data[2]++;
#pragma omp parallel num_threads(1)
  {
    data[3]++;
#pragma omp parallel num_threads(1)
    data[4]++;
  }
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) data[5]++;
    by_number[omp_get_thread_num()]++;
  }
#pragma omp parallel
  {
    if (!omp_in_parallel()) data[6]++;
  }
#pragma omp parallel
  {
    if (omp_get_num_threads() == 1) data[7]++;
  }
  std::printf("%d\n", sum - n * (n - 1) / 2 > 0 && last == 2 && stepped == 2 * n && copied + ready + prefix[5] > 0);
  std::free(shared);
}
