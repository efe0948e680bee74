// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collective operations that are complete when the call returns.

#include "lib/interpose/mpi/transfers.hpp"
#include "lib/interpose/mpi/uses/collective_uses.hpp"

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;
using collectives::Counts;

namespace {

using Reduction = int(const void*, void*, int, Handle, Handle, Handle);
using Exchange = int(const void*, int, Handle, void*, int, Handle, Handle);
using Rooted = int(const void*, int, Handle, void*, int, Handle, int, Handle);

constinit Function<int(Handle)> real_barrier{"MPI_Barrier"};
constinit Function<int(void*, int, Handle, int, Handle)> real_bcast{"MPI_Bcast"};
constinit Function<int(const void*, void*, int, Handle, Handle, int, Handle)> real_reduce{"MPI_Reduce"};
constinit Function<Reduction> real_allreduce{"MPI_Allreduce"}, real_scan{"MPI_Scan"}, real_exscan{"MPI_Exscan"},
    real_reduce_scatter_block{"MPI_Reduce_scatter_block"};
constinit Function<int(const void*, void*, Counts, Handle, Handle, Handle)> real_reduce_scatter{"MPI_Reduce_scatter"};
constinit Function<Rooted> real_gather{"MPI_Gather"}, real_scatter{"MPI_Scatter"};
constinit Function<int(const void*, int, Handle, void*, Counts, Counts, Handle, int, Handle)> real_gatherv{
    "MPI_Gatherv"};
constinit Function<int(const void*, Counts, Counts, Handle, void*, int, Handle, int, Handle)> real_scatterv{
    "MPI_Scatterv"};
constinit Function<Exchange> real_allgather{"MPI_Allgather"}, real_alltoall{"MPI_Alltoall"};
constinit Function<int(const void*, int, Handle, void*, Counts, Counts, Handle, Handle)> real_allgatherv{
    "MPI_Allgatherv"};
constinit Function<int(const void*, Counts, Counts, Handle, void*, Counts, Counts, Handle, Handle)> real_alltoallv{
    "MPI_Alltoallv"};

constinit Function<Exchange> real_neighbor_allgather{"MPI_Neighbor_allgather"},
    real_neighbor_alltoall{"MPI_Neighbor_alltoall"};
constinit Function<int(const void*, Counts, Counts, const void*, void*, Counts, Counts, const void*, Handle)>
    real_alltoallw{"MPI_Alltoallw"};

} // namespace

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] int MPI_Barrier(Handle on) { return perform<collectives::barrier>(real_barrier, caller(), on, on); }
[[gnu::weak]] int MPI_Bcast(void* buffer, int count, Handle type, int root, Handle on) {
  return perform<collectives::broadcast>(real_bcast, caller(), on, buffer, count, type, root, on);
}
[[gnu::weak]] int MPI_Reduce(const void* sent, void* received, int count, Handle type, Handle operation, int root,
                             Handle on) {
  return perform<collectives::reduce>(real_reduce, caller(), on, sent, received, count, type, operation, root, on);
}
[[gnu::weak]] int MPI_Allreduce(const void* sent, void* received, int count, Handle type, Handle operation, Handle on) {
  return perform<collectives::allreduce>(real_allreduce, caller(), on, sent, received, count, type, operation, on);
}
[[gnu::weak]] int MPI_Scan(const void* sent, void* received, int count, Handle type, Handle operation, Handle on) {
  return perform<collectives::scan>(real_scan, caller(), on, sent, received, count, type, operation, on);
}
[[gnu::weak]] int MPI_Exscan(const void* sent, void* received, int count, Handle type, Handle operation, Handle on) {
  return perform<collectives::exclusive_scan>(real_exscan, caller(), on, sent, received, count, type, operation, on);
}
[[gnu::weak]] int MPI_Reduce_scatter(const void* sent, void* received, Counts counts, Handle type, Handle operation,
                                     Handle on) {
  return perform<collectives::reduce_scatter>(real_reduce_scatter, caller(), on, sent, received, counts, type,
                                              operation, on);
}
[[gnu::weak]] int MPI_Reduce_scatter_block(const void* sent, void* received, int count, Handle type, Handle operation,
                                           Handle on) {
  return perform<collectives::reduce_scatter_block>(real_reduce_scatter_block, caller(), on, sent, received, count,
                                                    type, operation, on);
}
[[gnu::weak]] int MPI_Gather(const void* sent, int send_count, Handle send_type, void* received, int count, Handle type,
                             int root, Handle on) {
  return perform<collectives::gather>(real_gather, caller(), on, sent, send_count, send_type, received, count, type,
                                      root, on);
}
[[gnu::weak]] int MPI_Gatherv(const void* sent, int send_count, Handle send_type, void* received, Counts counts,
                              Counts places, Handle type, int root, Handle on) {
  return perform<collectives::gatherv>(real_gatherv, caller(), on, sent, send_count, send_type, received, counts,
                                       places, type, root, on);
}
[[gnu::weak]] int MPI_Scatter(const void* sent, int send_count, Handle send_type, void* received, int count,
                              Handle type, int root, Handle on) {
  return perform<collectives::scatter>(real_scatter, caller(), on, sent, send_count, send_type, received, count, type,
                                       root, on);
}
[[gnu::weak]] int MPI_Scatterv(const void* sent, Counts counts, Counts places, Handle send_type, void* received,
                               int count, Handle type, int root, Handle on) {
  return perform<collectives::scatterv>(real_scatterv, caller(), on, sent, counts, places, send_type, received, count,
                                        type, root, on);
}
[[gnu::weak]] int MPI_Allgather(const void* sent, int send_count, Handle send_type, void* received, int count,
                                Handle type, Handle on) {
  return perform<collectives::allgather>(real_allgather, caller(), on, sent, send_count, send_type, received, count,
                                         type, on);
}
[[gnu::weak]] int MPI_Allgatherv(const void* sent, int send_count, Handle send_type, void* received, Counts counts,
                                 Counts places, Handle type, Handle on) {
  return perform<collectives::allgatherv>(real_allgatherv, caller(), on, sent, send_count, send_type, received, counts,
                                          places, type, on);
}
[[gnu::weak]] int MPI_Alltoall(const void* sent, int send_count, Handle send_type, void* received, int count,
                               Handle type, Handle on) {
  return perform<collectives::alltoall>(real_alltoall, caller(), on, sent, send_count, send_type, received, count, type,
                                        on);
}
[[gnu::weak]] int MPI_Alltoallv(const void* sent, Counts send_counts, Counts send_places, Handle send_type,
                                void* received, Counts counts, Counts places, Handle type, Handle on) {
  return perform<collectives::alltoallv>(real_alltoallv, caller(), on, sent, send_counts, send_places, send_type,
                                         received, counts, places, type, on);
}

[[gnu::weak]] int MPI_Alltoallw(const void* sent, Counts send_counts, Counts send_places, const void* send_types,
                                void* received, Counts counts, Counts places, const void* types, Handle on) {
  return perform<collectives::alltoallw>(real_alltoallw, caller(), on, sent, send_counts, send_places, send_types,
                                         received, counts, places, types, on);
}
[[gnu::weak]] int MPI_Neighbor_allgather(const void* sent, int send_count, Handle send_type, void* received, int count,
                                         Handle type, Handle on) {
  return perform<collectives::neighbor_allgather>(real_neighbor_allgather, caller(), on, sent, send_count, send_type,
                                                  received, count, type, on);
}
[[gnu::weak]] int MPI_Neighbor_alltoall(const void* sent, int send_count, Handle send_type, void* received, int count,
                                        Handle type, Handle on) {
  return perform<collectives::neighbor_alltoall>(real_neighbor_alltoall, caller(), on, sent, send_count, send_type,
                                                 received, count, type, on);
}

} // extern "C"
#pragma GCC visibility pop
