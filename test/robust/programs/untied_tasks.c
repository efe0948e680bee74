// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Untied tasks whose last parts are over before the thread that ran the first one has come back from it: it takes its
// time. Then what their creators do after they have waited. With -finstrument-functions.
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void* function, void* caller) {
  (void)function, (void)caller;
}
__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void* function, void* caller) {
  (void)function, (void)caller;
  if (omp_in_parallel()) usleep(20);
}

int main(void) {
  long sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
  for (int r = 0; r < 50; r++) {
    int parts[4] = {r, -r, r, -r};
    for (int i = 0; i < 4; i++) {
#pragma omp task untied shared(parts) firstprivate(i)
      {
        parts[i] += 1;
#pragma omp taskyield
        parts[i] += 1;
      }
    }
#pragma omp taskyield
#pragma omp taskwait
    for (int i = 0; i < 4; i++) sum += parts[i];
  }
  puts(sum == 4 * 50 * 8 ? "ok" : "wrong");
  return 0;
}
