// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Detached tasks: fulfilled after the body by the creator, before its end by the body, and by a thread that OpenMP does
// not know.
#include <omp.h>
#include <pthread.h>
static void* fulfil(void* event) {
  omp_fulfill_event(*(omp_event_handle_t*)event);
  return 0;
}
int main(void) {
  int x = 0, y = 0, z = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_event_handle_t late, early, foreign;
#pragma omp task detach(late) shared(x) if (0)
    x++;
    omp_fulfill_event(late);
#pragma omp task detach(early) shared(y)
    {
      omp_fulfill_event(early);
      y++;
    }
#pragma omp task detach(foreign) shared(z) if (0)
    z++;
    pthread_t thread;
    pthread_create(&thread, 0, fulfil, &foreign);
    pthread_join(thread, 0);
#pragma omp taskwait
  }
  return x == 1 && y == 1 && z == 1 ? 0 : 1;
}
