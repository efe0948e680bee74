/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   Annotations by which a program tells Fletcher what it cannot see. They have no effect, and need no library, in a
   program that runs without Fletcher: include this file and use the macros; nothing is to be linked. C99 and C++. */
#ifndef FLETCHER_FLETCHER_H
#define FLETCHER_FLETCHER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Weak: null where Fletcher is not in the process. Call them through the macros below. */
#if defined(__GNUC__)
#define FLETCHER_WEAK __attribute__((weak))
#else
#define FLETCHER_WEAK
#endif

/* 1 where the accesses of the calling thread are checked at this moment, 0 elsewhere. */
FLETCHER_WEAK int fletcher_is_checking(void);

/* Whoever passes HAPPENS_AFTER(object) comes after all that passed HAPPENS_BEFORE(object) earlier: a hand-made
   synchronisation, by a device, another process, or code that is not instrumented. */
FLETCHER_WEAK void fletcher_happens_before(const volatile void* object);
FLETCHER_WEAK void fletcher_happens_after(const volatile void* object);

/* [memory, memory + size) has a new owner, as if it had been freed and allocated: for memory pools. */
FLETCHER_WEAK void fletcher_new_memory(const volatile void* memory, size_t size);

/* Races on [memory, memory + size) are meant; why is for the reader of the program. */
FLETCHER_WEAK void fletcher_benign_race(const volatile void* memory, size_t size, const char* why);

/* What the calling thread accesses between the two is not checked. They nest. */
FLETCHER_WEAK void fletcher_ignore_begin(void);
FLETCHER_WEAK void fletcher_ignore_end(void);

/* The calling thread reads or writes [memory, memory + size), by code that is not instrumented; or `count` pieces of
   `size` bytes, each `step` bytes after the one before. */
FLETCHER_WEAK void fletcher_reads(const volatile void* memory, size_t size);
FLETCHER_WEAK void fletcher_writes(const volatile void* memory, size_t size);
FLETCHER_WEAK void fletcher_reads_pieces(const volatile void* memory, size_t size, size_t step, size_t count);
FLETCHER_WEAK void fletcher_writes_pieces(const volatile void* memory, size_t size, size_t step, size_t count);

/* A lock of the program's own making: after it was taken, and before it is let go. */
FLETCHER_WEAK void fletcher_lock_acquired(const volatile void* lock);
FLETCHER_WEAK void fletcher_lock_releasing(const volatile void* lock);

/* Called for each new finding, with the identifier of its rule ("data-race"), by the thread that made it, in the midst
   of the access or call that it is about. Fletcher's does nothing: it is for a debugger's breakpoint. A program may
   define its own, which must not use OpenMP. */
FLETCHER_WEAK void fletcher_on_finding(const char* rule);

#ifdef __cplusplus
}
#endif

#if defined(__GNUC__) && !defined(FLETCHER_DISABLE)
#define FLETCHER_CALL_(function, arguments) ((void)(function ? (function arguments, 0) : 0))
#define FLETCHER_IS_CHECKING() (fletcher_is_checking ? fletcher_is_checking() : 0)
#else
#define FLETCHER_CALL_(function, arguments) ((void)0)
#define FLETCHER_IS_CHECKING() 0
#endif

#define FLETCHER_HAPPENS_BEFORE(object) FLETCHER_CALL_(fletcher_happens_before, (object))
#define FLETCHER_HAPPENS_AFTER(object) FLETCHER_CALL_(fletcher_happens_after, (object))
#define FLETCHER_NEW_MEMORY(memory, size) FLETCHER_CALL_(fletcher_new_memory, (memory, size))
#define FLETCHER_BENIGN_RACE(memory, size, why) FLETCHER_CALL_(fletcher_benign_race, (memory, size, why))
#define FLETCHER_IGNORE_BEGIN() FLETCHER_CALL_(fletcher_ignore_begin, ())
#define FLETCHER_IGNORE_END() FLETCHER_CALL_(fletcher_ignore_end, ())
#define FLETCHER_READS(memory, size) FLETCHER_CALL_(fletcher_reads, (memory, size))
#define FLETCHER_WRITES(memory, size) FLETCHER_CALL_(fletcher_writes, (memory, size))
/* A matrix by columns, `leading` elements apart; of one by rows exchange the number of rows and that of columns. */
#define FLETCHER_READS_MATRIX(first, rows, columns, leading)                                                           \
  FLETCHER_CALL_(fletcher_reads_pieces, (first, sizeof *(first) * (rows), sizeof *(first) * (leading), columns))
#define FLETCHER_WRITES_MATRIX(first, rows, columns, leading)                                                          \
  FLETCHER_CALL_(fletcher_writes_pieces, (first, sizeof *(first) * (rows), sizeof *(first) * (leading), columns))
#define FLETCHER_LOCK_ACQUIRED(lock) FLETCHER_CALL_(fletcher_lock_acquired, (lock))
#define FLETCHER_LOCK_RELEASING(lock) FLETCHER_CALL_(fletcher_lock_releasing, (lock))

#endif
