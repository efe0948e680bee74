// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quicksort by tasks, down to short runs that are sorted by insertion: every number is moved by one task after the
// other, at several places.
#include "insertion-sort.h"
#include "kernel.h"

enum { n = 1 << 20, task_length = 2048, insertion_length = 24 };

// Hoare's partition: how many numbers are in the first part, none of which is greater than one of the second part.
static int partition(int* values, int length) {
  int pivot = values[length / 2], i = -1, j = length;
  for (;;) {
    do i++;
    while (values[i] < pivot);
    do j--;
    while (values[j] > pivot);
    if (i >= j) return j + 1;
    int other = values[i];
    values[i] = values[j];
    values[j] = other;
  }
}

static void quick_sort(int* values, int length) {
  if (length <= insertion_length) {
    insertion_sort(values, length);
    return;
  }
  int low = partition(values, length);
  if (length <= task_length) {
    quick_sort(values, low);
    quick_sort(values + low, length - low);
  } else {
#pragma omp task
    quick_sort(values, low);
#pragma omp task
    quick_sort(values + low, length - low);
#pragma omp taskwait
  }
}

int main(int argc, char** argv) {
  long rounds = scaled(24, argc, argv);
  int* values = malloc(n * sizeof(int));
  double sum = 0.0;
#pragma omp parallel
#pragma omp single
  for (long r = 0; r < rounds; r++) {
    unsigned long long state = (unsigned long long)r;
    for (int i = 0; i < n; i++) values[i] = (int)(random_bits(&state) >> 40);
    quick_sort(values, n);
    for (int i = 0; i < n; i += 1021) sum += (double)values[i] * (i % 11);
  }
  free(values);
  return checksum(sum);
}
