// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task that waits until its siblings are created, so that all of them live at once, whatever the schedule.
#pragma once

#include <omp.h>
#include <time.h>

static int all_created = 0;

static void open_gate(void) {
#pragma omp atomic write seq_cst
  all_created = 1;
}

// Sleeps: it costs no processor time that the tasks would have to answer for.
static void wait_at_gate(void) {
  if (omp_get_num_threads() == 1) return; // tasks are executed as they are created
  for (int open = 0; !open;) {
    const struct timespec pause = {0, 1000000};
    nanosleep(&pause, NULL);
#pragma omp atomic read seq_cst
    open = all_created;
  }
}
