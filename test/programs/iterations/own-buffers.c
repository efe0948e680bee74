// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the iterations that one thread executes share legitimately: another thread would have a buffer of its own.
// expect: silent
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 240, most = 64, width = 8 };
static int threadprivate_sum, threadprivate_slot;
#pragma omp threadprivate(threadprivate_sum, threadprivate_slot)
static int by_number[most][width], by_capture[most][width], by_slot[most][width], next_captured;
static int a[n], b[n];

struct scratch {
  int* heap;
  int frame[width];
};

static void use(int* scratch, int i) {
  for (int k = 0; k < width; k++) scratch[k] += i;
}
static int through(struct scratch* s, int i) {
  use(s->heap, i);
  use(s->frame, i);
  return s->heap[0] - s->frame[0];
}

static void by_numbers(int* serial) {
#pragma omp parallel
  {
    int* const mine = by_number[omp_get_thread_num()];
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) use(mine, i);
  }
#pragma omp parallel for
  for (int i = 0; i < n; i++) use(serial + omp_get_thread_num() * width, i);
}

static void allocated_in_region(void) {
#pragma omp parallel
  {
    int* const heap = calloc(width, sizeof *heap);
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; i++) {
      use(heap, i);
      a[i] = heap[0];
    }
    free(heap);
  }
}

static void in_frames(void) {
#pragma omp parallel
  {
    struct scratch s = {calloc(width, sizeof(int)), {0}};
    int frame[width] = {0}, variable[n / most + 1];
    memset(variable, 0, sizeof variable);
#pragma omp for
    for (int i = 0; i < n; i++) {
      use(frame, i);
      variable[i % (n / most + 1)]++;
      a[i] = through(&s, i) + frame[0] + variable[0];
    }
    free(s.heap);
  }
}

static void threadprivate(void) {
#pragma omp parallel
  threadprivate_slot = omp_get_thread_num();
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) threadprivate_sum += i;
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) use(by_slot[threadprivate_slot], i);
  }
}

static void drawn(void) {
#pragma omp parallel
  {
    int mine;
#pragma omp atomic capture
    mine = next_captured++;
#pragma omp for schedule(static, 3)
    for (int i = 0; i < n; i++) use(by_capture[mine], i);
  }
}

/// First touch: the same threads come back to the same iterations.
static void touched_first(void) {
  int* const c = malloc(n * sizeof *c);
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; i++) c[i] = i;
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; i++) c[i] += c[i];
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) b[i] = c[i];
  }
  free(c);
}

int main(void) {
  int* const serial = calloc(most * width, sizeof *serial);
  by_numbers(serial);
  allocated_in_region();
  in_frames();
  threadprivate();
  drawn();
  touched_first();
  free(serial);
  printf("%d\n", b[n - 1]);
  return b[n - 1] == 2 * (n - 1) ? 0 : 1;
}
