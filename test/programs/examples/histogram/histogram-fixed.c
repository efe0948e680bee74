// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histogram of the grey values of an image.
//
// Fixed: the count is incremented atomically.
#include <stdio.h>
#include <stdlib.h>

enum { width = 160, height = 120, levels = 64 };

static void make_image(unsigned char* pixels) {
  unsigned state = 1;
  for (int i = 0; i < width * height; i++) {
    state = state * 1664525u + 1013904223u;
    pixels[i] = (unsigned char)((state >> 24) % levels);
  }
}

static void count_levels(const unsigned char* pixels, unsigned* histogram) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < width * height; i++) {
#pragma omp atomic
    histogram[pixels[i]]++;
  }
}

int main(void) {
  unsigned char* pixels = malloc((size_t)width * height);
  unsigned histogram[levels] = {0};
  make_image(pixels);
  count_levels(pixels, histogram);

  unsigned total = 0;
  for (int level = 0; level < levels; level++) total += histogram[level];
  printf("counted %s of %d pixels\n", total == width * height ? "all" : "NOT ALL", width * height);
  free(pixels);
  return total == width * height ? 0 : 1;
}
