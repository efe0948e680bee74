// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collective operations that another call completes.

#include "lib/interpose/mpi/transfers.hpp"
#include "lib/interpose/mpi/uses/collective_uses.hpp"

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;
using collectives::Counts;

namespace {

using Reduction = int(const void*, void*, int, Handle, Handle, Handle, void*);
using Exchange = int(const void*, int, Handle, void*, int, Handle, Handle, void*);
using Rooted = int(const void*, int, Handle, void*, int, Handle, int, Handle, void*);

constinit Function<int(Handle, void*)> real_ibarrier{"MPI_Ibarrier"};
constinit Function<int(void*, int, Handle, int, Handle, void*)> real_ibcast{"MPI_Ibcast"};
constinit Function<int(const void*, void*, int, Handle, Handle, int, Handle, void*)> real_ireduce{"MPI_Ireduce"};
constinit Function<Reduction> real_iallreduce{"MPI_Iallreduce"}, real_iscan{"MPI_Iscan"}, real_iexscan{"MPI_Iexscan"},
    real_ireduce_scatter_block{"MPI_Ireduce_scatter_block"};
constinit Function<int(const void*, void*, Counts, Handle, Handle, Handle, void*)> real_ireduce_scatter{
    "MPI_Ireduce_scatter"};
constinit Function<Rooted> real_igather{"MPI_Igather"}, real_iscatter{"MPI_Iscatter"};
constinit Function<int(const void*, int, Handle, void*, Counts, Counts, Handle, int, Handle, void*)> real_igatherv{
    "MPI_Igatherv"};
constinit Function<int(const void*, Counts, Counts, Handle, void*, int, Handle, int, Handle, void*)> real_iscatterv{
    "MPI_Iscatterv"};
constinit Function<Exchange> real_iallgather{"MPI_Iallgather"}, real_ialltoall{"MPI_Ialltoall"};
constinit Function<int(const void*, int, Handle, void*, Counts, Counts, Handle, Handle, void*)> real_iallgatherv{
    "MPI_Iallgatherv"};
constinit Function<int(const void*, Counts, Counts, Handle, void*, Counts, Counts, Handle, Handle, void*)>
    real_ialltoallv{"MPI_Ialltoallv"};

constinit Function<Exchange> real_ineighbor_allgather{"MPI_Ineighbor_allgather"},
    real_ineighbor_alltoall{"MPI_Ineighbor_alltoall"};
constinit Function<int(const void*, Counts, Counts, const void*, void*, Counts, Counts, const void*, Handle, void*)>
    real_ialltoallw{"MPI_Ialltoallw"};

} // namespace

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] int MPI_Ibarrier(Handle on, void* request) {
  return begin<collectives::barrier>(real_ibarrier, caller(), on, request, on);
}
[[gnu::weak]] int MPI_Ibcast(void* buffer, int count, Handle type, int root, Handle on, void* request) {
  return begin<collectives::broadcast>(real_ibcast, caller(), on, request, buffer, count, type, root, on);
}
[[gnu::weak]] int MPI_Ireduce(const void* sent, void* received, int count, Handle type, Handle operation, int root,
                              Handle on, void* request) {
  return begin<collectives::reduce>(real_ireduce, caller(), on, request, sent, received, count, type, operation, root,
                                    on);
}
[[gnu::weak]] int MPI_Iallreduce(const void* sent, void* received, int count, Handle type, Handle operation, Handle on,
                                 void* request) {
  return begin<collectives::allreduce>(real_iallreduce, caller(), on, request, sent, received, count, type, operation,
                                       on);
}
[[gnu::weak]] int MPI_Iscan(const void* sent, void* received, int count, Handle type, Handle operation, Handle on,
                            void* request) {
  return begin<collectives::scan>(real_iscan, caller(), on, request, sent, received, count, type, operation, on);
}
[[gnu::weak]] int MPI_Iexscan(const void* sent, void* received, int count, Handle type, Handle operation, Handle on,
                              void* request) {
  return begin<collectives::exclusive_scan>(real_iexscan, caller(), on, request, sent, received, count, type, operation,
                                            on);
}
[[gnu::weak]] int MPI_Ireduce_scatter(const void* sent, void* received, Counts counts, Handle type, Handle operation,
                                      Handle on, void* request) {
  return begin<collectives::reduce_scatter>(real_ireduce_scatter, caller(), on, request, sent, received, counts, type,
                                            operation, on);
}
[[gnu::weak]] int MPI_Ireduce_scatter_block(const void* sent, void* received, int count, Handle type, Handle operation,
                                            Handle on, void* request) {
  return begin<collectives::reduce_scatter_block>(real_ireduce_scatter_block, caller(), on, request, sent, received,
                                                  count, type, operation, on);
}
[[gnu::weak]] int MPI_Igather(const void* sent, int send_count, Handle send_type, void* received, int count,
                              Handle type, int root, Handle on, void* request) {
  return begin<collectives::gather>(real_igather, caller(), on, request, sent, send_count, send_type, received, count,
                                    type, root, on);
}
[[gnu::weak]] int MPI_Igatherv(const void* sent, int send_count, Handle send_type, void* received, Counts counts,
                               Counts places, Handle type, int root, Handle on, void* request) {
  return begin<collectives::gatherv>(real_igatherv, caller(), on, request, sent, send_count, send_type, received,
                                     counts, places, type, root, on);
}
[[gnu::weak]] int MPI_Iscatter(const void* sent, int send_count, Handle send_type, void* received, int count,
                               Handle type, int root, Handle on, void* request) {
  return begin<collectives::scatter>(real_iscatter, caller(), on, request, sent, send_count, send_type, received, count,
                                     type, root, on);
}
[[gnu::weak]] int MPI_Iscatterv(const void* sent, Counts counts, Counts places, Handle send_type, void* received,
                                int count, Handle type, int root, Handle on, void* request) {
  return begin<collectives::scatterv>(real_iscatterv, caller(), on, request, sent, counts, places, send_type, received,
                                      count, type, root, on);
}
[[gnu::weak]] int MPI_Iallgather(const void* sent, int send_count, Handle send_type, void* received, int count,
                                 Handle type, Handle on, void* request) {
  return begin<collectives::allgather>(real_iallgather, caller(), on, request, sent, send_count, send_type, received,
                                       count, type, on);
}
[[gnu::weak]] int MPI_Iallgatherv(const void* sent, int send_count, Handle send_type, void* received, Counts counts,
                                  Counts places, Handle type, Handle on, void* request) {
  return begin<collectives::allgatherv>(real_iallgatherv, caller(), on, request, sent, send_count, send_type, received,
                                        counts, places, type, on);
}
[[gnu::weak]] int MPI_Ialltoall(const void* sent, int send_count, Handle send_type, void* received, int count,
                                Handle type, Handle on, void* request) {
  return begin<collectives::alltoall>(real_ialltoall, caller(), on, request, sent, send_count, send_type, received,
                                      count, type, on);
}
[[gnu::weak]] int MPI_Ialltoallv(const void* sent, Counts send_counts, Counts send_places, Handle send_type,
                                 void* received, Counts counts, Counts places, Handle type, Handle on, void* request) {
  return begin<collectives::alltoallv>(real_ialltoallv, caller(), on, request, sent, send_counts, send_places,
                                       send_type, received, counts, places, type, on);
}

[[gnu::weak]] int MPI_Ialltoallw(const void* sent, Counts send_counts, Counts send_places, const void* send_types,
                                 void* received, Counts counts, Counts places, const void* types, Handle on,
                                 void* request) {
  return begin<collectives::alltoallw>(real_ialltoallw, caller(), on, request, sent, send_counts, send_places,
                                       send_types, received, counts, places, types, on);
}
[[gnu::weak]] int MPI_Ineighbor_allgather(const void* sent, int send_count, Handle send_type, void* received, int count,
                                          Handle type, Handle on, void* request) {
  return begin<collectives::neighbor_allgather>(real_ineighbor_allgather, caller(), on, request, sent, send_count,
                                                send_type, received, count, type, on);
}
[[gnu::weak]] int MPI_Ineighbor_alltoall(const void* sent, int send_count, Handle send_type, void* received, int count,
                                         Handle type, Handle on, void* request) {
  return begin<collectives::neighbor_alltoall>(real_ineighbor_alltoall, caller(), on, request, sent, send_count,
                                               send_type, received, count, type, on);
}

} // extern "C"
#pragma GCC visibility pop
