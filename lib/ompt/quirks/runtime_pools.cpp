// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/ompt/quirks/runtime_pools.hpp"

#include <cstdlib>

namespace fletcher::ompt {

namespace {

constexpr const char* increment = "KMP_MALLOC_POOL_INCR";
/// More than malloc() ever takes from its own memory: how that behaves stays the same.
constexpr const char* large = "64m";

constinit bool enlarged = false;

} // namespace

void enlarge_runtime_pools() noexcept {
  if (std::getenv(increment) == nullptr) enlarged = setenv(increment, large, 0) == 0;
}

void runtime_has_its_pools() noexcept {
  if (enlarged) unsetenv(increment);
  enlarged = false;
}

} // namespace fletcher::ompt
