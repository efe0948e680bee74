// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __tsan_init: called by a constructor of every instrumented object before main, and again for libraries loaded later.

#include "lib/interpose/modules.hpp"
#include "lib/tool/session.hpp"

using namespace fletcher;

#pragma GCC visibility push(default)
extern "C" {

void __tsan_init() {
  interpose::modules::find_instrumented();
  interpose::modules::find_runtimes();
  tool::start(true);
}

} // extern "C"
#pragma GCC visibility pop
