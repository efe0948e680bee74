// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wait for the iteration of a doacross loop's sink: the runtime reports a sink only when it has been waited for.
// gcc's objects call a function with any number of arguments, which calls this one; omp_tasks.cpp notes where.
// And the loop's bounds, because of which clang's programs may wait for an iteration that there is not.

#include "lib/interpose/openmp/doacross.hpp"

#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"
#include "lib/ompt/quirks/undeferred.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

/// The runtime's kmp_dim.
struct Dimension {
  std::int64_t first, last, step;
};

/// Of a loop nest that clang compiled: it counts iterations from 0 and gives their number for the last one (LLVM 19),
/// so that the runtime takes a sink just past the end for an iteration. gcc's have the last one.
struct Loop {
  std::array<std::int64_t, 4> counts{}; ///< of the outer dimensions
  std::size_t dimensions = 0;           ///< 0: not clang's, or there are more

  // Past the end of the outermost loop is after all iterations; past that of an inner one may be after an outer one's.
  // Further numbers say nothing: what comes before the first iteration is a large one where clang counts without a sign
  // (an unsigned variable, a negative step).
  SinkKind kind(const std::int64_t* iteration) const noexcept {
    if (dimensions > 0 && iteration[0] == counts[0]) return SinkKind::later;
    const bool exists = std::equal(counts.begin(), counts.begin() + dimensions, iteration, std::not_equal_to<>());
    return exists ? SinkKind::iteration : SinkKind::outside;
  }
};

/// Those that the thread is in, the innermost one last; of deeper ones nothing is known.
[[gnu::tls_model("initial-exec")]] constinit thread_local std::array<Loop, 2> loops{};
[[gnu::tls_model("initial-exec")]] constinit thread_local std::size_t depth = 0;

Loop loop_of(std::span<const Dimension> dimensions) noexcept {
  Loop loop;
  const bool counted = std::ranges::all_of(dimensions, [](const Dimension& d) { return d.first == 0 && d.step == 1; });
  if (!counted || dimensions.size() > loop.counts.size()) return loop;
  std::ranges::transform(dimensions, loop.counts.begin(), &Dimension::last);
  loop.dimensions = dimensions.size();
  return loop;
}

constinit Real<void(void*, std::int32_t, std::int32_t, const Dimension*)> real_init{"__kmpc_doacross_init"};
constinit Real<void(void*, std::int32_t, const std::int64_t*)> real_wait{"__kmpc_doacross_wait"};
constinit Real<void(void*, std::int32_t)> real_fini{"__kmpc_doacross_fini"};

} // namespace

bool fletcher::interpose::in_doacross_loop() noexcept { return depth > 0; }

#pragma GCC visibility push(default)
extern "C" {

void __kmpc_doacross_init(void* location, std::int32_t thread, std::int32_t count, const Dimension* dimensions) {
  if (depth < loops.size())
    loops[depth] = modules::is_openmp(caller()) ? Loop() : loop_of({dimensions, static_cast<std::size_t>(count)});
  ++depth;
  real_init(location, thread, count, dimensions);
}

void __kmpc_doacross_wait(void* location, std::int32_t thread, const std::int64_t* iteration) {
  const auto where = tool::where();
  const bool known = where.thread != ThreadId::none;
  const Address pc = modules::is_openmp(caller()) ? ompt::call_pc : caller();
  const SinkKind kind = depth > 0 && depth <= loops.size() ? loops[depth - 1].kind(iteration) : SinkKind::iteration;
  if (known) raise(DoacrossWait{where.thread, where.task, true, pc, kind});
  real_wait(location, thread, iteration);
  if (known) raise(DoacrossWait{where.thread, where.task, false, pc});
}

void __kmpc_doacross_fini(void* location, std::int32_t thread) {
  if (depth > 0) --depth;
  real_fini(location, thread);
}

} // extern "C"
#pragma GCC visibility pop
