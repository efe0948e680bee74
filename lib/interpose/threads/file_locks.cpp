// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lock of a FILE, where the program holds it itself: inlined functions such as putc_unlocked access what is in the
// FILE then. ThreadSanitizer does not know it.

#include "lib/interpose/real.hpp"
#include "lib/interpose/threads/locks.hpp"

#include <cstdio>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit Real<void(FILE*) noexcept> real_lock{"flockfile"}, real_unlock{"funlockfile"};
constinit Real<int(FILE*) noexcept> real_trylock{"ftrylockfile"};

/// How often its holder has it; 1 where that is not known.
int depth(FILE* file) noexcept {
#if defined(__GLIBC__)
  struct Lock { // as its headers for other libraries of GNU's declare it
    int taken, count;
    void* owner;
  };
  if (const auto* const lock = static_cast<const Lock*>(file->_lock)) return lock->count;
#endif
  return 1;
}

void taken(FILE* file, Address pc) {
  if (depth(file) == 1)
    locks::acquired(file, pc);
  else
    mutex(file, MutexStep::nested, pc);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void flockfile(FILE* file) noexcept {
  const Address pc = caller();
  if (!is_told(pc, false)) [[likely]]
    return real_lock(file);
  locks::waiting(file, pc);
  real_lock(file);
  taken(file, pc);
}
int ftrylockfile(FILE* file) noexcept {
  const Address pc = caller();
  const int error = real_trylock(file);
  if (is_told(pc, false)) [[unlikely]]
    error == 0 ? taken(file, pc) : locks::gave_up(file, pc);
  return error;
}
void funlockfile(FILE* file) noexcept {
  const Address pc = caller();
  if (is_told(pc, false)) [[unlikely]] {
    if (depth(file) == 1)
      locks::releasing(file, pc);
    else
      mutex(file, MutexStep::unnested, pc);
  }
  real_unlock(file);
}

} // extern "C"
#pragma GCC visibility pop
