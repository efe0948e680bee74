// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One-sided operations: from the call until the end of the epoch or a flush MPI may access the origin's buffers, and
// the target's window where that is the process itself. What other processes do to a window is not seen here.

#include "lib/interpose/mpi/epochs.hpp"

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;

namespace {

constinit Function<int(const void*, int, Handle, int, Displacement, int, Handle, Handle)> real_put{"MPI_Put"};
constinit Function<int(void*, int, Handle, int, Displacement, int, Handle, Handle)> real_get{"MPI_Get"};
constinit Function<int(const void*, int, Handle, int, Displacement, int, Handle, Handle, Handle)> real_accumulate{
    "MPI_Accumulate"};
constinit Function<int(const void*, int, Handle, void*, int, Handle, int, Displacement, int, Handle, Handle, Handle)>
    real_get_accumulate{"MPI_Get_accumulate"};
constinit Function<int(const void*, void*, Handle, int, Displacement, Handle, Handle)> real_fetch{"MPI_Fetch_and_op"};
constinit Function<int(const void*, const void*, void*, Handle, int, Displacement, Handle)> real_swap{
    "MPI_Compare_and_swap"};
constinit Function<int(const void*, int, Handle, int, Displacement, int, Handle, Handle, void*)> real_rput{"MPI_Rput"};
constinit Function<int(void*, int, Handle, int, Displacement, int, Handle, Handle, void*)> real_rget{"MPI_Rget"};
constinit Function<int(const void*, int, Handle, int, Displacement, int, Handle, Handle, Handle, void*)>
    real_raccumulate{"MPI_Raccumulate"};
constinit Function<int(int, Handle)> real_fence{"MPI_Win_fence"}, real_unlock{"MPI_Win_unlock"},
    real_flush{"MPI_Win_flush"}, real_flush_local{"MPI_Win_flush_local"};
constinit Function<int(Handle)> real_complete{"MPI_Win_complete"}, real_unlock_all{"MPI_Win_unlock_all"},
    real_flush_all{"MPI_Win_flush_all"}, real_flush_local_all{"MPI_Win_flush_local_all"};
constinit Function<int(void*)> real_free{"MPI_Win_free"};
constinit Function<int(int, int, int, Handle)> real_lock{"MPI_Win_lock"};
constinit Function<int(int, Handle)> real_lock_all{"MPI_Win_lock_all"};
constinit Function<int(Handle, int, Handle)> real_start{"MPI_Win_start"}, real_post{"MPI_Win_post"};
constinit Function<int(Handle)> real_wait{"MPI_Win_wait"};
constinit Function<int(Handle, int*)> real_test{"MPI_Win_test"};

} // namespace

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] int MPI_Put(const void* origin, int count, Handle type, int target, Displacement at, int target_count,
                          Handle target_type, Handle window) {
  const Target there{target, at, access::Kind::write, target_count, target_type};
  return originate(
      operate(caller(), real_put.name(), window, there), window, there,
      [&](Uses& uses) { uses.reads(origin, count, type); },
      [&] { return real_put(origin, count, type, target, at, target_count, target_type, window); });
}
[[gnu::weak]] int MPI_Get(void* origin, int count, Handle type, int target, Displacement at, int target_count,
                          Handle target_type, Handle window) {
  const Target there{target, at, access::Kind::read, target_count, target_type};
  return originate(
      operate(caller(), real_get.name(), window, there), window, there,
      [&](Uses& uses) { uses.writes(origin, count, type); },
      [&] { return real_get(origin, count, type, target, at, target_count, target_type, window); });
}
[[gnu::weak]] int MPI_Accumulate(const void* origin, int count, Handle type, int target, Displacement at,
                                 int target_count, Handle target_type, Handle operation, Handle window) {
  const Target there{target, at, access::Kind::atomic_write, target_count, target_type, operation};
  return originate(
      operate(caller(), real_accumulate.name(), window, there), window, there,
      [&](Uses& uses) { uses.reads(origin, count, type); },
      [&] { return real_accumulate(origin, count, type, target, at, target_count, target_type, operation, window); });
}
// Of operations that only fetch, what is combined may be of any value, a null pointer too.
[[gnu::weak]] int MPI_Get_accumulate(const void* origin, int count, Handle type, void* result, int result_count,
                                     Handle result_type, int target, Displacement at, int target_count,
                                     Handle target_type, Handle operation, Handle window) {
  const Target there{target, at, access::Kind::atomic_read, target_count, target_type};
  return originate(
      operate(caller(), real_get_accumulate.name(), window, there), window, there,
      [&](Uses& uses) { uses.writes(result, result_count, result_type); },
      [&] {
        return real_get_accumulate(origin, count, type, result, result_count, result_type, target, at, target_count,
                                   target_type, operation, window);
      });
}
[[gnu::weak]] int MPI_Fetch_and_op(const void* origin, void* result, Handle type, int target, Displacement at,
                                   Handle operation, Handle window) {
  const Target there{target, at, access::Kind::atomic_read, 1, type};
  return originate(
      operate(caller(), real_fetch.name(), window, there), window, there,
      [&](Uses& uses) { uses.writes(result, 1, type); },
      [&] { return real_fetch(origin, result, type, target, at, operation, window); });
}
[[gnu::weak]] int MPI_Compare_and_swap(const void* origin, const void* compared, void* result, Handle type, int target,
                                       Displacement at, Handle window) {
  const Target there{target, at, access::Kind::atomic_write, 1, type};
  return originate(
      operate(caller(), real_swap.name(), window, there), window, there,
      [&](Uses& uses) {
        uses.reads(origin, 1, type);
        uses.reads(compared, 1, type);
        uses.writes(result, 1, type);
      },
      [&] { return real_swap(origin, compared, result, type, target, at, window); });
}

