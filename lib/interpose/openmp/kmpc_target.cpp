// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Target tasks of clang's programs: the call that creates one has no line of its own. The one before it has, which
// allocates the task.

#include "lib/interpose/observe.hpp"
#include "lib/interpose/real.hpp"
#include "lib/ompt/quirks/undeferred.hpp"

#include <cstddef>
#include <cstdint>

using namespace fletcher;
using namespace fletcher::interpose;

namespace {

constinit Real<void*(void*, std::int32_t, std::int32_t, std::size_t, std::size_t, void*, std::int64_t)> real_alloc{
    "__kmpc_omp_target_task_alloc"};

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void* __kmpc_omp_target_task_alloc(void* place, std::int32_t thread, std::int32_t flags, std::size_t size,
                                   std::size_t shared_size, void* entry, std::int64_t device) {
  void* const task = real_alloc(place, thread, flags, size, shared_size, entry, device);
  ompt::target_task_pc = caller();
  return task;
}

} // extern "C"
#pragma GCC visibility pop
