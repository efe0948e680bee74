// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recursive merge sort: a task for each half, then the halves are merged.
//
// Fixed: a taskwait before the merge.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { length = 4096, cutoff = 64 };

static void insertion_sort(int* values, size_t n) {
  for (size_t i = 1; i < n; i++) {
    int value = values[i];
    size_t j = i;
    for (; j > 0 && values[j - 1] > value; j--) values[j] = values[j - 1];
    values[j] = value;
  }
}

// Merges two sorted halves by way of the buffer.
static void merge(int* values, int* buffer, size_t half, size_t n) {
  size_t left = 0, right = half;
  for (size_t k = 0; k < n; k++) {
    int take_left = right >= n || (left < half && values[left] <= values[right]);
    buffer[k] = values[take_left ? left : right];
    left += (size_t)take_left;
    right += (size_t)!take_left;
  }
  for (size_t k = 0; k < n; k++) values[k] = buffer[k];
}

static void merge_sort(int* values, int* buffer, size_t n) {
  if (n <= cutoff) {
    insertion_sort(values, n);
    return;
  }
  size_t half = n / 2;
#pragma omp task firstprivate(values, buffer, half)
  merge_sort(values, buffer, half);
#pragma omp task firstprivate(values, buffer, half, n)
  merge_sort(values + half, buffer + half, n - half);
#pragma omp taskwait
  merge(values, buffer, half, n);
}

int main(void) {
  int* values = malloc(length * sizeof(int));
  int* buffer = malloc(length * sizeof(int));
  unsigned state = 1;
  for (size_t i = 0; i < length; i++) {
    state = state * 1664525u + 1013904223u;
    values[i] = (int)(state >> 8);
  }

#pragma omp parallel
#pragma omp single
  merge_sort(values, buffer, length);

  int sorted = 1;
  for (size_t i = 1; i < length; i++) sorted &= values[i - 1] <= values[i];
  printf("merge sort of %d values: %s\n", length, sorted ? "sorted" : "NOT SORTED");
  free(buffer);
  free(values);
  return sorted ? 0 : 1;
}
