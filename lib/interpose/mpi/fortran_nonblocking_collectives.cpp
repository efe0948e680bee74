// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collective operations that another call completes, from Fortran.

#include "lib/interpose/mpi/collective_uses.hpp"
#include "lib/interpose/mpi/fortran.hpp"

using namespace fletcher;
using namespace fletcher::interpose;
using namespace fletcher::interpose::mpi;
using namespace fletcher::interpose::mpi::fortran;

namespace {

constinit Function<void(int*, int*, int*)> real_ibarrier{"mpi_ibarrier_"};
constinit Function<void(void*, int*, int*, int*, int*, int*, int*)> real_ibcast{"mpi_ibcast_"};
constinit Function<void(void*, void*, int*, int*, int*, int*, int*, int*, int*)> real_ireduce{"mpi_ireduce_"};
constinit Function<void(void*, void*, int*, int*, int*, int*, int*, int*)> real_iallreduce{"mpi_iallreduce_"};
constinit Function<void(void*, void*, int*, int*, int*, int*, int*, int*)> real_iscan{"mpi_iscan_"};
constinit Function<void(void*, void*, int*, int*, int*, int*, int*, int*)> real_iexscan{"mpi_iexscan_"};
constinit Function<void(void*, void*, int*, int*, int*, int*, int*, int*)> real_ireduce_scatter{"mpi_ireduce_scatter_"};
constinit Function<void(void*, int*, int*, void*, int*, int*, int*, int*, int*, int*)> real_igather{"mpi_igather_"};
constinit Function<void(void*, int*, int*, void*, int*, int*, int*, int*, int*, int*, int*)> real_igatherv{
    "mpi_igatherv_"};
constinit Function<void(void*, int*, int*, void*, int*, int*, int*, int*, int*, int*)> real_iscatter{"mpi_iscatter_"};
constinit Function<void(void*, int*, int*, int*, void*, int*, int*, int*, int*, int*, int*)> real_iscatterv{
    "mpi_iscatterv_"};
constinit Function<void(void*, int*, int*, void*, int*, int*, int*, int*, int*)> real_iallgather{"mpi_iallgather_"};
constinit Function<void(void*, int*, int*, void*, int*, int*, int*, int*, int*, int*)> real_iallgatherv{
    "mpi_iallgatherv_"};
constinit Function<void(void*, int*, int*, void*, int*, int*, int*, int*, int*)> real_ialltoall{"mpi_ialltoall_"};
constinit Function<void(void*, int*, int*, int*, void*, int*, int*, int*, int*, int*, int*)> real_ialltoallv{
    "mpi_ialltoallv_"};

} // namespace

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] void mpi_ibarrier_(int* on, int* made, int* error) {
  begin(
      Call(caller(), real_ibarrier.name(), {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) { collectives::barrier(uses, communicator(on)); },
      [&] { return real_ibarrier(on, made, error), *error; });
}
[[gnu::weak]] void mpi_ibcast_(void* memory, int* count, int* type, int* root, int* on, int* made, int* error) {
  begin(
      Call(caller(), real_ibcast.name(), {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::broadcast(uses, buffer(memory), *count, datatype(type), *root, communicator(on));
      },
      [&] { return real_ibcast(memory, count, type, root, on, made, error), *error; });
}
[[gnu::weak]] void mpi_ireduce_(void* sent, void* received, int* count, int* type, int* operation, int* root, int* on,
                                int* made, int* error) {
  begin(
      Call(caller(), real_ireduce.name(), {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::reduce(uses, buffer(sent), buffer(received), *count, datatype(type), 0, *root, communicator(on));
      },
      [&] { return real_ireduce(sent, received, count, type, operation, root, on, made, error), *error; });
}
[[gnu::weak]] void mpi_iallreduce_(void* sent, void* received, int* count, int* type, int* operation, int* on,
                                   int* made, int* error) {
  begin(
      Call(caller(), real_iallreduce.name(), {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::allreduce(uses, buffer(sent), buffer(received), *count, datatype(type), 0, communicator(on));
      },
      [&] { return real_iallreduce(sent, received, count, type, operation, on, made, error), *error; });
}
[[gnu::weak]] void mpi_iscan_(void* sent, void* received, int* count, int* type, int* operation, int* on, int* made,
                              int* error) {
  begin(
      Call(caller(), real_iscan.name(), {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::scan(uses, buffer(sent), buffer(received), *count, datatype(type), 0, communicator(on));
      },
      [&] { return real_iscan(sent, received, count, type, operation, on, made, error), *error; });
}
[[gnu::weak]] void mpi_iexscan_(void* sent, void* received, int* count, int* type, int* operation, int* on, int* made,
                                int* error) {
  begin(
      Call(caller(), real_iexscan.name(), {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::exclusive_scan(uses, buffer(sent), buffer(received), *count, datatype(type), 0, communicator(on));
      },
      [&] { return real_iexscan(sent, received, count, type, operation, on, made, error), *error; });
}
[[gnu::weak]] void mpi_ireduce_scatter_(void* sent, void* received, int* counts, int* type, int* operation, int* on,
                                        int* made, int* error) {
  begin(
      Call(caller(), real_ireduce_scatter.name(), {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::reduce_scatter(uses, buffer(sent), buffer(received), counts, datatype(type), 0, communicator(on));
      },
      [&] { return real_ireduce_scatter(sent, received, counts, type, operation, on, made, error), *error; });
}
[[gnu::weak]] void mpi_igather_(void* sent, int* send_count, int* send_type, void* received, int* count, int* type,
                                int* root, int* on, int* made, int* error) {
  begin(
      Call(caller(), real_igather.name(), {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::gather(uses, buffer(sent), *send_count, datatype(send_type), buffer(received), *count,
                            datatype(type), *root, communicator(on));
      },
      [&] { return real_igather(sent, send_count, send_type, received, count, type, root, on, made, error), *error; });
}
[[gnu::weak]] void mpi_igatherv_(void* sent, int* send_count, int* send_type, void* received, int* counts, int* places,
                                 int* type, int* root, int* on, int* made, int* error) {
  begin(
      Call(caller(), real_igatherv.name(), {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::gatherv(uses, buffer(sent), *send_count, datatype(send_type), buffer(received), counts, places,
                             datatype(type), *root, communicator(on));
      },
      [&] {
        return real_igatherv(sent, send_count, send_type, received, counts, places, type, root, on, made, error),
               *error;
      });
}
[[gnu::weak]] void mpi_iscatter_(void* sent, int* send_count, int* send_type, void* received, int* count, int* type,
                                 int* root, int* on, int* made, int* error) {
  begin(
      Call(caller(), real_iscatter.name(), {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::scatter(uses, buffer(sent), *send_count, datatype(send_type), buffer(received), *count,
                             datatype(type), *root, communicator(on));
      },
      [&] { return real_iscatter(sent, send_count, send_type, received, count, type, root, on, made, error), *error; });
}
[[gnu::weak]] void mpi_iscatterv_(void* sent, int* counts, int* places, int* send_type, void* received, int* count,
                                  int* type, int* root, int* on, int* made, int* error) {
  begin(
      Call(caller(), real_iscatterv.name(), {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::scatterv(uses, buffer(sent), counts, places, datatype(send_type), buffer(received), *count,
                              datatype(type), *root, communicator(on));
      },
      [&] {
        return real_iscatterv(sent, counts, places, send_type, received, count, type, root, on, made, error), *error;
      });
}
[[gnu::weak]] void mpi_iallgather_(void* sent, int* send_count, int* send_type, void* received, int* count, int* type,
                                   int* on, int* made, int* error) {
  begin(
      Call(caller(), real_iallgather.name(), {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::allgather(uses, buffer(sent), *send_count, datatype(send_type), buffer(received), *count,
                               datatype(type), communicator(on));
      },
      [&] { return real_iallgather(sent, send_count, send_type, received, count, type, on, made, error), *error; });
}
[[gnu::weak]] void mpi_iallgatherv_(void* sent, int* send_count, int* send_type, void* received, int* counts,
                                    int* places, int* type, int* on, int* made, int* error) {
  begin(
      Call(caller(), real_iallgatherv.name(), {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::allgatherv(uses, buffer(sent), *send_count, datatype(send_type), buffer(received), counts, places,
                                datatype(type), communicator(on));
      },
      [&] {
        return real_iallgatherv(sent, send_count, send_type, received, counts, places, type, on, made, error), *error;
      });
}
[[gnu::weak]] void mpi_ialltoall_(void* sent, int* send_count, int* send_type, void* received, int* count, int* type,
                                  int* on, int* made, int* error) {
  begin(
      Call(caller(), real_ialltoall.name(), {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::alltoall(uses, buffer(sent), *send_count, datatype(send_type), buffer(received), *count,
                              datatype(type), communicator(on));
      },
      [&] { return real_ialltoall(sent, send_count, send_type, received, count, type, on, made, error), *error; });
}
[[gnu::weak]] void mpi_ialltoallv_(void* sent, int* send_counts, int* send_places, int* send_type, void* received,
                                   int* counts, int* places, int* type, int* on, int* made, int* error) {
  begin(
      Call(caller(), real_ialltoallv.name(), {collective(communicator_if_checked(on))}), requests(made),
      [&](Uses& uses) {
        collectives::alltoallv(uses, buffer(sent), send_counts, send_places, datatype(send_type), buffer(received),
                               counts, places, datatype(type), communicator(on));
      },
      [&] {
        return real_ialltoallv(sent, send_counts, send_places, send_type, received, counts, places, type, on, made,
                               error),
               *error;
      });
}

} // extern "C"
#pragma GCC visibility pop
