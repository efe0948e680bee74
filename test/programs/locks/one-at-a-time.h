// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps programs that can deadlock from doing so in a test: what is between begin_alone and end_alone runs one at a
// time. It stands for the luck of one run and is no part of the program's synchronisation, so it must be seen neither
// by OpenMP nor by an instrumentation: a spin lock of instructions that the compiler does not know.
#pragma once

#include <sched.h>

static int somebody_is_alone;

__attribute__((noinline, unused)) static void begin_alone(void) {
  for (;;) {
    int was = 1;
#if defined(__x86_64__)
    __asm__ volatile("xchgl %0, %1" : "+r"(was), "+m"(somebody_is_alone) : : "memory");
#else
#error "an exchange of this processor is missing here"
#endif
    if (was == 0) return;
    sched_yield();
  }
}

__attribute__((noinline, unused)) static void end_alone(void) {
  int free = 0;
  __asm__ volatile("xchgl %0, %1" : "+r"(free), "+m"(somebody_is_alone) : : "memory");
}
