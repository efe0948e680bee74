// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What starts and completes operations, from Fortran. Indices begin with 1.

#include "lib/interpose/mpi/fortran.hpp"

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;
using namespace fletcher::interpose::mpi::fortran;

namespace {

constinit Function<void(int*, int*)> real_start{"mpi_start_"}, real_request_free{"mpi_request_free_"};
constinit Function<void(int*, int*, int*)> real_startall{"mpi_startall_"}, real_wait{"mpi_wait_"};
constinit Function<void(int*, int*, int*, int*)> real_test{"mpi_test_"}, real_waitall{"mpi_waitall_"};
constinit Function<void(int*, int*, int*, int*, int*)> real_testall{"mpi_testall_"}, real_waitany{"mpi_waitany_"};
using SomeOrAny = Function<void(int*, int*, int*, int*, int*, int*)>;
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
  const Completion of(pc, real.name(), requests(variables), *count);
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
  const Call call(caller(), real_start.name());
  real_start(variable, error);
  if (call && *error == success) persistent::started(call, requests(variable), 1);
}
[[gnu::weak]] void mpi_startall_(int* count, int* variables, int* error) {
  const Call call(caller(), real_startall.name());
  real_startall(count, variables, error);
  if (call && *error == success) persistent::started(call, requests(variables), *count);
}
[[gnu::weak]] void mpi_wait_(int* variable, int* its_status, int* error) {
  const Completion of(caller(), real_wait.name(), requests(variable), 1);
  real_wait(variable, its_status, error);
  if (of.call) one_is_complete(of, 1, its_status);
}
[[gnu::weak]] void mpi_test_(int* variable, int* flag, int* its_status, int* error) {
  const Completion of(caller(), real_test.name(), requests(variable), 1);
  real_test(variable, flag, its_status, error);
  if (of.call && *flag != 0) one_is_complete(of, 1, its_status);
}
[[gnu::weak]] void mpi_waitall_(int* count, int* variables, int* statuses, int* error) {
  const Completion of(caller(), real_waitall.name(), requests(variables), *count);
  real_waitall(count, variables, statuses, error);
  if (of.call) all_are_complete(of, statuses, *count);
}
[[gnu::weak]] void mpi_testall_(int* count, int* variables, int* flag, int* statuses, int* error) {
  const Completion of(caller(), real_testall.name(), requests(variables), *count);
  real_testall(count, variables, flag, statuses, error);
  if (of.call && *flag != 0) all_are_complete(of, statuses, *count);
}
[[gnu::weak]] void mpi_waitany_(int* count, int* variables, int* index, int* its_status, int* error) {
  const Completion of(caller(), real_waitany.name(), requests(variables), *count);
  real_waitany(count, variables, index, its_status, error);
  if (of.call) one_is_complete(of, *index, its_status);
}
[[gnu::weak]] void mpi_testany_(int* count, int* variables, int* index, int* flag, int* its_status, int* error) {
  const Completion of(caller(), real_testany.name(), requests(variables), *count);
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
  const Completion of(caller(), real_request_free.name(), requests(variable), 1);
  if (of.call) persistent::forget(requests(variable).handle());
  real_request_free(variable, error);
  if (of.call) of.awaited.completed();
}

} // extern "C"
#pragma GCC visibility pop
