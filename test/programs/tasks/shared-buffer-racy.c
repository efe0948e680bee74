// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words of several texts are counted, by a task for each.
// Racy: all tasks read one buffer, which their creator fills again for the next one.
// threads: 1 2
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static int words(const char* text) {
  int n = 1;
  for (const char* c = text; *c != 0; c++) n += *c == ' '; // RACE(1*)
  return n;
}

__attribute__((noinline)) static int count(const char** texts, int n) {
  int total = 0;
  char buffer[200]; // a length that a byte has room for, unsigned
  for (int i = 0; i < n; i++) {
    strcpy(buffer, texts[i]); // RACE(1*) NAMES(buffer)
#pragma omp task shared(buffer, total)
    {
      const int own = words(buffer);
#pragma omp atomic
      total += own;
    }
  }
#pragma omp taskwait
  return total;
}

int main(void) {
  const char* texts[] = {"one two three", "four five", "six seven eight nine"};
  int total = 0;
#pragma omp parallel
#pragma omp single
  total = count(texts, 3);
  printf("%d\n", total > 0);
  return 0;
}
