// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recursive merge sort over iterators: a task for each half, then the halves are merged.
//
// Racy: the merge starts without waiting for the two tasks that sort the halves.
#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

template <class T> void insertion_sort(T* first, T* last) {
  for (T* i = first + 1; i < last; i++) {
    const T value = *i; // RACE(1*)
    T* j = i;
    for (; j > first && j[-1] > value; j--) // RACE(1*)
      *j = j[-1];                           // RACE(1*)
    *j = value;                             // RACE(1*)
  }
}

template <class T> void merge(T* first, T* middle, T* last, T* buffer) {
  T* left = first;
  T* right = middle;
  const std::ptrdiff_t n = last - first;
  for (std::ptrdiff_t k = 0; k < n; k++) {
    const bool take_left = right == last || (left != middle && *left <= *right); // RACE(1*)
    buffer[k] = take_left ? *left : *right;                                      // RACE(1*)
    left += take_left ? 1 : 0;
    right += take_left ? 0 : 1;
  }
  for (std::ptrdiff_t k = 0; k < n; k++) first[k] = buffer[k]; // RACE(1*)
}

template <class T> void merge_sort(T* first, T* last, T* buffer) {
  constexpr std::ptrdiff_t cutoff = 64;
  if (last - first <= cutoff) {
    insertion_sort(first, last);
    return;
  }
  T* middle = first + (last - first) / 2;
#pragma omp task
  merge_sort(first, middle, buffer);
#pragma omp task
  merge_sort(middle, last, buffer + (middle - first));
  merge(first, middle, last, buffer);
}

} // namespace

int main() {
  std::vector<double> values(4096), buffer(4096);
  unsigned state = 1;
  for (double& value : values) {
    state = state * 1664525u + 1013904223u;
    value = double(state >> 8) / 1000.0;
  }

#pragma omp parallel
#pragma omp single
  merge_sort(values.data(), values.data() + values.size(), buffer.data());

  bool sorted = true;
  for (std::size_t i = 1; i < values.size(); i++) sorted = sorted && values[i - 1] <= values[i];
  std::printf("merge sort of %zu values: %s\n", values.size(), sorted ? "sorted" : "NOT SORTED");
  return sorted ? 0 : 1;
}
