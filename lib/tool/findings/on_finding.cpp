// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a debugger stops at a finding. Weak: a program may have its own.

#include "include/fletcher/fletcher.h"

extern "C" [[gnu::visibility("default"), gnu::weak, gnu::noinline]] void fletcher_on_finding(const char*) {
  asm volatile(""); // else nobody would call it
}
