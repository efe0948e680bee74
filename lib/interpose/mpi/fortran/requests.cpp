// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What starts and completes operations, from Fortran. Indices begin with 1.

#include "lib/interpose/mpi/fortran/fortran.hpp"

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;
using namespace fletcher::interpose::mpi::fortran;

namespace {

constinit Subroutine<int*> real_start{"mpi_start_"}, real_request_free{"mpi_request_free_"}, real_cancel{"mpi_cancel_"};
constinit Subroutine<int*, int*> real_startall{"mpi_startall_"}, real_wait{"mpi_wait_"};
constinit Subroutine<int*, int*, int*> real_test{"mpi_test_"}, real_waitall{"mpi_waitall_"};
constinit Subroutine<int*, int*, int*, int*> real_testall{"mpi_testall_"}, real_waitany{"mpi_waitany_"};
using SomeOrAny = Subroutine<int*, int*, int*, int*, int*>;
constinit SomeOrAny real_testany{"mpi_testany_"}, real_waitsome{"mpi_waitsome_"}, real_testsome{"mpi_testsome_"};

/// The call has stored them.
void status(const Call& call, const int* statuses, int count) {
  if (count > 0 && !is_ignored(statuses)) call.writes(statuses, abi()->status_size() * static_cast<std::size_t>(count));
}

void one_is_complete(const Completion& of, int index, const int* its_status) {
  if (index < 1) return; // MPI_UNDEFINED
  of.awaited.completed(static_cast<std::size_t>(index - 1));
  status(of.call, its_status, 1);
}
void all_are_complete(const Completion& of, const int* statuses, int count) {
  of.awaited.completed();
  status(of.call, statuses, count);
}

void complete_some(SomeOrAny& real, Address pc, int* count, int* variables, int* completed, int* indices, int* statuses,
                   int* error) {
  const Completion of(call_to(pc, real.name(), error), requests(variables), *count);
  real(count, variables, completed, indices, statuses, error);
  if (!of.call || *completed < 0 || *completed > *count) return;
  for (int i = 0; i < *completed; ++i) of.awaited.completed(static_cast<std::size_t>(indices[i] - 1));
  of.call.writes(completed, sizeof *completed);
  of.call.writes(indices, sizeof *indices * static_cast<std::size_t>(*completed));
  status(of.call, statuses, *completed);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] void mpi_start_(int* variable, int* error) {
  const Call call = call_to(caller(), real_start.name(), error);
  persistent::expect_inactive(call, requests(variable), 1);
  const int result = real_start(variable, error);
  if (call && result == success) persistent::started(call, requests(variable), 1);
}
[[gnu::weak]] void mpi_startall_(int* count, int* variables, int* error) {
  const Call call = call_to(caller(), real_startall.name(), error);
  persistent::expect_inactive(call, requests(variables), *count);
  const int result = real_startall(count, variables, error);
  if (call && result == success) persistent::started(call, requests(variables), *count);
}
[[gnu::weak]] void mpi_wait_(int* variable, int* its_status, int* error) {
  const Completion of(call_to(caller(), real_wait.name(), error), requests(variable), 1);
  real_wait(variable, its_status, error);
  if (of.call) one_is_complete(of, 1, its_status);
}
[[gnu::weak]] void mpi_test_(int* variable, int* flag, int* its_status, int* error) {
  const Completion of(call_to(caller(), real_test.name(), error), requests(variable), 1);
  real_test(variable, flag, its_status, error);
  if (of.call && *flag != 0) one_is_complete(of, 1, its_status);
}
[[gnu::weak]] void mpi_waitall_(int* count, int* variables, int* statuses, int* error) {
  const Completion of(call_to(caller(), real_waitall.name(), error), requests(variables), *count);
  real_waitall(count, variables, statuses, error);
  if (of.call) all_are_complete(of, statuses, *count);
}
[[gnu::weak]] void mpi_testall_(int* count, int* variables, int* flag, int* statuses, int* error) {
  const Completion of(call_to(caller(), real_testall.name(), error), requests(variables), *count);
  real_testall(count, variables, flag, statuses, error);
  if (of.call && *flag != 0) all_are_complete(of, statuses, *count);
}
[[gnu::weak]] void mpi_waitany_(int* count, int* variables, int* index, int* its_status, int* error) {
  const Completion of(call_to(caller(), real_waitany.name(), error), requests(variables), *count);
  real_waitany(count, variables, index, its_status, error);
  if (of.call) one_is_complete(of, *index, its_status);
}
[[gnu::weak]] void mpi_testany_(int* count, int* variables, int* index, int* flag, int* its_status, int* error) {
  const Completion of(call_to(caller(), real_testany.name(), error), requests(variables), *count);
  real_testany(count, variables, index, flag, its_status, error);
  if (of.call && *flag != 0) one_is_complete(of, *index, its_status);
}
[[gnu::weak]] void mpi_waitsome_(int* count, int* variables, int* completed, int* indices, int* statuses, int* error) {
  complete_some(real_waitsome, caller(), count, variables, completed, indices, statuses, error);
}
[[gnu::weak]] void mpi_testsome_(int* count, int* variables, int* completed, int* indices, int* statuses, int* error) {
  complete_some(real_testsome, caller(), count, variables, completed, indices, statuses, error);
}
[[gnu::weak]] void mpi_request_free_(int* variable, int* error) {
  const Completion of(call_to(caller(), real_request_free.name(), error), requests(variable), 1);
  if (of.call) persistent::forget(requests(variable).handle());
  real_request_free(variable, error);
  if (of.call) of.awaited.given_up();
}
[[gnu::weak]] void mpi_cancel_(int* variable, int* error) {
  const Call call = call_to(caller(), real_cancel.name(), error);
  if (call) call.reads(variable, sizeof *variable);
  real_cancel(variable, error);
}

// The module mpi_f08 of Open MPI.
extern decltype(mpi_start_) mpi_start_f08_ [[gnu::weak, gnu::alias("mpi_start_")]];
extern decltype(mpi_startall_) mpi_startall_f08_ [[gnu::weak, gnu::alias("mpi_startall_")]];
extern decltype(mpi_wait_) mpi_wait_f08_ [[gnu::weak, gnu::alias("mpi_wait_")]];
extern decltype(mpi_test_) mpi_test_f08_ [[gnu::weak, gnu::alias("mpi_test_")]];
extern decltype(mpi_waitall_) mpi_waitall_f08_ [[gnu::weak, gnu::alias("mpi_waitall_")]];
extern decltype(mpi_testall_) mpi_testall_f08_ [[gnu::weak, gnu::alias("mpi_testall_")]];
extern decltype(mpi_waitany_) mpi_waitany_f08_ [[gnu::weak, gnu::alias("mpi_waitany_")]];
extern decltype(mpi_testany_) mpi_testany_f08_ [[gnu::weak, gnu::alias("mpi_testany_")]];
extern decltype(mpi_waitsome_) mpi_waitsome_f08_ [[gnu::weak, gnu::alias("mpi_waitsome_")]];
extern decltype(mpi_testsome_) mpi_testsome_f08_ [[gnu::weak, gnu::alias("mpi_testsome_")]];
extern decltype(mpi_cancel_) mpi_cancel_f08_ [[gnu::weak, gnu::alias("mpi_cancel_")]];
extern decltype(mpi_request_free_) mpi_request_free_f08_ [[gnu::weak, gnu::alias("mpi_request_free_")]];

} // extern "C"
#pragma GCC visibility pop
