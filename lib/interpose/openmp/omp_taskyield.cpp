// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime's entry point of taskyield: it may run tasks, and has no event for its end.

#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"
#include "lib/ompt/quirks/taskyield.hpp"

#include <cstdint>

namespace {
constinit fletcher::interpose::Real<std::int32_t(void*, std::int32_t, int)> real_taskyield{"__kmpc_omp_taskyield"};
} // namespace

#pragma GCC visibility push(default)
extern "C" std::int32_t __kmpc_omp_taskyield(void* place, std::int32_t thread, int end_part) {
  const std::int32_t result = real_taskyield(place, thread, end_part);
  if (fletcher::interpose::outside_tool() != nullptr) fletcher::ompt::end_taskyield();
  return result;
}
#pragma GCC visibility pop
