// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of the host, on its stack and static ones.
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
#pragma omp target map(tofrom : sum) map(to : a[0 : n])
  for (int i = 0; i < n; i++) sum += a[i];
  return sum;
}

struct Node {
  int value;
  const struct Node* next;
};

/// Both are mapped.
static int of_list(const struct Node* first) {
  int sum = 0;
#pragma omp target map(to : first[0 : 1], first->next[0 : 1]) map(tofrom : sum)
  for (const struct Node* p = first; p; p = p->next) sum += p->value;
  return sum;
}

static int table[n];
int counts[n];
#pragma omp declare target
int declared[n];
/// The device has one of its own.
static int* kept(int i) {
  static int values[n];
  values[i] += i;
  return &values[i];
}
#pragma omp end declare target

/// Static ones, by pointers.
static int of_module(const int* a, int* b) {
  int sum = 0;
#pragma omp target map(tofrom : sum) map(to : a[0 : n])
  for (int i = 0; i < n; i++) sum += a[i];
  int** const cell = &b;
#pragma omp target map(tofrom : counts) map(to : cell[0 : 1], cell[0][0 : n])
  for (int i = 0; i < n; i++) cell[0][i] = i;
#pragma omp target map(tofrom : sum)
  for (int i = 0; i < n; i++) {
    const int* const p = declared;
    sum += p[i] + *kept(i);
  }
  return sum + *kept(1);
}

int main(void) {
  int local[n];
  for (int i = 0; i < n; i++) local[i] = table[i] = i;
  const struct Node last = {2, 0}, first = {1, &last};
  int mine = 0, shared = 0; // what the device's code has on the stack, and the runtime's
#pragma omp target map(tofrom : shared) firstprivate(local) private(mine)
  {
    int inner[4] = {1, 2, 3, 4}, *p = inner;
    mine = local[3];
    shared = mine + p[2] + local[n - 1];
  }
#pragma omp target teams distribute parallel for map(tofrom : table) reduction(+ : shared)
  for (int i = 0; i < n; i++) {
    int own[2] = {i, 1};
    table[i] += own[1];
    shared += own[0];
  }
  printf("%d %d %d %d\n", shared, of_caller(local), of_list(&first), of_module(table, counts));
  return 0;
}
