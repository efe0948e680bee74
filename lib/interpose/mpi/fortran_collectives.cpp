// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collective operations that are complete when the call returns, from Fortran.

#include "lib/interpose/mpi/collective_uses.hpp"
#include "lib/interpose/mpi/fortran.hpp"

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;
using namespace fletcher::interpose::mpi::fortran;

namespace {

constinit Function<void(int*, int*)> real_barrier{"mpi_barrier_"};
constinit Function<void(void*, int*, int*, int*, int*, int*)> real_bcast{"mpi_bcast_"};
constinit Function<void(void*, void*, int*, int*, int*, int*, int*, int*)> real_reduce{"mpi_reduce_"};
constinit Function<void(void*, void*, int*, int*, int*, int*, int*)> real_allreduce{"mpi_allreduce_"};
constinit Function<void(void*, void*, int*, int*, int*, int*, int*)> real_scan{"mpi_scan_"};
constinit Function<void(void*, void*, int*, int*, int*, int*, int*)> real_exscan{"mpi_exscan_"};
constinit Function<void(void*, void*, int*, int*, int*, int*, int*)> real_reduce_scatter{"mpi_reduce_scatter_"};
constinit Function<void(void*, int*, int*, void*, int*, int*, int*, int*, int*)> real_gather{"mpi_gather_"};
constinit Function<void(void*, int*, int*, void*, int*, int*, int*, int*, int*, int*)> real_gatherv{"mpi_gatherv_"};
constinit Function<void(void*, int*, int*, void*, int*, int*, int*, int*, int*)> real_scatter{"mpi_scatter_"};
constinit Function<void(void*, int*, int*, int*, void*, int*, int*, int*, int*, int*)> real_scatterv{"mpi_scatterv_"};
constinit Function<void(void*, int*, int*, void*, int*, int*, int*, int*)> real_allgather{"mpi_allgather_"};
constinit Function<void(void*, int*, int*, void*, int*, int*, int*, int*, int*)> real_allgatherv{"mpi_allgatherv_"};
constinit Function<void(void*, int*, int*, void*, int*, int*, int*, int*)> real_alltoall{"mpi_alltoall_"};
constinit Function<void(void*, int*, int*, int*, void*, int*, int*, int*, int*, int*)> real_alltoallv{"mpi_alltoallv_"};

} // namespace

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] void mpi_barrier_(int* on, int* error) {
  perform(
      Call(caller(), real_barrier.name(), {collective(communicator_if_checked(on))}),
      [&](Uses& uses) { collectives::barrier(uses, communicator(on)); },
      [&] { return real_barrier(on, error), *error; });
}
[[gnu::weak]] void mpi_bcast_(void* memory, int* count, int* type, int* root, int* on, int* error) {
  perform(
      Call(caller(), real_bcast.name(), {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::broadcast(uses, buffer(memory), *count, datatype(type), *root, communicator(on));
      },
      [&] { return real_bcast(memory, count, type, root, on, error), *error; });
}
[[gnu::weak]] void mpi_reduce_(void* sent, void* received, int* count, int* type, int* operation, int* root, int* on,
                               int* error) {
  perform(
      Call(caller(), real_reduce.name(), {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::reduce(uses, buffer(sent), buffer(received), *count, datatype(type), 0, *root, communicator(on));
      },
      [&] { return real_reduce(sent, received, count, type, operation, root, on, error), *error; });
}
[[gnu::weak]] void mpi_allreduce_(void* sent, void* received, int* count, int* type, int* operation, int* on,
                                  int* error) {
  perform(
      Call(caller(), real_allreduce.name(), {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::allreduce(uses, buffer(sent), buffer(received), *count, datatype(type), 0, communicator(on));
      },
      [&] { return real_allreduce(sent, received, count, type, operation, on, error), *error; });
}
[[gnu::weak]] void mpi_scan_(void* sent, void* received, int* count, int* type, int* operation, int* on, int* error) {
  perform(
      Call(caller(), real_scan.name(), {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::scan(uses, buffer(sent), buffer(received), *count, datatype(type), 0, communicator(on));
      },
      [&] { return real_scan(sent, received, count, type, operation, on, error), *error; });
}
[[gnu::weak]] void mpi_exscan_(void* sent, void* received, int* count, int* type, int* operation, int* on, int* error) {
  perform(
      Call(caller(), real_exscan.name(), {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::exclusive_scan(uses, buffer(sent), buffer(received), *count, datatype(type), 0, communicator(on));
      },
      [&] { return real_exscan(sent, received, count, type, operation, on, error), *error; });
}
[[gnu::weak]] void mpi_reduce_scatter_(void* sent, void* received, int* counts, int* type, int* operation, int* on,
                                       int* error) {
  perform(
      Call(caller(), real_reduce_scatter.name(), {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::reduce_scatter(uses, buffer(sent), buffer(received), counts, datatype(type), 0, communicator(on));
      },
      [&] { return real_reduce_scatter(sent, received, counts, type, operation, on, error), *error; });
}
[[gnu::weak]] void mpi_gather_(void* sent, int* send_count, int* send_type, void* received, int* count, int* type,
                               int* root, int* on, int* error) {
  perform(
      Call(caller(), real_gather.name(), {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::gather(uses, buffer(sent), *send_count, datatype(send_type), buffer(received), *count,
                            datatype(type), *root, communicator(on));
      },
      [&] { return real_gather(sent, send_count, send_type, received, count, type, root, on, error), *error; });
}
[[gnu::weak]] void mpi_gatherv_(void* sent, int* send_count, int* send_type, void* received, int* counts, int* places,
                                int* type, int* root, int* on, int* error) {
  perform(
      Call(caller(), real_gatherv.name(), {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::gatherv(uses, buffer(sent), *send_count, datatype(send_type), buffer(received), counts, places,
                             datatype(type), *root, communicator(on));
      },
      [&] {
        return real_gatherv(sent, send_count, send_type, received, counts, places, type, root, on, error), *error;
      });
}
[[gnu::weak]] void mpi_scatter_(void* sent, int* send_count, int* send_type, void* received, int* count, int* type,
                                int* root, int* on, int* error) {
  perform(
      Call(caller(), real_scatter.name(), {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::scatter(uses, buffer(sent), *send_count, datatype(send_type), buffer(received), *count,
                             datatype(type), *root, communicator(on));
      },
      [&] { return real_scatter(sent, send_count, send_type, received, count, type, root, on, error), *error; });
}
[[gnu::weak]] void mpi_scatterv_(void* sent, int* counts, int* places, int* send_type, void* received, int* count,
                                 int* type, int* root, int* on, int* error) {
  perform(
      Call(caller(), real_scatterv.name(), {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::scatterv(uses, buffer(sent), counts, places, datatype(send_type), buffer(received), *count,
                              datatype(type), *root, communicator(on));
      },
      [&] { return real_scatterv(sent, counts, places, send_type, received, count, type, root, on, error), *error; });
}
[[gnu::weak]] void mpi_allgather_(void* sent, int* send_count, int* send_type, void* received, int* count, int* type,
                                  int* on, int* error) {
  perform(
      Call(caller(), real_allgather.name(), {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::allgather(uses, buffer(sent), *send_count, datatype(send_type), buffer(received), *count,
                               datatype(type), communicator(on));
      },
      [&] { return real_allgather(sent, send_count, send_type, received, count, type, on, error), *error; });
}
[[gnu::weak]] void mpi_allgatherv_(void* sent, int* send_count, int* send_type, void* received, int* counts,
                                   int* places, int* type, int* on, int* error) {
  perform(
      Call(caller(), real_allgatherv.name(), {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::allgatherv(uses, buffer(sent), *send_count, datatype(send_type), buffer(received), counts, places,
                                datatype(type), communicator(on));
      },
      [&] { return real_allgatherv(sent, send_count, send_type, received, counts, places, type, on, error), *error; });
}
[[gnu::weak]] void mpi_alltoall_(void* sent, int* send_count, int* send_type, void* received, int* count, int* type,
                                 int* on, int* error) {
  perform(
      Call(caller(), real_alltoall.name(), {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::alltoall(uses, buffer(sent), *send_count, datatype(send_type), buffer(received), *count,
                              datatype(type), communicator(on));
      },
      [&] { return real_alltoall(sent, send_count, send_type, received, count, type, on, error), *error; });
}
[[gnu::weak]] void mpi_alltoallv_(void* sent, int* send_counts, int* send_places, int* send_type, void* received,
                                  int* counts, int* places, int* type, int* on, int* error) {
  perform(
      Call(caller(), real_alltoallv.name(), {collective(communicator_if_checked(on))}),
      [&](Uses& uses) {
        collectives::alltoallv(uses, buffer(sent), send_counts, send_places, datatype(send_type), buffer(received),
                               counts, places, datatype(type), communicator(on));
      },
      [&] {
        return real_alltoallv(sent, send_counts, send_places, send_type, received, counts, places, type, on, error),
               *error;
      });
}

} // extern "C"
#pragma GCC visibility pop
