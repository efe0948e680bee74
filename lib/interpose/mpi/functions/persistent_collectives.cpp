// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collective operations that are prepared once and started again and again.

#include "lib/interpose/mpi/transfers.hpp"
#include "lib/interpose/mpi/uses/collective_uses.hpp"

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;

namespace {

// The hints and the request come last.
using Reduction = int(const void*, void*, int, Handle, Handle, Handle, Handle, void*);
using Exchange = int(const void*, int, Handle, void*, int, Handle, Handle, Handle, void*);
using Rooted = int(const void*, int, Handle, void*, int, Handle, int, Handle, Handle, void*);

constinit Function<int(Handle, Handle, void*)> real_barrier{"MPI_Barrier_init"};
constinit Function<int(void*, int, Handle, int, Handle, Handle, void*)> real_bcast{"MPI_Bcast_init"};
constinit Function<int(const void*, void*, int, Handle, Handle, int, Handle, Handle, void*)> real_reduce{
    "MPI_Reduce_init"};
constinit Function<Reduction> real_allreduce{"MPI_Allreduce_init"}, real_scan{"MPI_Scan_init"},
    real_exscan{"MPI_Exscan_init"};
constinit Function<Rooted> real_gather{"MPI_Gather_init"}, real_scatter{"MPI_Scatter_init"};
constinit Function<Exchange> real_allgather{"MPI_Allgather_init"}, real_alltoall{"MPI_Alltoall_init"};

} // namespace

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] int MPI_Barrier_init(Handle on, Handle hints, void* request) {
  return prepare_collective<collectives::barrier>(real_barrier, caller(), on, hints, request, on);
}
[[gnu::weak]] int MPI_Bcast_init(void* buffer, int count, Handle type, int root, Handle on, Handle hints,
                                 void* request) {
  return prepare_collective<collectives::broadcast>(real_bcast, caller(), on, hints, request, buffer, count, type, root,
                                                    on);
}
[[gnu::weak]] int MPI_Reduce_init(const void* sent, void* received, int count, Handle type, Handle operation, int root,
                                  Handle on, Handle hints, void* request) {
  return prepare_collective<collectives::reduce>(real_reduce, caller(), on, hints, request, sent, received, count, type,
                                                 operation, root, on);
}
[[gnu::weak]] int MPI_Allreduce_init(const void* sent, void* received, int count, Handle type, Handle operation,
                                     Handle on, Handle hints, void* request) {
  return prepare_collective<collectives::allreduce>(real_allreduce, caller(), on, hints, request, sent, received, count,
                                                    type, operation, on);
}
[[gnu::weak]] int MPI_Scan_init(const void* sent, void* received, int count, Handle type, Handle operation, Handle on,
                                Handle hints, void* request) {
  return prepare_collective<collectives::scan>(real_scan, caller(), on, hints, request, sent, received, count, type,
                                               operation, on);
}
[[gnu::weak]] int MPI_Exscan_init(const void* sent, void* received, int count, Handle type, Handle operation, Handle on,
                                  Handle hints, void* request) {
  return prepare_collective<collectives::exclusive_scan>(real_exscan, caller(), on, hints, request, sent, received,
                                                         count, type, operation, on);
}
[[gnu::weak]] int MPI_Gather_init(const void* sent, int send_count, Handle send_type, void* received, int count,
                                  Handle type, int root, Handle on, Handle hints, void* request) {
  return prepare_collective<collectives::gather>(real_gather, caller(), on, hints, request, sent, send_count, send_type,
                                                 received, count, type, root, on);
}
[[gnu::weak]] int MPI_Scatter_init(const void* sent, int send_count, Handle send_type, void* received, int count,
                                   Handle type, int root, Handle on, Handle hints, void* request) {
  return prepare_collective<collectives::scatter>(real_scatter, caller(), on, hints, request, sent, send_count,
                                                  send_type, received, count, type, root, on);
}
[[gnu::weak]] int MPI_Allgather_init(const void* sent, int send_count, Handle send_type, void* received, int count,
                                     Handle type, Handle on, Handle hints, void* request) {
  return prepare_collective<collectives::allgather>(real_allgather, caller(), on, hints, request, sent, send_count,
                                                    send_type, received, count, type, on);
}
[[gnu::weak]] int MPI_Alltoall_init(const void* sent, int send_count, Handle send_type, void* received, int count,
                                    Handle type, Handle on, Handle hints, void* request) {
  return prepare_collective<collectives::alltoall>(real_alltoall, caller(), on, hints, request, sent, send_count,
                                                   send_type, received, count, type, on);
}

} // extern "C"
#pragma GCC visibility pop
