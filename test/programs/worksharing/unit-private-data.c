// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the chunks of a dynamic loop that one thread takes share legitimately: another thread would have its own.
// expect: silent
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { n = 256, most = 64, width = 8 };
static int threadprivate_sum, threadprivate_slot;
#pragma omp threadprivate(threadprivate_sum, threadprivate_slot)
static _Thread_local int* pool;
static int by_number[most][width], by_capture[most][width], by_critical[most][width], by_slot[most][width];
static int a[n], next_captured, next_critical;

static void use(int* scratch, int i) {
  for (int k = 0; k < width; k++) scratch[k] += i;
}

int main(void) {
  int* serial = calloc(most * width, sizeof *serial);
  int sum = 0, last = 0, executed = 0;
#pragma omp parallel
  {
    pool = calloc(width, sizeof *pool);
    threadprivate_slot = omp_get_thread_num();
  }
#pragma omp parallel
  {
    int frame[width] = {0};
    int* heap = calloc(width, sizeof *heap);
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; i++) {
      use(frame, i);
      use(heap, i);
      a[i] = frame[0] - heap[0];
    }
    free(heap);
  }
#pragma omp parallel
#pragma omp for schedule(dynamic)
  for (int i = 0; i < n; i++) {
    threadprivate_sum += i;
    use(pool, i);
  }
#pragma omp parallel
#pragma omp for schedule(dynamic)
  for (int i = 0; i < n; i++) {
    use(by_number[omp_get_thread_num()], i);
    use(serial + omp_get_thread_num() * width, i);
  }
#pragma omp parallel
  {
    int mine;
#pragma omp atomic capture
    mine = next_captured++;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; i++) use(by_capture[mine], i);
  }
#pragma omp parallel
  {
    int mine;
#pragma omp critical
    mine = next_critical++;
#pragma omp for schedule(guided)
    for (int i = 0; i < n; i++) use(by_critical[mine], i);
  }
#pragma omp parallel
#pragma omp for schedule(dynamic)
  for (int i = 0; i < n; i++) use(by_slot[threadprivate_slot], i);
#pragma omp parallel
  {
    int taken[n], count = 0, me = 0;
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < n; i++) {
      a[i] = i;
      taken[count++] = i;
    }
    for (int i = 0; i < count; i++) a[taken[i]] *= 2;
#pragma omp single nowait
    {
      executed = 1;
      me = 1;
    }
    if (me) executed++;
  }
#pragma omp parallel for schedule(dynamic, 3) reduction(+ : sum) lastprivate(last)
  for (int i = 0; i < n; i++) {
    sum += a[i];
    last = a[i];
  }
  // `last` is not judged: clang 19's loops leave it unwritten in some schedules.
  printf("sum = %d, executed = %d\n", sum, executed);
  free(serial);
  return sum == n * (n - 1) && last >= 0 && executed == 2 ? 0 : 1;
}
