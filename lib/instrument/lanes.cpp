// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose iterations may run in the lanes of vectors, but depend on each other: the compiler plugin
// (lib/pass/loops/lane_dependences) has found the dependence, and calls here where such a loop ends. Two calls, so that
// each access has a place of its own.

#include "lib/instrument/access.hpp"
#include "lib/instrument/ignoring.hpp"
#include "lib/tool/session.hpp"

#include "checker/checker.hpp"
#include "checker/rules/lane_race.hpp"

#include <cstdint>
#include <utility>

using namespace fletcher;
using namespace fletcher::instrument;

namespace {

/// From the first call for the second. Distance 0: there is nothing to tell.
[[gnu::tls_model("initial-exec")]] constinit thread_local LaneDependence pending{};

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void __fletcher_lane_earlier(void* address, unsigned long size, unsigned long writes, unsigned long iterations,
                             unsigned long distance) {
  pending = {};
  if (iterations <= distance || tool::thread_state() == nullptr || detail::ignoring != 0) return;
  pending = {.address = reinterpret_cast<Address>(address),
             .size = static_cast<std::uint32_t>(size),
             .distance = distance,
             .earlier_pc = caller(),
             .earlier_writes = writes != 0};
}

void __fletcher_lane_later(void*, unsigned long writes) {
  LaneDependence dependence = std::exchange(pending, {});
  access::ThreadState* const thread = tool::thread_state();
  if (dependence.distance == 0 || thread == nullptr || thread->checker == nullptr) return;
  dependence.later_pc = caller();
  dependence.later_writes = writes != 0;
  const tool::InsideTool inside;
  thread->checker->met(*thread, dependence);
}

} // extern "C"
#pragma GCC visibility pop
