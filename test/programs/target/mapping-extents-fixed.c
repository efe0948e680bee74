// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data on a device: each function has one mistake, and the device uses memory that it does not have.
// Fixed: the sections are what the device uses.
// threads: 2
// flags: -fopenmp-targets=x86_64-pc-linux-gnu
// needs: /usr/lib/llvm-19/lib/libomptarget.so
// compilers: clang
// builds: driver
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { n = 100 };

/// The section is too short.
static double section(double* a) {
  double sum = 0;
#pragma omp target map(to : a[0 : n]) map(tofrom : sum)
  for (int i = 0; i < n; i++) sum += a[i];
  return sum;
}

/// It begins too late.
static double begins_late(double* a) {
  double sum = 0;
#pragma omp target map(to : a[0 : n]) map(tofrom : sum)
  for (int i = 1; i < n; i++) sum += a[i] - a[i - 1];
  return sum;
}

/// The last iteration writes behind the end.
static double one_more(double* a) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n - 1])
  for (int i = 0; i < n - 1; i++) a[i] += 1;
  return a[1];
}

/// Nothing of it is mapped.
static double not_mapped(double* a) {
  double first = 0;
#pragma omp target map(from : first) map(to : a[0 : 1])
  first = a[0];
  return first;
}

static double* everywhere; // a pointer that target regions find by its name

/// It is mapped before.
static double by_a_global(double* a) {
  everywhere = a;
#pragma omp target enter data map(to : everywhere[0 : n])
#pragma omp target
  for (int i = 0; i < n; i++) everywhere[i] += 1;
#pragma omp target exit data map(from : everywhere[0 : n])
  return a[1];
}

struct Vector {
  double* data;
  int size;
};

/// The structure is mapped, what it points to is not.
static double shallow(struct Vector* v) {
  double sum = 0;
#pragma omp target map(to : v[0 : 1]) map(to : v -> data[0 : n]) map(tofrom : sum)
  for (int i = 0; i < v->size; i++) sum += v->data[i];
  return sum;
}

/// The device has it no more.
static double unmapped(double* a) {
  double sum = 0;
#pragma omp target enter data map(to : a[0 : n])
#pragma omp target map(tofrom : sum)
  for (int i = 0; i < n; i++) sum += a[i];
#pragma omp target exit data map(delete : a[0 : n])
  return sum;
}

/// Memory that only the device has.
static double of_device(void) {
  const int device = omp_get_default_device();
  double sum = 0;
  double* const room = omp_target_alloc(n * sizeof *room, device);
#pragma omp target is_device_ptr(room) map(tofrom : sum)
  {
    for (int i = 0; i < n - 1; i++) room[i + 1] = i;
    for (int i = 1; i < n; i++) sum += room[i];
  }
  omp_target_free(room, device);
  return sum;
}

/// The host's copy is there when it is copied.
static void freed_early(void) {
  double* const room = calloc(n, sizeof *room);
#pragma omp target enter data map(to : room[0 : n])
#pragma omp target update to(room[0 : n])
#pragma omp target exit data map(delete : room[0 : n])
  free(room);
}

static double table[n] = {1}; // not beside the pointer above, which target regions map

/// The section is as long as the variable.
static double past_its_end(double* a) {
  double sum = 0;
#pragma omp target map(to : a[0 : n]) map(tofrom : sum)
  for (int i = 0; i < n; i++) sum += a[i];
  return sum;
}

int main(void) {
  double* const a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++) a[i] = i;
  struct Vector vector = {a, n};
  printf("%g ", by_a_global(a)); // the first construct for a device
  printf("%g %g %g %g ", section(a), begins_late(a), one_more(a), not_mapped(a));
  printf("%g %g %g\n", shallow(&vector), unmapped(a), of_device() + past_its_end(table));
  freed_early();
  free(a);
  return 0;
}
