// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data on the host and on a device: each function has one mistake, and uses a value that is not the one that it means.
// Racy: maps and updates are missing, or of another kind than what the two sides do.
// threads: 2
// flags: -fopenmp-targets=x86_64-pc-linux-gnu
// needs: /usr/lib/llvm-19/lib/libomptarget.so
// compilers: clang
// builds: driver
#include <stdio.h>

enum { n = 100 };

/// The device changes what was only copied to it.
static int copied_one_way(void) {
  int a[n];
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target teams distribute parallel for map(to : a)
  for (int i = 0; i < n; i++) a[i] *= 2;
  return a[7]; // FINDING(mapping-bug)
}

/// The device adds to what nobody has written there.
static int never_written(void) {
  int a[n], sum[n];
  for (int i = 0; i < n; i++) a[i] = i, sum[i] = 0;
#pragma omp target map(to : a) map(from : sum)
  for (int i = 0; i < n; i++) sum[i] += a[i]; // FINDING(mapping-bug)
  return sum[7];
}

/// Room for intermediate values, of which one is read first.
static int scratch(void) {
  int room[n], result = 0;
#pragma omp target map(alloc : room) map(tofrom : result)
  {
    for (int i = 1; i < n; i++) room[i] = i;
    result = room[0] + room[n - 1]; // FINDING(mapping-bug)
  }
  return result;
}

/// The device writes a part of what is copied back.
static int partly_written(void) {
  int a[n] = {0};
#pragma omp target map(from : a)
  for (int i = 0; i < n / 2; i++) a[i] = i;
  return a[n - 1]; // FINDING(mapping-bug)
}

/// The host changes what is on the device already: a map clause does not copy it again.
static int changed_by_host(void) {
  int a[n], sum = 0;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target data map(to : a)
  {
    for (int i = 0; i < n; i++) a[i] += 1;
#pragma omp target map(to : a) map(tofrom : sum)
    for (int i = 0; i < n; i++) sum += a[i]; // FINDING(mapping-bug)
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
    seen = a[7]; // FINDING(mapping-bug)
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
  }
  return a[7]; // FINDING(mapping-bug)
}

/// The update is of the wrong part.
static int updated_elsewhere(void) {
  int a[n], seen = 0;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target enter data map(to : a)
  a[n - 1] = 1;
#pragma omp target update to(a[0 : n / 2])
#pragma omp target map(from : seen)
  seen = a[n - 1]; // FINDING(mapping-bug)
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
#pragma omp target map(from : seen)
  seen = shared_value; // FINDING(mapping-bug)
  return seen;
}

int main(void) {
  printf("%d %d %d %d ", copied_one_way(), never_written(), scratch(), partly_written());
  printf("%d %d %d %d %d\n", changed_by_host(), read_too_early(), replaced(), updated_elsewhere(), declared());
  return 0;
}
