// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernels that sort do with short runs.
#pragma once

static void insertion_sort(int* values, int length) {
  for (int i = 1; i < length; i++) {
    int value = values[i], j = i;
    for (; j > 0 && values[j - 1] > value; j--) values[j] = values[j - 1];
    values[j] = value;
  }
}
