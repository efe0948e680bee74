// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collective operations that are complete when the call returns, from Fortran.

#include "lib/interpose/mpi/fortran/fortran.hpp"
#include "lib/interpose/mpi/uses/collective_uses.hpp"

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;
using namespace fletcher::interpose::mpi::fortran;

namespace {

constinit Subroutine<int*> real_barrier{"mpi_barrier_"};
constinit Subroutine<void*, int*, int*, int*, int*> real_bcast{"mpi_bcast_"};
constinit Subroutine<void*, void*, int*, int*, int*, int*, int*> real_reduce{"mpi_reduce_"};
constinit Subroutine<void*, void*, int*, int*, int*, int*> real_allreduce{"mpi_allreduce_"};
constinit Subroutine<void*, void*, int*, int*, int*, int*> real_scan{"mpi_scan_"};
constinit Subroutine<void*, void*, int*, int*, int*, int*> real_exscan{"mpi_exscan_"};
constinit Subroutine<void*, void*, int*, int*, int*, int*> real_reduce_scatter{"mpi_reduce_scatter_"};
constinit Subroutine<void*, int*, int*, void*, int*, int*, int*, int*> real_gather{"mpi_gather_"};
constinit Subroutine<void*, int*, int*, void*, int*, int*, int*, int*, int*> real_gatherv{"mpi_gatherv_"};
constinit Subroutine<void*, int*, int*, void*, int*, int*, int*, int*> real_scatter{"mpi_scatter_"};
constinit Subroutine<void*, int*, int*, int*, void*, int*, int*, int*, int*> real_scatterv{"mpi_scatterv_"};
constinit Subroutine<void*, int*, int*, void*, int*, int*, int*> real_allgather{"mpi_allgather_"};
constinit Subroutine<void*, int*, int*, void*, int*, int*, int*, int*> real_allgatherv{"mpi_allgatherv_"};
constinit Subroutine<void*, int*, int*, void*, int*, int*, int*> real_alltoall{"mpi_alltoall_"};
constinit Subroutine<void*, int*, int*, int*, void*, int*, int*, int*, int*> real_alltoallv{"mpi_alltoallv_"};

} // namespace

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] void mpi_barrier_(int* on, int* error) {
  perform(
      call_to(caller(), real_barrier.name(), error, {collective(communicator_if_checked(on))}),
      [&](Uses& uses) { collectives::barrier(uses, communicator(on)); }, [&] { return real_barrier(on, error); });
}
[[gnu::weak]] void mpi_bcast_(void* memory, int* count, int* type, int* root, int* on, int* error) {
  perform(
      call_to(caller(), real_bcast.name(), error, {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::broadcast(uses, buffer(memory), *count, datatype(type), *root, communicator(on));
      },
      [&] { return real_bcast(memory, count, type, root, on, error); });
}
[[gnu::weak]] void mpi_reduce_(void* sent, void* received, int* count, int* type, int* operation, int* root, int* on,
                               int* error) {
  perform(
      call_to(caller(), real_reduce.name(), error, {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::reduce(uses, buffer(sent), buffer(received), *count, datatype(type),
                            mpi::fortran::operation(operation), *root, communicator(on));
      },
      [&] { return real_reduce(sent, received, count, type, operation, root, on, error); });
}
[[gnu::weak]] void mpi_allreduce_(void* sent, void* received, int* count, int* type, int* operation, int* on,
                                  int* error) {
  perform(
      call_to(caller(), real_allreduce.name(), error, {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::allreduce(uses, buffer(sent), buffer(received), *count, datatype(type),
                               mpi::fortran::operation(operation), communicator(on));
      },
      [&] { return real_allreduce(sent, received, count, type, operation, on, error); });
}
[[gnu::weak]] void mpi_scan_(void* sent, void* received, int* count, int* type, int* operation, int* on, int* error) {
  perform(
      call_to(caller(), real_scan.name(), error, {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::scan(uses, buffer(sent), buffer(received), *count, datatype(type),
                          mpi::fortran::operation(operation), communicator(on));
      },
      [&] { return real_scan(sent, received, count, type, operation, on, error); });
}
[[gnu::weak]] void mpi_exscan_(void* sent, void* received, int* count, int* type, int* operation, int* on, int* error) {
  perform(
      call_to(caller(), real_exscan.name(), error, {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::exclusive_scan(uses, buffer(sent), buffer(received), *count, datatype(type),
                                    mpi::fortran::operation(operation), communicator(on));
      },
      [&] { return real_exscan(sent, received, count, type, operation, on, error); });
}
[[gnu::weak]] void mpi_reduce_scatter_(void* sent, void* received, int* counts, int* type, int* operation, int* on,
                                       int* error) {
  perform(
      call_to(caller(), real_reduce_scatter.name(), error, {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::reduce_scatter(uses, buffer(sent), buffer(received), counts, datatype(type),
                                    mpi::fortran::operation(operation), communicator(on));
      },
      [&] { return real_reduce_scatter(sent, received, counts, type, operation, on, error); });
}
[[gnu::weak]] void mpi_gather_(void* sent, int* send_count, int* send_type, void* received, int* count, int* type,
                               int* root, int* on, int* error) {
  perform(
      call_to(caller(), real_gather.name(), error, {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::gather(uses, buffer(sent), *send_count, datatype(send_type), buffer(received), *count,
                            datatype(type), *root, communicator(on));
      },
      [&] { return real_gather(sent, send_count, send_type, received, count, type, root, on, error); });
}
[[gnu::weak]] void mpi_gatherv_(void* sent, int* send_count, int* send_type, void* received, int* counts, int* places,
                                int* type, int* root, int* on, int* error) {
  perform(
      call_to(caller(), real_gatherv.name(), error, {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::gatherv(uses, buffer(sent), *send_count, datatype(send_type), buffer(received), counts, places,
                             datatype(type), *root, communicator(on));
      },
      [&] { return real_gatherv(sent, send_count, send_type, received, counts, places, type, root, on, error); });
}
[[gnu::weak]] void mpi_scatter_(void* sent, int* send_count, int* send_type, void* received, int* count, int* type,
                                int* root, int* on, int* error) {
  perform(
      call_to(caller(), real_scatter.name(), error, {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::scatter(uses, buffer(sent), *send_count, datatype(send_type), buffer(received), *count,
                             datatype(type), *root, communicator(on));
      },
      [&] { return real_scatter(sent, send_count, send_type, received, count, type, root, on, error); });
}
[[gnu::weak]] void mpi_scatterv_(void* sent, int* counts, int* places, int* send_type, void* received, int* count,
                                 int* type, int* root, int* on, int* error) {
  perform(
      call_to(caller(), real_scatterv.name(), error, {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::scatterv(uses, buffer(sent), counts, places, datatype(send_type), buffer(received), *count,
                              datatype(type), *root, communicator(on));
      },
      [&] { return real_scatterv(sent, counts, places, send_type, received, count, type, root, on, error); });
}
[[gnu::weak]] void mpi_allgather_(void* sent, int* send_count, int* send_type, void* received, int* count, int* type,
                                  int* on, int* error) {
  perform(
      call_to(caller(), real_allgather.name(), error, {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::allgather(uses, buffer(sent), *send_count, datatype(send_type), buffer(received), *count,
                               datatype(type), communicator(on));
      },
      [&] { return real_allgather(sent, send_count, send_type, received, count, type, on, error); });
}
[[gnu::weak]] void mpi_allgatherv_(void* sent, int* send_count, int* send_type, void* received, int* counts,
                                   int* places, int* type, int* on, int* error) {
  perform(
      call_to(caller(), real_allgatherv.name(), error, {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::allgatherv(uses, buffer(sent), *send_count, datatype(send_type), buffer(received), counts, places,
                                datatype(type), communicator(on));
      },
      [&] { return real_allgatherv(sent, send_count, send_type, received, counts, places, type, on, error); });
}
[[gnu::weak]] void mpi_alltoall_(void* sent, int* send_count, int* send_type, void* received, int* count, int* type,
                                 int* on, int* error) {
  perform(
      call_to(caller(), real_alltoall.name(), error, {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::alltoall(uses, buffer(sent), *send_count, datatype(send_type), buffer(received), *count,
                              datatype(type), communicator(on));
      },
      [&] { return real_alltoall(sent, send_count, send_type, received, count, type, on, error); });
}
[[gnu::weak]] void mpi_alltoallv_(void* sent, int* send_counts, int* send_places, int* send_type, void* received,
                                  int* counts, int* places, int* type, int* on, int* error) {
  perform(
      call_to(caller(), real_alltoallv.name(), error, {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::alltoallv(uses, buffer(sent), send_counts, send_places, datatype(send_type), buffer(received),
                               counts, places, datatype(type), communicator(on));
      },
      [&] {
        return real_alltoallv(sent, send_counts, send_places, send_type, received, counts, places, type, on, error);
      });
}

// The module mpi_f08 of Open MPI.
extern decltype(mpi_barrier_) mpi_barrier_f08_ [[gnu::weak, gnu::alias("mpi_barrier_")]];
extern decltype(mpi_bcast_) mpi_bcast_f08_ [[gnu::weak, gnu::alias("mpi_bcast_")]];
extern decltype(mpi_reduce_) mpi_reduce_f08_ [[gnu::weak, gnu::alias("mpi_reduce_")]];
extern decltype(mpi_allreduce_) mpi_allreduce_f08_ [[gnu::weak, gnu::alias("mpi_allreduce_")]];
extern decltype(mpi_scan_) mpi_scan_f08_ [[gnu::weak, gnu::alias("mpi_scan_")]];
extern decltype(mpi_exscan_) mpi_exscan_f08_ [[gnu::weak, gnu::alias("mpi_exscan_")]];
extern decltype(mpi_reduce_scatter_) mpi_reduce_scatter_f08_ [[gnu::weak, gnu::alias("mpi_reduce_scatter_")]];
extern decltype(mpi_gather_) mpi_gather_f08_ [[gnu::weak, gnu::alias("mpi_gather_")]];
extern decltype(mpi_gatherv_) mpi_gatherv_f08_ [[gnu::weak, gnu::alias("mpi_gatherv_")]];
extern decltype(mpi_scatter_) mpi_scatter_f08_ [[gnu::weak, gnu::alias("mpi_scatter_")]];
extern decltype(mpi_scatterv_) mpi_scatterv_f08_ [[gnu::weak, gnu::alias("mpi_scatterv_")]];
extern decltype(mpi_allgather_) mpi_allgather_f08_ [[gnu::weak, gnu::alias("mpi_allgather_")]];
extern decltype(mpi_allgatherv_) mpi_allgatherv_f08_ [[gnu::weak, gnu::alias("mpi_allgatherv_")]];
extern decltype(mpi_alltoall_) mpi_alltoall_f08_ [[gnu::weak, gnu::alias("mpi_alltoall_")]];
extern decltype(mpi_alltoallv_) mpi_alltoallv_f08_ [[gnu::weak, gnu::alias("mpi_alltoallv_")]];

} // extern "C"
#pragma GCC visibility pop
