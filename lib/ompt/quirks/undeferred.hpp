// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a task is undeferred by its clauses. The runtime says so of every task of a team of one (llvm#89398); the
// truth is in the call: interposed entry points leave a hint.
#pragma once

#include "checker/ids.hpp"

#include <cstdint>

namespace fletcher::ompt {

/// What an interposed entry point knows about the tasks that the runtime is about to create for it on this thread.
enum class CallHint : std::uint8_t {
  none,
  deferred,     ///< GOMP_task, __kmpc_omp_task*: the if clause is true or absent
  undeferred,   ///< __kmpc_omp_task_begin_if0, GOMP_task with a false if clause
  taskloop,     ///< __kmpc_taskloop*, GOMP_taskloop*
  taskloop_if0, ///< the same with a false if clause
};
[[gnu::tls_model("initial-exec")]] inline constinit thread_local CallHint call_hint = CallHint::none;
/// Where that call returns to, in the program.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local Address call_pc = 0;

/// Of a target task that clang's code has allocated, and is about to create, the place; 0: of none.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local Address target_task_pc = 0;

} // namespace fletcher::ompt
