// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many threads print texts of their own and shared ones that nobody changes, with and without a critical construct.
// expect: silent
#include <stdio.h>
#include <string.h>

static const char* const names[] = {"red", "green", "blue"};

int main(void) {
  static char last[32];
  int characters = 0;
  FILE* nowhere = fopen("/dev/null", "w");
  if (nowhere == NULL) return 1;
#pragma omp parallel for schedule(dynamic) reduction(+ : characters)
  for (int i = 0; i < 300; i++) {
    char text[32];
    characters += snprintf(text, sizeof text, "%s %03d", names[i % 3], i);
#pragma omp critical
    {
      strcpy(last, text);
      fputs(last, nowhere);
      characters += fprintf(nowhere, "%.3s %5s\n", last, names[2]);
    }
    characters += fprintf(nowhere, "%s\n", names[0]);
    puts(names[0]);
  }
  printf("%d\n", characters);
  fclose(nowhere);
  return 0;
}
