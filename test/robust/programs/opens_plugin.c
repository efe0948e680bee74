// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens a library in the middle of its life, from serial code and from a thread of a region, uses and closes it.
#include <dlfcn.h>
#include <stdio.h>

static int use(const char* file, int racy) {
  void* library = dlopen(file, RTLD_NOW);
  if (!library) {
    fputs(dlerror(), stderr);
    return 0;
  }
  int (*work)(int) = (int (*)(int))dlsym(library, "work");
  int good = work && work(racy) == 4500;
  dlclose(library);
  return good;
}

int main(int argc, char** argv) {
  int values[100], good = 1;
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 100; i++) values[i] = i;
  for (int i = 0; i < 3; i++) good &= use(argv[1], argc > 2);
#pragma omp parallel num_threads(2)
#pragma omp single
  good &= use(argv[1], argc > 2);
  puts(good && values[99] == 99 ? "ok" : "wrong");
  return 0;
}
