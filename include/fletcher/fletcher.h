/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   Annotations for what Fletcher cannot see: synchronisation, locks and accesses in code that is not instrumented.
   Include this file and use the macros below; there is nothing to link. Without Fletcher they have no effect. C99 and
   C++. */
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

/* 1 if Fletcher checks the accesses of the calling thread at this moment, else 0. */
FLETCHER_WEAK int fletcher_is_checking(void);

/* Synchronisation that Fletcher does not see (by a device, another process, or code that is not instrumented): a call
   of HAPPENS_AFTER(object) comes after all earlier calls of HAPPENS_BEFORE(object). */
FLETCHER_WEAK void fletcher_happens_before(const volatile void* object);
FLETCHER_WEAK void fletcher_happens_after(const volatile void* object);

/* For memory pools: [memory, memory + size) has a new owner, as if it had been freed and allocated. */
FLETCHER_WEAK void fletcher_new_memory(const volatile void* memory, size_t size);

/* Races on [memory, memory + size) are intended and not reported. `why` is for readers of the program. */
FLETCHER_WEAK void fletcher_benign_race(const volatile void* memory, size_t size, const char* why);

/* Fletcher does not check what the calling thread accesses between the two calls. They may be nested. */
FLETCHER_WEAK void fletcher_ignore_begin(void);
FLETCHER_WEAK void fletcher_ignore_end(void);

/* Code that is not instrumented reads or writes [memory, memory + size) in the calling thread; or `count` pieces of
   `size` bytes, whose beginnings are `step` bytes apart. */
FLETCHER_WEAK void fletcher_reads(const volatile void* memory, size_t size);
FLETCHER_WEAK void fletcher_writes(const volatile void* memory, size_t size);
FLETCHER_WEAK void fletcher_reads_pieces(const volatile void* memory, size_t size, size_t step, size_t count);
FLETCHER_WEAK void fletcher_writes_pieces(const volatile void* memory, size_t size, size_t step, size_t count);

/* For locks that the program implements itself: call these after it is acquired, and before it is released. */
FLETCHER_WEAK void fletcher_lock_acquired(const volatile void* lock);
FLETCHER_WEAK void fletcher_lock_releasing(const volatile void* lock);

/* Fletcher calls this for each new finding, with the identifier of its rule ("data-race"), in the thread that caused
   it, during the access or call in question. It does nothing and is meant for breakpoints. A program may define a
   function of its own in its place, which must not use OpenMP. */
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
/* A matrix stored by columns that begin `leading` elements apart; for one stored by rows, exchange `rows` and
   `columns`. */
#define FLETCHER_READS_MATRIX(first, rows, columns, leading)                                                           \
  FLETCHER_CALL_(fletcher_reads_pieces, (first, sizeof *(first) * (rows), sizeof *(first) * (leading), columns))
#define FLETCHER_WRITES_MATRIX(first, rows, columns, leading)                                                          \
  FLETCHER_CALL_(fletcher_writes_pieces, (first, sizeof *(first) * (rows), sizeof *(first) * (leading), columns))
#define FLETCHER_LOCK_ACQUIRED(lock) FLETCHER_CALL_(fletcher_lock_acquired, (lock))
#define FLETCHER_LOCK_RELEASING(lock) FLETCHER_CALL_(fletcher_lock_releasing, (lock))

#endif
