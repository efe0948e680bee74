/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   A library by the name of gcc's ThreadSanitizer: where it is preloaded, the dynamic linker does not load the other one.
   Programs that were linked to that one ask for the functions that it intercepts without a version, and of libc would
   get the oldest: those that have changed since lead to the newest here. */
#if defined(__x86_64__)
  .macro newest function version
  .symver newest_\function, \function@\version
  .globl \function
  .type \function, @function
\function:
  jmp *newest_\function@GOTPCREL(%rip)
  .size \function, . - \function
  .endm

  .text
  newest fmemopen GLIBC_2.22
  newest glob GLIBC_2.27
  newest glob64 GLIBC_2.27
  newest posix_spawn GLIBC_2.15
  newest posix_spawnp GLIBC_2.15
  newest pthread_cond_destroy GLIBC_2.3.2
  newest pthread_cond_init GLIBC_2.3.2
  newest pthread_attr_getaffinity_np GLIBC_2.34
  newest realpath GLIBC_2.3
  newest regexec GLIBC_2.3.4
  newest sched_getaffinity GLIBC_2.3.4

  /* Libc has it in what is linked into each program, but not where another library has it. */
  .globl atexit
  .type atexit, @function
atexit:
  xorl %esi, %esi
  xorl %edx, %edx
  jmp *__cxa_atexit@GOTPCREL(%rip)
  .size atexit, . - atexit
#endif
  .section .note.GNU-stack, "", @progbits
