// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One-sided operations on their origin's side, and epochs, from Fortran.

#include "lib/interpose/mpi/epochs.hpp"
#include "lib/interpose/mpi/fortran/fortran.hpp"

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;
using namespace fletcher::interpose::mpi::fortran;

namespace {

// The origin's buffer, count and datatype, the target's rank, displacement, count and datatype.
constinit Subroutine<void*, int*, int*, int*, Displacement*, int*, int*, int*> real_put{"mpi_put_"},
    real_get{"mpi_get_"};
constinit Subroutine<void*, int*, int*, int*, Displacement*, int*, int*, int*, int*> real_accumulate{"mpi_accumulate_"},
    real_rput{"mpi_rput_"}, real_rget{"mpi_rget_"};
constinit Subroutine<void*, int*, int*, int*, Displacement*, int*, int*, int*, int*, int*> real_raccumulate{
    "mpi_raccumulate_"};
constinit Subroutine<void*, int*, int*, void*, int*, int*, int*, Displacement*, int*, int*, int*, int*>
    real_get_accumulate{"mpi_get_accumulate_"};
constinit Subroutine<void*, void*, int*, int*, Displacement*, int*, int*> real_fetch{"mpi_fetch_and_op_"};
constinit Subroutine<void*, void*, void*, int*, int*, Displacement*, int*> real_swap{"mpi_compare_and_swap_"};
constinit Subroutine<int*, int*> real_fence{"mpi_win_fence_"}, real_unlock{"mpi_win_unlock_"},
    real_flush{"mpi_win_flush_"}, real_flush_local{"mpi_win_flush_local_"}, real_lock_all{"mpi_win_lock_all_"};
constinit Subroutine<int*> real_complete{"mpi_win_complete_"}, real_unlock_all{"mpi_win_unlock_all_"},
    real_flush_all{"mpi_win_flush_all_"}, real_flush_local_all{"mpi_win_flush_local_all_"}, real_wait{"mpi_win_wait_"},
    real_free{"mpi_win_free_"};
constinit Subroutine<int*, int*, int*, int*> real_lock{"mpi_win_lock_"};
constinit Subroutine<int*, int*, int*> real_start{"mpi_win_start_"}, real_post{"mpi_win_post_"};

/// `real(...)` begins an operation; `say(uses)` says what it does to the origin's memory.
template <class Say, class Real>
void originate(Address pc, const char* function, const int* window, const Target& target, const int* error, Say say,
               Real real) {
  const Handle on = window_if_checked(window);
  mpi::originate(storing(error, operate(pc, function, on, target)), on, target, say, real);
}
template <class Say, class Real>
void originate(Address pc, const char* function, const int* window, const Target& target, const int* made,
               const int* error, Say say, Real real) {
  const Handle on = window_if_checked(window);
  mpi::originate(storing(error, operate(pc, function, on, target)), on, target, requests(made), say, real);
}
/// What waits for operations to one target, or to all, and lets the epoch go on.
template <class Real>
void flush(Address pc, const char* function, const int* window, int target, const int* error, Real real,
           Side side = Side::target) {
  const Handle on = window_if_checked(window);
  complete(storing(error, operate(pc, function, on, target)), on, target, real, side);
}
/// What ends an epoch of all targets.
template <class Real> void end(Address pc, const char* function, const int* window, const int* error, Real real) {
  const Handle on = window_if_checked(window);
  complete(storing(error, turn(pc, function, on)), on, all_targets, real);
}
/// What begins one, or the exposure, or ends that.
template <class Real>
void begin(Address pc, const char* function, const int* window, int part, const int* error, Real real) {
  watched(storing(error, turn(pc, function, window_if_checked(window), part)), real);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] void mpi_put_(void* origin, int* count, int* type, int* target, Displacement* at, int* target_count,
                            int* target_type, int* window, int* error) {
  originate(
      caller(), real_put.name(), window, {*target, *at, access::Kind::write, *target_count, datatype(target_type)},
      error, [&](Uses& uses) { uses.reads(buffer(origin), *count, datatype(type)); },
      [&] { return real_put(origin, count, type, target, at, target_count, target_type, window, error); });
}
[[gnu::weak]] void mpi_get_(void* origin, int* count, int* type, int* target, Displacement* at, int* target_count,
                            int* target_type, int* window, int* error) {
  originate(
      caller(), real_get.name(), window, {*target, *at, access::Kind::read, *target_count, datatype(target_type)},
      error, [&](Uses& uses) { uses.writes(buffer(origin), *count, datatype(type)); },
      [&] { return real_get(origin, count, type, target, at, target_count, target_type, window, error); });
}
[[gnu::weak]] void mpi_accumulate_(void* origin, int* count, int* type, int* target, Displacement* at,
                                   int* target_count, int* target_type, int* operation, int* window, int* error) {
  originate(
      caller(), real_accumulate.name(), window,
      {*target, *at, access::Kind::atomic_write, *target_count, datatype(target_type)}, error,
      [&](Uses& uses) { uses.reads(buffer(origin), *count, datatype(type)); },
      [&] {
        return real_accumulate(origin, count, type, target, at, target_count, target_type, operation, window, error);
      });
}
[[gnu::weak]] void mpi_rput_(void* origin, int* count, int* type, int* target, Displacement* at, int* target_count,
                             int* target_type, int* window, int* made, int* error) {
  originate(
      caller(), real_rput.name(), window, {*target, *at, access::Kind::write, *target_count, datatype(target_type)},
      made, error, [&](Uses& uses) { uses.reads(buffer(origin), *count, datatype(type)); },
      [&] { return real_rput(origin, count, type, target, at, target_count, target_type, window, made, error); });
}
[[gnu::weak]] void mpi_rget_(void* origin, int* count, int* type, int* target, Displacement* at, int* target_count,
                             int* target_type, int* window, int* made, int* error) {
  originate(
      caller(), real_rget.name(), window, {*target, *at, access::Kind::read, *target_count, datatype(target_type)},
      made, error, [&](Uses& uses) { uses.writes(buffer(origin), *count, datatype(type)); },
      [&] { return real_rget(origin, count, type, target, at, target_count, target_type, window, made, error); });
}
[[gnu::weak]] void mpi_raccumulate_(void* origin, int* count, int* type, int* target, Displacement* at,
                                    int* target_count, int* target_type, int* operation, int* window, int* made,
                                    int* error) {
  originate(
      caller(), real_raccumulate.name(), window,
      {*target, *at, access::Kind::atomic_write, *target_count, datatype(target_type)}, made, error,
      [&](Uses& uses) { uses.reads(buffer(origin), *count, datatype(type)); },
      [&] {
        return real_raccumulate(origin, count, type, target, at, target_count, target_type, operation, window, made,
                                error);
      });
}
[[gnu::weak]] void mpi_get_accumulate_(void* origin, int* count, int* type, void* result, int* result_count,
                                       int* result_type, int* target, Displacement* at, int* target_count,
                                       int* target_type, int* operation, int* window, int* error) {
  originate(
      caller(), real_get_accumulate.name(), window,
      {*target, *at, access::Kind::atomic_read, *target_count, datatype(target_type)}, error,
      [&](Uses& uses) { uses.writes(buffer(result), *result_count, datatype(result_type)); },
      [&] {
        return real_get_accumulate(origin, count, type, result, result_count, result_type, target, at, target_count,
                                   target_type, operation, window, error);
      });
}
[[gnu::weak]] void mpi_fetch_and_op_(void* origin, void* result, int* type, int* target, Displacement* at,
                                     int* operation, int* window, int* error) {
  originate(
      caller(), real_fetch.name(), window, {*target, *at, access::Kind::atomic_read, 1, datatype(type)}, error,
      [&](Uses& uses) { uses.writes(buffer(result), 1, datatype(type)); },
      [&] { return real_fetch(origin, result, type, target, at, operation, window, error); });
}
[[gnu::weak]] void mpi_compare_and_swap_(void* origin, void* compared, void* result, int* type, int* target,
                                         Displacement* at, int* window, int* error) {
  originate(
      caller(), real_swap.name(), window, {*target, *at, access::Kind::atomic_write, 1, datatype(type)}, error,
      [&](Uses& uses) {
        uses.reads(buffer(origin), 1, datatype(type));
        uses.reads(buffer(compared), 1, datatype(type));
        uses.writes(buffer(result), 1, datatype(type));
      },
      [&] { return real_swap(origin, compared, result, type, target, at, window, error); });
}

[[gnu::weak]] void mpi_win_fence_(int* assertion, int* window, int* error) {
  end(caller(), real_fence.name(), window, error, [&] { return real_fence(assertion, window, error); });
}
[[gnu::weak]] void mpi_win_complete_(int* window, int* error) {
  end(caller(), real_complete.name(), window, error, [&] { return real_complete(window, error); });
}
[[gnu::weak]] void mpi_win_unlock_all_(int* window, int* error) {
  end(caller(), real_unlock_all.name(), window, error, [&] { return real_unlock_all(window, error); });
}
[[gnu::weak]] void mpi_win_unlock_(int* target, int* window, int* error) {
  const Handle on = window_if_checked(window);
  complete(storing(error, turn_target(caller(), real_unlock.name(), on, *target)), on, *target,
           [&] { return real_unlock(target, window, error); });
}
[[gnu::weak]] void mpi_win_flush_(int* target, int* window, int* error) {
  flush(caller(), real_flush.name(), window, *target, error, [&] { return real_flush(target, window, error); });
}
[[gnu::weak]] void mpi_win_flush_local_(int* target, int* window, int* error) {
  flush(
      caller(), real_flush_local.name(), window, *target, error,
      [&] { return real_flush_local(target, window, error); }, Side::origin);
}
[[gnu::weak]] void mpi_win_flush_all_(int* window, int* error) {
  flush(caller(), real_flush_all.name(), window, all_targets, error, [&] { return real_flush_all(window, error); });
}
[[gnu::weak]] void mpi_win_flush_local_all_(int* window, int* error) {
  flush(
      caller(), real_flush_local_all.name(), window, all_targets, error,
      [&] { return real_flush_local_all(window, error); }, Side::origin);
}
[[gnu::weak]] void mpi_win_free_(int* window, int* error) {
  const Handle handle = window_if_checked(window);
  const Call call = storing(error, end_window(caller(), real_free.name(), handle));
  if (call) call.writes(window, sizeof *window);
  complete(call, handle, all_targets, [&] { return real_free(window, error); });
}

[[gnu::weak]] void mpi_win_lock_(int* type, int* target, int* assertion, int* window, int* error) {
  watched(storing(error, turn_target(caller(), real_lock.name(), window_if_checked(window), *target)),
          [&] { return real_lock(type, target, assertion, window, error); });
}
[[gnu::weak]] void mpi_win_lock_all_(int* assertion, int* window, int* error) {
  begin(caller(), real_lock_all.name(), window, all_targets, error,
        [&] { return real_lock_all(assertion, window, error); });
}
[[gnu::weak]] void mpi_win_start_(int* group, int* assertion, int* window, int* error) {
  begin(caller(), real_start.name(), window, all_targets, error,
        [&] { return real_start(group, assertion, window, error); });
}
[[gnu::weak]] void mpi_win_post_(int* group, int* assertion, int* window, int* error) {
  begin(caller(), real_post.name(), window, exposure, error,
        [&] { return real_post(group, assertion, window, error); });
}
[[gnu::weak]] void mpi_win_wait_(int* window, int* error) {
  begin(caller(), real_wait.name(), window, exposure, error, [&] { return real_wait(window, error); });
}

// The module mpi_f08 of Open MPI.
extern decltype(mpi_put_) mpi_put_f08_ [[gnu::weak, gnu::alias("mpi_put_")]];
extern decltype(mpi_get_) mpi_get_f08_ [[gnu::weak, gnu::alias("mpi_get_")]];
extern decltype(mpi_accumulate_) mpi_accumulate_f08_ [[gnu::weak, gnu::alias("mpi_accumulate_")]];
extern decltype(mpi_rput_) mpi_rput_f08_ [[gnu::weak, gnu::alias("mpi_rput_")]];
extern decltype(mpi_rget_) mpi_rget_f08_ [[gnu::weak, gnu::alias("mpi_rget_")]];
extern decltype(mpi_raccumulate_) mpi_raccumulate_f08_ [[gnu::weak, gnu::alias("mpi_raccumulate_")]];
extern decltype(mpi_get_accumulate_) mpi_get_accumulate_f08_ [[gnu::weak, gnu::alias("mpi_get_accumulate_")]];
extern decltype(mpi_fetch_and_op_) mpi_fetch_and_op_f08_ [[gnu::weak, gnu::alias("mpi_fetch_and_op_")]];
extern decltype(mpi_compare_and_swap_) mpi_compare_and_swap_f08_ [[gnu::weak, gnu::alias("mpi_compare_and_swap_")]];
extern decltype(mpi_win_fence_) mpi_win_fence_f08_ [[gnu::weak, gnu::alias("mpi_win_fence_")]];
extern decltype(mpi_win_complete_) mpi_win_complete_f08_ [[gnu::weak, gnu::alias("mpi_win_complete_")]];
extern decltype(mpi_win_unlock_all_) mpi_win_unlock_all_f08_ [[gnu::weak, gnu::alias("mpi_win_unlock_all_")]];
extern decltype(mpi_win_unlock_) mpi_win_unlock_f08_ [[gnu::weak, gnu::alias("mpi_win_unlock_")]];
extern decltype(mpi_win_flush_) mpi_win_flush_f08_ [[gnu::weak, gnu::alias("mpi_win_flush_")]];
extern decltype(mpi_win_flush_local_) mpi_win_flush_local_f08_ [[gnu::weak, gnu::alias("mpi_win_flush_local_")]];
extern decltype(mpi_win_flush_all_) mpi_win_flush_all_f08_ [[gnu::weak, gnu::alias("mpi_win_flush_all_")]];
extern decltype(mpi_win_flush_local_all_) mpi_win_flush_local_all_f08_
    [[gnu::weak, gnu::alias("mpi_win_flush_local_all_")]];
extern decltype(mpi_win_free_) mpi_win_free_f08_ [[gnu::weak, gnu::alias("mpi_win_free_")]];
extern decltype(mpi_win_lock_) mpi_win_lock_f08_ [[gnu::weak, gnu::alias("mpi_win_lock_")]];
extern decltype(mpi_win_lock_all_) mpi_win_lock_all_f08_ [[gnu::weak, gnu::alias("mpi_win_lock_all_")]];
extern decltype(mpi_win_start_) mpi_win_start_f08_ [[gnu::weak, gnu::alias("mpi_win_start_")]];
extern decltype(mpi_win_post_) mpi_win_post_f08_ [[gnu::weak, gnu::alias("mpi_win_post_")]];
extern decltype(mpi_win_wait_) mpi_win_wait_f08_ [[gnu::weak, gnu::alias("mpi_win_wait_")]];

} // extern "C"
#pragma GCC visibility pop
