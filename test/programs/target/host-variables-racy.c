// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of the host, on its stack and static ones.
// Racy: the device gets their addresses, and they are not mapped.
// threads: 2
// flags: -fopenmp-targets=x86_64-pc-linux-gnu
// needs: /usr/lib/llvm-19/lib/libomptarget.so
// compilers: clang
// builds: driver
#include <stdio.h>

enum { n = 64 };

/// An array of the caller.
static int of_caller(const int* a) {
  int sum = 0;
#pragma omp target map(tofrom : sum)
  for (int i = 0; i < n; i++) sum += a[i]; // FINDING(mapping-bug)
  return sum;
}

struct Node {
  int value;
  const struct Node* next;
};

/// Only the first one is mapped.
static int of_list(const struct Node* first) {
  int sum = 0;
#pragma omp target map(to : first[0 : 1]) map(tofrom : sum)
  for (const struct Node* p = first; p; p = p->next) sum += p->value; // FINDING(mapping-bug)
  return sum;
}

static int table[n];
int counts[n];

/// Static ones, by pointers; one of them is mapped, and its copy is elsewhere.
static int of_module(const int* a, int* b) {
  int sum = 0;
#pragma omp target map(tofrom : sum)
  for (int i = 0; i < n; i++) sum += a[i]; // FINDING(mapping-bug)
  int** const cell = &b;
#pragma omp target map(tofrom : counts) map(to : cell[0 : 1])
  for (int i = 0; i < n; i++) cell[0][i] = i; // FINDING(mapping-bug)
  return sum;
}

int main(void) {
  int local[n];
  for (int i = 0; i < n; i++) local[i] = i;
  const struct Node last = {2, 0}, first = {1, &last};
  printf("%d %d %d\n", of_caller(local), of_list(&first), of_module(table, counts));
  return 0;
}
