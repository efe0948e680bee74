// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts of wide characters: one task writes what another one reads.
// Racy: nothing orders the two.
#include <stdio.h>
#include <wchar.h>

static wchar_t text[32] = L"text", other[32] = L"other", third[32] = L"third", fourth[32] = L"fourth";

int main(void) {
  int a = 0;
  wchar_t copy[32];
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
      wcscpy(text, L"longer text");      // RACE(1)
      wmemset(other, L'o', 3);           // RACE(2)
      swprintf(third, 32, L"%d", 12345); // RACE(3)
      fourth[2] = L'U';                  // RACE(4)
    }
#pragma omp task shared(a, copy)
    {
      a = (int)wcslen(text);      // RACE(1)
      wcscpy(copy, other);        // RACE(2)
      a += wcscmp(third, L"123"); // RACE(3)
      printf("%ls\n", fourth);    // RACE(4)
    }
  }
  printf("%d\n", a == 0);
  return 0;
}