[[gnu::weak]] int MPI_Rput(const void* origin, int count, Handle type, int target, Displacement at, int target_count,
                           Handle target_type, Handle window, void* request) {
  const Target there{target, at, access::Kind::write, target_count, target_type};
  return originate(
      operate(caller(), real_rput.name(), window, there), window, there, request,
      [&](Uses& uses) { uses.reads(origin, count, type); },
      [&] { return real_rput(origin, count, type, target, at, target_count, target_type, window, request); });
}
[[gnu::weak]] int MPI_Rget(void* origin, int count, Handle type, int target, Displacement at, int target_count,
                           Handle target_type, Handle window, void* request) {
  const Target there{target, at, access::Kind::read, target_count, target_type};
  return originate(
      operate(caller(), real_rget.name(), window, there), window, there, request,
      [&](Uses& uses) { uses.writes(origin, count, type); },
      [&] { return real_rget(origin, count, type, target, at, target_count, target_type, window, request); });
}
[[gnu::weak]] int MPI_Raccumulate(const void* origin, int count, Handle type, int target, Displacement at,
                                  int target_count, Handle target_type, Handle operation, Handle window,
                                  void* request) {
  const Target there{target, at, access::Kind::atomic_write, target_count, target_type, operation};
  return originate(
      operate(caller(), real_raccumulate.name(), window, there), window, there, request,
      [&](Uses& uses) { uses.reads(origin, count, type); },
      [&] {
        return real_raccumulate(origin, count, type, target, at, target_count, target_type, operation, window, request);
      });
}

[[gnu::weak]] int MPI_Win_fence(int assertion, Handle window) {
  return fence(turn(caller(), real_fence.name(), window), window, assertion,
               [&] { return real_fence(assertion, window); });
}
[[gnu::weak]] int MPI_Win_complete(Handle window) {
  return end_epoch(turn(caller(), real_complete.name(), window), window, all_targets,
                   [&] { return real_complete(window); });
}
[[gnu::weak]] int MPI_Win_unlock(int target, Handle window) {
  return end_epoch(turn_target(caller(), real_unlock.name(), window, target), window, target,
                   [&] { return real_unlock(target, window); });
}
[[gnu::weak]] int MPI_Win_unlock_all(Handle window) {
  return end_epoch(turn(caller(), real_unlock_all.name(), window), window, all_targets,
                   [&] { return real_unlock_all(window); });
}
[[gnu::weak]] int MPI_Win_flush(int target, Handle window) {
  return complete(operate(caller(), real_flush.name(), window, target), window, target,
                  [&] { return real_flush(target, window); });
}
[[gnu::weak]] int MPI_Win_flush_all(Handle window) {
  return complete(operate(caller(), real_flush_all.name(), window, all_targets), window, all_targets,
                  [&] { return real_flush_all(window); });
}
[[gnu::weak]] int MPI_Win_flush_local(int target, Handle window) {
  return complete(
      operate(caller(), real_flush_local.name(), window, target), window, target,
      [&] { return real_flush_local(target, window); }, Side::origin);
}
[[gnu::weak]] int MPI_Win_flush_local_all(Handle window) {
  return complete(
      operate(caller(), real_flush_local_all.name(), window, all_targets), window, all_targets,
      [&] { return real_flush_local_all(window); }, Side::origin);
}
[[gnu::weak]] int MPI_Win_free(void* window) {
  const Handle handle = abi() != nullptr ? abi()->handle_at(window, 0) : 0;
  const Call call = end_window(caller(), real_free.name(), handle);
  if (call) call.writes(window, abi()->handle_size());
  return complete(call, handle, all_targets, [&] { return real_free(window); });
}

[[gnu::weak]] int MPI_Win_lock(int type, int target, int assertion, Handle window) {
  return begin_epoch(turn_target(caller(), real_lock.name(), window, target), window, target,
                     [&] { return real_lock(type, target, assertion, window); });
}
[[gnu::weak]] int MPI_Win_lock_all(int assertion, Handle window) {
  return begin_epoch(turn(caller(), real_lock_all.name(), window), window, all_targets,
                     [&] { return real_lock_all(assertion, window); });
}
[[gnu::weak]] int MPI_Win_start(Handle group, int assertion, Handle window) {
  return begin_epoch(turn(caller(), real_start.name(), window), window, all_targets,
                     [&] { return real_start(group, assertion, window); });
}
[[gnu::weak]] int MPI_Win_post(Handle group, int assertion, Handle window) {
  return watched(turn(caller(), real_post.name(), window, exposure),
                 [&] { return real_post(group, assertion, window); });
}
[[gnu::weak]] int MPI_Win_wait(Handle window) {
  return watched(turn(caller(), real_wait.name(), window, exposure), [&] { return real_wait(window); });
}
[[gnu::weak]] int MPI_Win_test(Handle window, int* flag) {
  const Call call = turn(caller(), real_test.name(), window, exposure);
  const int error = real_test(window, flag);
  call.writes(flag, sizeof *flag);
  return error;
}

} // extern "C"
#pragma GCC visibility pop
