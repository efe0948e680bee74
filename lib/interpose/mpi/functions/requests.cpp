// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What completes pending operations: waits and tests of one, all, any and some requests, and giving a request up.

#include "lib/interpose/mpi/completion.hpp"
#include "lib/interpose/mpi/persistent.hpp"

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;

namespace {

constinit Function<int(void*, void*)> real_wait{"MPI_Wait"};
constinit Function<int(void*, int*, void*)> real_test{"MPI_Test"};
constinit Function<int(int, void*, void*)> real_waitall{"MPI_Waitall"};
constinit Function<int(int, void*, int*, void*)> real_testall{"MPI_Testall"}, real_waitany{"MPI_Waitany"};
constinit Function<int(int, void*, int*, int*, void*)> real_testany{"MPI_Testany"};
constinit Function<int(int, void*, int*, int*, void*)> real_waitsome{"MPI_Waitsome"}, real_testsome{"MPI_Testsome"};
constinit Function<int(void*)> real_request_free{"MPI_Request_free"}, real_cancel{"MPI_Cancel"};
constinit Function<int(Handle, int*, void*)> real_get_status{"MPI_Request_get_status"};

int complete_some(Function<int(int, void*, int*, int*, void*)>& real, Address pc, int count, void* requests,
                  int* completed, int* indices, void* statuses) {
  const Completion of(pc, real.name(), requests, count);
  const int error = real(count, requests, completed, indices, statuses);
  if (!of.call || *completed < 0 || *completed > count) return error; // MPI_UNDEFINED
  for (int i = 0; i < *completed; ++i) of.awaited.completed(static_cast<std::size_t>(indices[i]));
  of.call.writes(completed, sizeof *completed);
  of.call.writes(indices, sizeof *indices * static_cast<std::size_t>(*completed));
  of.call.status(statuses, *completed);
  return error;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

// An operation that failed is over, too.

[[gnu::weak]] int MPI_Wait(void* request, void* status) {
  const Completion of(caller(), real_wait.name(), request, 1);
  const int error = real_wait(request, status);
  if (of.call) {
    of.awaited.completed();
    of.call.status(status);
  }
  return error;
}
[[gnu::weak]] int MPI_Test(void* request, int* flag, void* status) {
  const Completion of(caller(), real_test.name(), request, 1);
  const int error = real_test(request, flag, status);
  if (of.call && *flag != 0) {
    of.awaited.completed();
    of.call.status(status);
  }
  return error;
}

[[gnu::weak]] int MPI_Waitall(int count, void* requests, void* statuses) {
  const Completion of(caller(), real_waitall.name(), requests, count);
  const int error = real_waitall(count, requests, statuses);
  if (of.call) {
    of.awaited.completed();
    of.call.status(statuses, count);
  }
  return error;
}
[[gnu::weak]] int MPI_Testall(int count, void* requests, int* flag, void* statuses) {
  const Completion of(caller(), real_testall.name(), requests, count);
  const int error = real_testall(count, requests, flag, statuses);
  if (of.call && *flag != 0) {
    of.awaited.completed();
    of.call.status(statuses, count);
  }
  return error;
}

[[gnu::weak]] int MPI_Waitany(int count, void* requests, int* index, void* status) {
  const Completion of(caller(), real_waitany.name(), requests, count);
  const int error = real_waitany(count, requests, index, status);
  if (of.call && *index >= 0) {
    of.awaited.completed(static_cast<std::size_t>(*index));
    of.call.status(status);
  }
  return error;
}
[[gnu::weak]] int MPI_Testany(int count, void* requests, int* index, int* flag, void* status) {
  const Completion of(caller(), real_testany.name(), requests, count);
  const int error = real_testany(count, requests, index, flag, status);
  if (of.call && *flag != 0 && *index >= 0) {
    of.awaited.completed(static_cast<std::size_t>(*index));
    of.call.status(status);
  }
  return error;
}

[[gnu::weak]] int MPI_Waitsome(int count, void* requests, int* completed, int* indices, void* statuses) {
  return complete_some(real_waitsome, caller(), count, requests, completed, indices, statuses);
}
[[gnu::weak]] int MPI_Testsome(int count, void* requests, int* completed, int* indices, void* statuses) {
  return complete_some(real_testsome, caller(), count, requests, completed, indices, statuses);
}

/// The operation goes on, and nobody can ask any more whether it is complete: a program that does this to a send knows
/// it by other means.
[[gnu::weak]] int MPI_Request_free(void* request) {
  const Completion of(caller(), real_request_free.name(), request, 1);
  if (of.call) persistent::forget(RequestVariables(request).handle());
  const int error = real_request_free(request);
  if (of.call) of.awaited.given_up();
  return error;
}
/// It is still to be completed.
[[gnu::weak]] int MPI_Cancel(void* request) {
  const Call call(caller(), real_cancel.name());
  if (call) call.reads(request, RequestVariables(request).size_of_one());
  return real_cancel(request);
}
[[gnu::weak]] int MPI_Request_get_status(Handle request, int* flag, void* status) {
  const Call call(caller(), real_get_status.name());
  const int error = real_get_status(request, flag, status);
  if (call && error == success && *flag != 0) {
    operations::seen_complete(abi()->clean(request));
    call.status(status);
  }
  return error;
}

} // extern "C"
#pragma GCC visibility pop
