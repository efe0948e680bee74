// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merge sort by tasks, down to short runs that are sorted by insertion.
#include "insertion-sort.h"
#include "kernel.h"

#include <string.h>

enum { n = 1 << 20, task_length = 2048, insertion_length = 24 };

static void merge(int* values, int half, int length, int* buffer) {
  int left = 0, right = half, out = 0;
  while (left < half && right < length)
    buffer[out++] = values[left] <= values[right] ? values[left++] : values[right++];
  while (left < half) buffer[out++] = values[left++];
  memcpy(values, buffer, (size_t)out * sizeof(int));
}

static void merge_sort(int* values, int length, int* buffer) {
  if (length <= insertion_length) {
    insertion_sort(values, length);
    return;
  }
  int half = length / 2;
  if (length <= task_length) {
    merge_sort(values, half, buffer);
    merge_sort(values + half, length - half, buffer + half);
  } else {
#pragma omp task
    merge_sort(values, half, buffer);
#pragma omp task
    merge_sort(values + half, length - half, buffer + half);
#pragma omp taskwait
  }
  merge(values, half, length, buffer);
}

int main(int argc, char** argv) {
  long rounds = scaled(28, argc, argv);
  int* values = malloc(n * sizeof(int));
  int* buffer = malloc(n * sizeof(int));
  double sum = 0.0;
#pragma omp parallel
#pragma omp single
  for (long r = 0; r < rounds; r++) {
    unsigned long long state = (unsigned long long)r;
    for (int i = 0; i < n; i++) values[i] = (int)(random_bits(&state) >> 40);
    merge_sort(values, n, buffer);
    for (int i = 0; i < n; i += 1021) sum += (double)values[i] * (i % 11);
  }
  free(values);
  free(buffer);
  return checksum(sum);
}
