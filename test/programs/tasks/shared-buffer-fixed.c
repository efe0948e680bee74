// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words of several texts are counted, by a task for each.
// Fixed: each task has its own copy.
// threads: 1 2
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static int words(const char* text) {
  int n = 1;
  for (const char* c = text; *c != 0; c++) n += *c == ' ';
  return n;
}

__attribute__((noinline)) static int count(const char** texts, int n) {
  int total = 0;
  char buffer[200];
  for (int i = 0; i < n; i++) {
    strcpy(buffer, texts[i]);
#pragma omp task firstprivate(buffer) shared(total)
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
  printf("%d\n", total);
  return total == 9 ? 0 : 1;
}
