// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks take two locks of OpenMP in opposite orders, one task at a time: a mutex of C++, which lies on the heap, is
// around both. So are pairs of mutexes whose places the next round's use in the other order.
// expect: silent
// levels: native graph
#include <cstdio>
#include <memory>
#include <mutex>
#include <omp.h>

static omp_lock_t a, b;
static int value;

static void both(std::mutex& gate, omp_lock_t& first, omp_lock_t& second) {
  std::lock_guard hold(gate);
  omp_set_lock(&first);
  omp_set_lock(&second);
  ++value;
  omp_unset_lock(&second);
  omp_unset_lock(&first);
}

struct Pair {
  std::mutex one, other;
};

int main() {
  omp_init_lock(&a);
  omp_init_lock(&b);
  auto gate = std::make_unique<std::mutex>();
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 8; i++) {
#pragma omp task
    both(*gate, a, b);
#pragma omp task
    both(*gate, b, a);
  }
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 8; i++) {
#pragma omp task firstprivate(i)
    {
      auto pair = std::make_unique<Pair>();
      std::lock_guard first(i % 2 ? pair->one : pair->other);
      std::lock_guard second(i % 2 ? pair->other : pair->one);
#pragma omp atomic
      ++value;
    }
  }
  omp_destroy_lock(&b);
  omp_destroy_lock(&a);
  std::printf("value = %d\n", value);
  return value == 24 ? 0 : 1;
}
