// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The begin of gcc's scope construct with a task reduction, which LLVM's runtime does not have, so that such programs
// could not be linked; its end is that of any worksharing construct with one. Relies on the begin of a loop that asks
// for no iterations, because its schedule is static: the runtime then begins the reduction and nothing else.

#include "lib/interpose/real.hpp"

#include <cstdint>

using namespace fletcher::interpose;

namespace {

using Reductions = std::uintptr_t; ///< the first of a list
using LoopStart = bool(long first, long end, long step, long schedule, long chunk, long* part_first, long* part_end,
                       Reductions*, void** scan);
constinit Real<void(Reductions*)> libgomp_start{"GOMP_scope_start"};
constinit Real<LoopStart> loop_start{"GOMP_loop_start"};
constinit Real<void()> any_of_llvm{"__kmpc_fork_call"};

} // namespace

extern "C" [[gnu::visibility("default")]] void GOMP_scope_start(Reductions* reductions) {
  LoopStart* const begin = loop_start.get();
  if (!in_one_module(reinterpret_cast<const void*>(begin), reinterpret_cast<const void*>(any_of_llvm.get())))
    return libgomp_start(reductions);
  begin(0, 0, 0, 0, 0, nullptr, nullptr, reductions, nullptr);
}
