// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gcc's tasks with a detach clause. LLVM's GOMP_task knows nothing of it (up to LLVM 19): the program's event handle
// stays uninitialised, and fulfilling it crashes. Such a task is made here of the runtime's own entry points, as they
// are called for clang's programs.
#pragma once

namespace fletcher::interpose {

using GompBody = void(void* data);
using GompCopy = void(void* to, void* from);
using GompTask = void(GompBody*, void* data, GompCopy*, long size, long align, bool if_clause, unsigned flags,
                      void** depend, int priority, void* detach);

/// GOMP_TASK_FLAG_DETACH, of a call of GOMP_task.
inline constexpr unsigned gomp_flag_detach = 1u << 13;

/// What GOMP_task has to do with such a task. Nothing is made where the runtime lacks one of the entry points: then
/// false.
bool make_gomp_detachable_task(GompBody* body, void* data, GompCopy* copy, long size, long align, bool if_clause,
                               unsigned flags, void** depend, void* detach);

} // namespace fletcher::interpose
