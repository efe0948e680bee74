// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data on the host and on a device: each function has one mistake, and uses a value that is not the one that it means.
// Fixed: by the map type, the update or the bounds that the function needs.
// threads: 2
// flags: -fopenmp-targets=x86_64-pc-linux-gnu
// needs: /usr/lib/llvm-19/lib/libomptarget.so
// compilers: clang
// builds: driver
#include <stdio.h>
#include <stdlib.h>

enum { n = 100 };

/// The device changes what was only copied to it.
static int copied_one_way(void) {
  int a[n];
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target teams distribute parallel for map(tofrom : a)
  for (int i = 0; i < n; i++) a[i] *= 2;
  return a[7];
}

/// The device adds to what nobody has written there.
static int never_written(void) {
  int a[n], sum[n];
  for (int i = 0; i < n; i++) a[i] = i, sum[i] = 0;
#pragma omp target map(to : a) map(tofrom : sum)
  for (int i = 0; i < n; i++) sum[i] += a[i];
  return sum[7];
}

/// Room for intermediate values, of which one is read first.
static int scratch(void) {
  int room[n], result = 0;
#pragma omp target map(alloc : room) map(tofrom : result)
  {
    for (int i = 0; i < n; i++) room[i] = i;
    result = room[0] + room[n - 1];
  }
  return result;
}

/// The device writes a part of what is copied back.
static int partly_written(void) {
  int a[n] = {0};
#pragma omp target map(from : a)
  for (int i = 0; i < n; i++) a[i] = i;
  return a[n - 1];
}

/// The host changes what is on the device already: a map clause does not copy it again.
static int changed_by_host(void) {
  int a[n], sum = 0;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target data map(to : a)
  {
    for (int i = 0; i < n; i++) a[i] += 1;
#pragma omp target map(always, to : a) map(tofrom : sum)
    for (int i = 0; i < n; i++) sum += a[i];
  }
  return sum;
}

/// The host looks at the result before the data region ends.
static int read_too_early(void) {
  int a[n], seen;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target data map(tofrom : a)
  {
#pragma omp target
    for (int i = 0; i < n; i++) a[i] += 1;
#pragma omp target update from(a[7 : 1])
    seen = a[7];
  }
  return seen;
}

/// What is copied back replaces what the host has written in the meantime.
static int replaced(void) {
  int a[n];
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target data map(tofrom : a)
  {
    a[7] = 1;
#pragma omp target update to(a[7 : 1])
  }
  return a[7];
}

/// The update is of the wrong part.
static int updated_elsewhere(void) {
  int a[n], seen = 0;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target enter data map(to : a)
  a[n - 1] = 1;
#pragma omp target update to(a[n / 2 : n / 2])
#pragma omp target map(from : seen)
  seen = a[n - 1];
#pragma omp target exit data map(release : a)
  return seen;
}

#pragma omp declare target
int shared_value = 1;
#pragma omp end declare target

/// A variable of the device's own.
static int declared(void) {
  int seen = 0;
#pragma omp target update to(shared_value)
  shared_value = 2;
#pragma omp target update to(shared_value)
#pragma omp target map(from : seen)
  seen = shared_value;
  return seen;
}

/// The device's copy is changed and read there, and given the host's values again, which the host goes on to use.
static int given_back(void) {
  int a[n], sum = 0;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target data map(to : a)
  for (int step = 0; step < 3; step++) {
#pragma omp target map(tofrom : sum)
    for (int i = 0; i < n; i++) {
      a[i] *= 2;
      sum += a[i];
    }
#pragma omp target update to(a)
  }
  for (int i = 0; i < n; i++) sum += a[i];
  return sum;
}

struct numbers {
  int count;
  int* values;
};

/// The device puts its own address into a pointer; the host keeps its own.
static int deep_copy(void) {
  struct numbers v = {n, malloc(n * sizeof(int))};
  int* values = v.values;
  for (int i = 0; i < n; i++) values[i] = i;
#pragma omp target enter data map(to : v, values[0 : n])
#pragma omp target
  v.values = values;
#pragma omp target
  for (int i = 0; i < v.count; i++) v.values[i] *= 2;
  int* same = v.values;
#pragma omp target exit data map(from : same[0 : n]) map(delete : v)
  const int seven = v.values[7];
  free(v.values);
  return seven;
}

int main(void) {
  printf("%d %d ", given_back(), deep_copy());
  printf("%d %d %d %d ", copied_one_way(), never_written(), scratch(), partly_written());
  printf("%d %d %d %d %d\n", changed_by_host(), read_too_early(), replaced(), updated_elsewhere(), declared());
  return 0;
}
