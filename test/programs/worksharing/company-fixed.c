// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constructs with locks in them, so short that the first thread would have all parts before the others are awake.
// Repaired: it is written while the lock is held.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static int ready, heard, seen, drawn, last;
static omp_lock_t lock;

static void sections(void) {
#pragma omp parallel sections
  {
#pragma omp section
    {
      omp_set_lock(&lock);
      seen++;
      ready = 1;
      omp_unset_lock(&lock);
    }
#pragma omp section
    {
      omp_set_lock(&lock);
      seen++;
      heard = ready;
      omp_unset_lock(&lock);
    }
  }
}

static void draw(void) {
  omp_set_lock(&lock);
  last = drawn++;
  omp_unset_lock(&lock);
}

static void loop(void) {
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < 16; i++) draw();
}

int main(void) {
  omp_init_lock(&lock);
  sections();
  loop();
  omp_destroy_lock(&lock);
  printf("%d\n", seen + heard + last > 0);
}
