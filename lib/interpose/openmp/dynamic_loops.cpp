// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose iterations the runtime hands out (dynamic, guided, runtime, auto) in a team of one: LLVM's runtime gives
// all at once. Where a larger team would have divided them, it is asked for chunks one by one, which it gives by a
// schedule of another number. Not with `ordered` or doacross iterations, of whose order nothing is reported then.
// In larger teams dynamic loops are monotonic, as they may be: where LLVM's runtime (19) lets threads steal iterations,
// it does not find out who had the last one, and `lastprivate` variables stay as they were.

#include "lib/interpose/openmp/doacross.hpp"
#include "lib/interpose/real.hpp"
#include "lib/ompt/local.hpp"

#include <algorithm>
#include <cstdint>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

/// LLVM's runtime: enum sched_type of kmp.h.
constexpr std::int32_t dynamic_chunked = 35, guided_chunked = 36, by_runtime = 37, by_anyone = 38;
constexpr std::int32_t dynamic_unmerged = dynamic_chunked + 128; ///< the same without merging of chunks
constexpr std::int32_t monotonic_modifier = 1 << 29, modifiers = monotonic_modifier | 1 << 30;

/// omp_sched_t of omp.h.
constexpr std::int32_t chosen_dynamic = 2, chosen_guided = 3, chosen_auto = 4;
constexpr std::int32_t monotonic = 1 << 31;

constinit Real<void(std::int32_t*, std::int32_t*)> real_get_schedule{"omp_get_schedule"};

struct Schedule {
  std::int32_t kind;
  std::int64_t chunk;
};

Schedule chosen_at_run_time() noexcept {
  std::int32_t kind = 0, chunk = 0;
  real_get_schedule(&kind, &chunk);
  switch (kind & ~monotonic) {
  case chosen_dynamic:
    return {dynamic_chunked, chunk};
  case chosen_guided:
    return {guided_chunked, chunk};
  case chosen_auto:
    return {by_anyone, 1};
  default:
    return {by_runtime, chunk};
  }
}

/// Chunks that a larger team could get. Those of guided loops become smaller and smaller, down to the least that the
/// program asks for, where the team is large enough: a few of one size show what may be on two threads.
/// Not inlined: the entry points must have no variables in memory (see below).
[[gnu::noinline]] Schedule chunk_by_chunk(std::int32_t schedule, std::uint64_t iterations,
                                          std::int64_t chunk) noexcept {
  constexpr std::uint64_t guided_chunks = 32;
  const std::int32_t kind = schedule & ~modifiers;
  if (kind < dynamic_chunked || kind > by_anyone) return {schedule, chunk};
  const ompt::Frame* const frame = ompt::local.frame;
  const bool divided = frame != nullptr && frame->open && frame->task == tool::where().task && !in_doacross_loop();
  if (!divided) return {kind == dynamic_chunked ? kind | monotonic_modifier : schedule, chunk};
  const Schedule asked = kind == by_runtime ? chosen_at_run_time() : Schedule{kind, kind == by_anyone ? 1 : chunk};
  if (asked.kind == by_runtime) return {schedule, chunk};
  const auto least = static_cast<std::uint64_t>(std::max<std::int64_t>(asked.chunk, 1));
  if (asked.kind == dynamic_chunked) return {dynamic_unmerged, static_cast<std::int64_t>(least)};
  return {dynamic_unmerged, static_cast<std::int64_t>(std::max(least, iterations / guided_chunks))};
}

template <class T, class Stride> std::uint64_t iterations(T low, T high, Stride stride) noexcept {
  if (stride == 0 || (stride > 0 ? high < low : low < high)) return 0;
  const std::uint64_t distance = stride > 0 ? static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low)
                                            : static_cast<std::uint64_t>(low) - static_cast<std::uint64_t>(high);
  const std::uint64_t step = stride > 0 ? static_cast<std::uint64_t>(stride) : -static_cast<std::uint64_t>(stride);
  return distance / step + 1;
}

template <class T, class Stride = T> using Begin = void(void*, std::int32_t, std::int32_t, T, T, Stride, Stride);
constinit Real<Begin<std::int32_t>> real_4{"__kmpc_dispatch_init_4"};
constinit Real<Begin<std::uint32_t, std::int32_t>> real_4u{"__kmpc_dispatch_init_4u"};
constinit Real<Begin<std::int64_t>> real_8{"__kmpc_dispatch_init_8"};
constinit Real<Begin<std::uint64_t, std::int64_t>> real_8u{"__kmpc_dispatch_init_8u"};

} // namespace

#pragma GCC visibility push(default)
// The runtime takes who called it for the place of the loop. gcc makes a jump of such a call by itself.
#if defined(__clang__)
#define TAIL_CALL [[clang::musttail]]
#else
#define TAIL_CALL
#endif

extern "C" {

void __kmpc_dispatch_init_4(void* place, std::int32_t thread, std::int32_t schedule, std::int32_t low,
                            std::int32_t high, std::int32_t stride, std::int32_t chunk) {
  const Schedule asked = chunk_by_chunk(schedule, iterations(low, high, stride), chunk);
  const auto begin = real_4.get();
  TAIL_CALL return begin(place, thread, asked.kind, low, high, stride, static_cast<std::int32_t>(asked.chunk));
}
void __kmpc_dispatch_init_4u(void* place, std::int32_t thread, std::int32_t schedule, std::uint32_t low,
                             std::uint32_t high, std::int32_t stride, std::int32_t chunk) {
  const Schedule asked = chunk_by_chunk(schedule, iterations(low, high, stride), chunk);
  const auto begin = real_4u.get();
  TAIL_CALL return begin(place, thread, asked.kind, low, high, stride, static_cast<std::int32_t>(asked.chunk));
}
void __kmpc_dispatch_init_8(void* place, std::int32_t thread, std::int32_t schedule, std::int64_t low,
                            std::int64_t high, std::int64_t stride, std::int64_t chunk) {
  const Schedule asked = chunk_by_chunk(schedule, iterations(low, high, stride), chunk);
  const auto begin = real_8.get();
  TAIL_CALL return begin(place, thread, asked.kind, low, high, stride, static_cast<std::int64_t>(asked.chunk));
}
void __kmpc_dispatch_init_8u(void* place, std::int32_t thread, std::int32_t schedule, std::uint64_t low,
                             std::uint64_t high, std::int64_t stride, std::int64_t chunk) {
  const Schedule asked = chunk_by_chunk(schedule, iterations(low, high, stride), chunk);
  const auto begin = real_8u.get();
  TAIL_CALL return begin(place, thread, asked.kind, low, high, stride, static_cast<std::int64_t>(asked.chunk));
}

} // extern "C"
#pragma GCC visibility pop
