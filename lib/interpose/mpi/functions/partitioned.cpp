// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partitioned messages: a part is sent from the moment at which it is said to be ready, and received until it is known
// to have arrived, by any thread.

#include "lib/interpose/mpi/transfers.hpp"

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;

namespace {

using Prepare = int(void*, int, std::int64_t, Handle, int, int, Handle, Handle, void*);
constinit Function<Prepare> real_send{"MPI_Psend_init"}, real_receive{"MPI_Precv_init"};
constinit Function<int(int, Handle)> real_ready{"MPI_Pready"};
constinit Function<int(int, int, Handle)> real_ready_range{"MPI_Pready_range"};
constinit Function<int(int, const int*, Handle)> real_ready_list{"MPI_Pready_list"};
constinit Function<int(Handle, int, int*)> real_arrived{"MPI_Parrived"};

template <access::Kind kind>
int prepare(Function<Prepare>& real, const Call& call, void* buffer, int partitions, std::int64_t count, Handle type,
            int other, int tag, Handle communicator, Handle hints, void* request) {
  if (call) call.writes(request, abi()->handle_size());
  const int error = real(buffer, partitions, count, type, other, tag, communicator, hints, request);
  if (call && error == success && other >= 0) // MPI_PROC_NULL is negative
    persistent::prepared(RequestVariables(request), {kind, buffer, partitions, count, type});
  return error;
}

/// `real()` sends the parts, `partition(i)` is the i-th of them. Another thread may wait for all of them already, and
/// be the first to know that they are sent: so they begin before.
template <class Partition, class Real>
int send(const Call& call, Handle request, int count, Partition partition, Real real) {
  const auto parts = call ? persistent::partitions_of(abi()->clean(request)) : std::nullopt;
  for (int i = 0; parts && i < count; ++i)
    operations::begin_partition(call, abi()->clean(request), partition(i), parts->uses(partition(i)));
  return real();
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] int MPI_Psend_init(void* buffer, int partitions, std::int64_t count, Handle type, int to, int tag,
                                 Handle communicator, Handle hints, void* request) {
  return prepare<access::Kind::read>(real_send, Call(caller(), real_send.name()), buffer, partitions, count, type, to,
                                     tag, communicator, hints, request);
}
[[gnu::weak]] int MPI_Precv_init(void* buffer, int partitions, std::int64_t count, Handle type, int from, int tag,
                                 Handle communicator, Handle hints, void* request) {
  return prepare<access::Kind::write>(real_receive, Call(caller(), real_receive.name()), buffer, partitions, count,
                                      type, from, tag, communicator, hints, request);
}
[[gnu::weak]] int MPI_Pready(int partition, Handle request) {
  return send(
      Call(caller(), real_ready.name()), request, 1, [&](int) { return partition; },
      [&] { return real_ready(partition, request); });
}
[[gnu::weak]] int MPI_Pready_range(int first, int last, Handle request) {
  return send(
      Call(caller(), real_ready_range.name()), request, last - first + 1, [&](int i) { return first + i; },
      [&] { return real_ready_range(first, last, request); });
}
[[gnu::weak]] int MPI_Pready_list(int count, const int* partitions, Handle request) {
  return send(
      Call(caller(), real_ready_list.name()), request, count, [&](int i) { return partitions[i]; },
      [&] { return real_ready_list(count, partitions, request); });
}
[[gnu::weak]] int MPI_Parrived(Handle request, int partition, int* flag) {
  const Call call(caller(), real_arrived.name());
  const int error = real_arrived(request, partition, flag);
  if (!call || error != success) return error;
  if (*flag != 0) operations::seen_complete(abi()->clean(request), partition);
  call.writes(flag, sizeof *flag);
  return error;
}

} // extern "C"
#pragma GCC visibility pop
