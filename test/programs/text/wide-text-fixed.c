// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts of wide characters: one task writes what another one reads.
// Fixed: the second task begins when the first one has ended.
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
      wcscpy(text, L"longer text");
      wmemset(other, L'o', 3);
      swprintf(third, 32, L"%d", 12345);
      fourth[2] = L'U';
    }
#pragma omp taskwait
#pragma omp task shared(a, copy)
    {
      a = (int)wcslen(text);
      wcscpy(copy, other);
      a += wcscmp(third, L"123");
      printf("%ls\n", fourth);
    }
  }
  printf("%d\n", a == 0);
  return 0;
}
