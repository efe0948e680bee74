// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The annotations of dynamic_annotations.h, which Valgrind's tools and ThreadSanitizer share and many programs carry.
// Those without a meaning to this checker are accepted.

#include "lib/instrument/access.hpp"
#include "lib/instrument/annotations.hpp"

using namespace fletcher::instrument;

namespace {
using Text = const char*;
using Pointer = const volatile void*;
} // namespace

#pragma GCC visibility push(default)
extern "C" {

void AnnotateHappensBefore(Text, int, Pointer object) { happens_before(object); }
void AnnotateHappensAfter(Text, int, Pointer object) { happens_after(object); }
void WTFAnnotateHappensBefore(Text, int, Pointer object) { happens_before(object); }
void WTFAnnotateHappensAfter(Text, int, Pointer object) { happens_after(object); }
void AnnotateCondVarSignal(Text, int, Pointer condition) { happens_before(condition); }
void AnnotateCondVarSignalAll(Text, int, Pointer condition) { happens_before(condition); }
void AnnotateCondVarWait(Text, int, Pointer condition, Pointer) { happens_after(condition); }

void AnnotateRWLockCreate(Text, int, Pointer lock) { lock_created(lock, caller()); }
void AnnotateRWLockCreateStatic(Text, int, Pointer lock) { lock_created(lock, caller()); }
void AnnotateRWLockDestroy(Text, int, Pointer lock) { lock_destroyed(lock, caller()); }
void AnnotateRWLockAcquired(Text, int, Pointer lock, long is_write) { lock_acquired(lock, is_write != 0, caller()); }
void AnnotateRWLockReleased(Text, int, Pointer lock, long is_write) { lock_releasing(lock, is_write != 0, caller()); }

void AnnotateNewMemory(Text, int, Pointer memory, unsigned long size) { new_memory(memory, size); }
void AnnotatePublishMemoryRange(Text, int, Pointer memory, unsigned long) { happens_before(memory); }
void AnnotateUnpublishMemoryRange(Text, int, Pointer, unsigned long) {}
void AnnotateBenignRace(Text, int, Pointer memory, Text) { benign_race(memory, 1); }
void AnnotateBenignRaceSized(Text, int, Pointer memory, unsigned long size, Text) { benign_race(memory, size); }
void WTFAnnotateBenignRaceSized(Text, int, Pointer memory, unsigned long size, Text) { benign_race(memory, size); }

// Reads and writes are not ignored apart: programs ask for either around a single access.
void AnnotateIgnoreReadsBegin(Text, int) { ignore_begin(); }
void AnnotateIgnoreReadsEnd(Text, int) { ignore_end(); }
void AnnotateIgnoreWritesBegin(Text, int) { ignore_begin(); }
void AnnotateIgnoreWritesEnd(Text, int) { ignore_end(); }
void AnnotateEnableRaceDetection(Text, int, int enable) { enable != 0 ? ignore_end() : ignore_begin(); }

void AnnotateIgnoreSyncBegin(Text, int) {}
void AnnotateIgnoreSyncEnd(Text, int) {}
void AnnotateMutexIsUsedAsCondVar(Text, int, Pointer) {}
void AnnotateMutexIsNotPHB(Text, int, Pointer) {}
void AnnotatePCQCreate(Text, int, Pointer) {}
void AnnotatePCQDestroy(Text, int, Pointer) {}
void AnnotatePCQPut(Text, int, Pointer queue) { happens_before(queue); }
void AnnotatePCQGet(Text, int, Pointer queue) { happens_after(queue); }
void AnnotateExpectRace(Text, int, Pointer, Text) {}
void AnnotateFlushExpectedRaces(Text, int) {}
void AnnotateTraceMemory(Text, int, Pointer) {}
void AnnotateFlushState(Text, int) {}
void AnnotateThreadName(Text, int, Text) {}
void AnnotateMemoryIsInitialized(Text, int, Pointer, unsigned long) {}
void AnnotateMemoryIsUninitialized(Text, int, Pointer, unsigned long) {}
void AnnotateNoOp(Text, int, Pointer) {}

int RunningOnValgrind() { return 0; }
double ValgrindSlowdown() { return 10.0; } // programs scale their timeouts by it

} // extern "C"
#pragma GCC visibility pop
