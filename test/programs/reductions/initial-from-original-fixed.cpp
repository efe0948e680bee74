// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each copy of a reduction begins with what the original has, which a thread that comes late may find combined already:
// that is the compiler's to keep apart.
// Fixed: a barrier between what the first thread gives the original, and the reduction.
// threads: 2 5 8
// builds: stock
#include <cstdio>
#include <omp.h>

struct Least {
  int value, at;
  void meet(Least other) {
    if (other.value < value) {
      value = other.value;
      at = other.at;
    }
  }
};
#pragma omp declare reduction(least:Least : omp_out.meet(omp_in)) initializer(omp_priv = omp_orig)

int main() {
  Least least{1000, -1};
#pragma omp parallel shared(least)
  {
    if (omp_get_thread_num() == 0) least.value = 500;
#pragma omp barrier
#pragma omp for reduction(least : least) schedule(static, 1)
    for (int i = 0; i < 64; i++) least.meet({(i * 37 + 5) % 64, i});
  }
  std::printf("%d at %d\n", least.value, least.at);
  return least.value == 0 ? 0 : 1;
}
