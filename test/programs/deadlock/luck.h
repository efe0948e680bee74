// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The luck of a run, made certain: await_luck returns when luck_happens has been called. It is no part of the program's
// synchronisation, so it must be seen neither by OpenMP nor by an instrumentation: instructions that the compiler does
// not know.
#pragma once

#include <sched.h>

static int luck_happened;

__attribute__((noinline, unused)) static int exchange_luck(int by) {
#if defined(__x86_64__)
  __asm__ volatile("lock xaddl %0, %1" : "+r"(by), "+m"(luck_happened) : : "memory");
  return by;
#else
#error "an exchange of this processor is missing here"
#endif
}

__attribute__((noinline, unused)) static void luck_happens(void) { exchange_luck(1); }

/// `times` calls of luck_happens.
__attribute__((noinline, unused)) static void await_luck(int times) {
  while (exchange_luck(0) < times) sched_yield();
}
