// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses to the virtual table pointer of a C++ object.

#include "lib/instrument/access.hpp"

using namespace fletcher::instrument;

#pragma GCC visibility push(default)
extern "C" {

void __tsan_vptr_read(void** p) { read(p, sizeof *p); }

// Every constructor and destructor of a hierarchy sets the pointer; the most derived one often sets what is there
// already, which no reader can notice.
void __tsan_vptr_update(void** p, void* value) {
  if (__atomic_load_n(p, __ATOMIC_RELAXED) == value) return;
  write(p, sizeof *p);
}

} // extern "C"
#pragma GCC visibility pop
