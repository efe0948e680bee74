// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime's entry points around the combination of a reduction. In a team of more than four threads LLVM's gathers
// all copies in a barrier and lets the primary thread go on alone with the program's code that combines: who waits
// there, and that somebody combines, no event tells.

#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"
#include "lib/ompt/quirks/gathering.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

using Combine = void (*)(void*, void*);
using Begin = std::int32_t(void*, std::int32_t, std::int32_t, std::size_t, void*, Combine, void*);
using End = void(void*, std::int32_t, void*);
constinit Real<Begin> real_reduce{"__kmpc_reduce"}, real_reduce_nowait{"__kmpc_reduce_nowait"};
constinit Real<End> real_end{"__kmpc_end_reduce"}, real_end_nowait{"__kmpc_end_reduce_nowait"};

void tell(bool begin) { raise(Combination{tool::where().thread, tool::where().task, tool::where().team, begin}); }

/// Where ThreadSanitizer judges, threads have no state, and the order is reported all the same.
bool is_followed() {
  if (outside_tool() != nullptr) return true;
  const tool::Session* const session = tool::session();
  return session != nullptr && session->level() == tool::Level::tsan && !tool::InsideTool::here() &&
         tool::where().task != TaskId::none;
}

/// `real(arguments...)`, which returns 1 to who has to combine, 2 where everybody combines atomically.
template <class... Arguments> std::int32_t begin(Real<Begin>& real, Address pc, Arguments... arguments) {
  if (!is_followed()) return real(arguments...);
  const ompt::Gathering outer = ompt::begin_gathering(pc);
  const std::int32_t chosen = real(arguments...);
  constexpr std::int32_t atomically = 2;
  const bool combines = ompt::gathering.met && chosen == 1;
  const ompt::Frame* const member = ompt::gathering.member;
  ompt::gathering = outer;
  ompt::gathering.combines = combines;
  ompt::gathering.updates = chosen == atomically ? member : nullptr;
  if (combines) tell(true);
  return chosen;
}

void end_combination() {
  if (std::exchange(ompt::gathering.combines, false)) tell(false);
  ompt::gathering.updates = nullptr;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

std::int32_t __kmpc_reduce(void* place, std::int32_t thread, std::int32_t count, std::size_t size, void* data,
                           Combine combine, void* lock) {
  return begin(real_reduce, caller(), place, thread, count, size, data, combine, lock);
}
std::int32_t __kmpc_reduce_nowait(void* place, std::int32_t thread, std::int32_t count, std::size_t size, void* data,
                                  Combine combine, void* lock) {
  return begin(real_reduce_nowait, caller(), place, thread, count, size, data, combine, lock);
}
void __kmpc_end_reduce(void* place, std::int32_t thread, void* lock) {
  end_combination();
  real_end(place, thread, lock);
}
void __kmpc_end_reduce_nowait(void* place, std::int32_t thread, void* lock) {
  end_combination();
  real_end_nowait(place, thread, lock);
}

} // extern "C"
#pragma GCC visibility pop
