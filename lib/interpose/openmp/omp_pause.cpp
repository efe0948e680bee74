// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// omp_pause_resource: the runtime ends the threads that it keeps for later regions. LLVM's runtime does not tell.

#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit Real<int(int)> real_pause_all{"omp_pause_resource_all"};
constinit Real<int(int, int)> real_pause{"omp_pause_resource"};

int ended(int failure) {
  if (failure == 0 && tool::where().thread != ThreadId::none) raise(ThreadsReleased{tool::where().thread});
  return failure;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

int omp_pause_resource_all(int kind) { return ended(real_pause_all(kind)); }
int omp_pause_resource(int kind, int device) { return ended(real_pause(kind, device)); }

} // extern "C"
#pragma GCC visibility pop
