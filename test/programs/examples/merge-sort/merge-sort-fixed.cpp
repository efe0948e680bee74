// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recursive merge sort over iterators: a task for each half, then the halves are merged.
//
// Fixed: a taskwait before the merge.
#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

template <class T> void insertion_sort(T* first, T* last) {
  for (T* i = first + 1; i < last; i++) {
    const T value = *i;
    T* j = i;
    for (; j > first && j[-1] > value; j--) *j = j[-1];
    *j = value;
  }
}

template <class T> void merge(T* first, T* middle, T* last, T* buffer) {
  T* left = first;
  T* right = middle;
  const std::ptrdiff_t n = last - first;
  for (std::ptrdiff_t k = 0; k < n; k++) {
    const bool take_left = right == last || (left != middle && *left <= *right);
    buffer[k] = take_left ? *left : *right;
    left += take_left ? 1 : 0;
    right += take_left ? 0 : 1;
  }
  for (std::ptrdiff_t k = 0; k < n; k++) first[k] = buffer[k];
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
#pragma omp taskwait
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
