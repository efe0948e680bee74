// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wait for the iteration of a doacross loop's sink: the runtime tells of a sink only when it has been waited for.
// gcc's objects call a function with any number of arguments, which calls this one; omp_tasks.cpp notes where.

#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"
#include "lib/ompt/undeferred.hpp"

#include <cstdint>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit Real<void(void*, std::int32_t, const std::int64_t*)> real_wait{"__kmpc_doacross_wait"};

void tell(bool begin, Address pc) { raise(DoacrossWait{tool::where().thread, tool::where().task, begin, pc}); }

} // namespace

extern "C" [[gnu::visibility("default")]] void __kmpc_doacross_wait(void* location, std::int32_t thread,
                                                                    const std::int64_t* iteration) {
  const bool known = tool::where().thread != ThreadId::none;
  const Address pc = modules::is_openmp(caller()) ? ompt::call_pc : caller();
  if (known) tell(true, pc);
  real_wait(location, thread, iteration);
  if (known) tell(false, pc);
}
