// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops with a dynamic or guided schedule in a team of one: LLVM's runtime gives all iterations at once. Where a larger
// team would have divided them, it is asked for its chunks one by one, which it gives by schedules of another number.
// Not with `ordered` or doacross iterations, of whose order nothing is told then.

#include "lib/interpose/openmp/doacross.hpp"
#include "lib/interpose/real.hpp"
#include "lib/ompt/local.hpp"

#include <cstdint>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

/// LLVM's runtime: enum sched_type of kmp.h.
constexpr std::int32_t dynamic_chunked = 35, guided_chunked = 36;
constexpr std::int32_t unmerged = 128; ///< from a schedule to the same without merging of chunks
constexpr std::int32_t modifiers = 1 << 29 | 1 << 30;

std::int32_t chunk_by_chunk(std::int32_t schedule) noexcept {
  const std::int32_t kind = schedule & ~modifiers;
  if (kind != dynamic_chunked && kind != guided_chunked) return schedule;
  const ompt::Frame* const frame = ompt::local.frame;
  const bool divided = frame != nullptr && frame->open && frame->task == tool::where().task && !in_doacross_loop();
  return divided ? schedule + unmerged : schedule;
}

template <class T, class Stride = T> using Begin = void(void*, std::int32_t, std::int32_t, T, T, Stride, Stride);
constinit Real<Begin<std::int32_t>> real_4{"__kmpc_dispatch_init_4"};
constinit Real<Begin<std::uint32_t, std::int32_t>> real_4u{"__kmpc_dispatch_init_4u"};
constinit Real<Begin<std::int64_t>> real_8{"__kmpc_dispatch_init_8"};
constinit Real<Begin<std::uint64_t, std::int64_t>> real_8u{"__kmpc_dispatch_init_8u"};

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void __kmpc_dispatch_init_4(void* place, std::int32_t thread, std::int32_t schedule, std::int32_t low,
                            std::int32_t high, std::int32_t stride, std::int32_t chunk) {
  real_4(place, thread, chunk_by_chunk(schedule), low, high, stride, chunk);
}
void __kmpc_dispatch_init_4u(void* place, std::int32_t thread, std::int32_t schedule, std::uint32_t low,
                             std::uint32_t high, std::int32_t stride, std::int32_t chunk) {
  real_4u(place, thread, chunk_by_chunk(schedule), low, high, stride, chunk);
}
void __kmpc_dispatch_init_8(void* place, std::int32_t thread, std::int32_t schedule, std::int64_t low,
                            std::int64_t high, std::int64_t stride, std::int64_t chunk) {
  real_8(place, thread, chunk_by_chunk(schedule), low, high, stride, chunk);
}
void __kmpc_dispatch_init_8u(void* place, std::int32_t thread, std::int32_t schedule, std::uint64_t low,
                             std::uint64_t high, std::int64_t stride, std::int64_t chunk) {
  real_8u(place, thread, chunk_by_chunk(schedule), low, high, stride, chunk);
}

} // extern "C"
#pragma GCC visibility pop
